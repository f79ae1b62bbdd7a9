/* net.h: TCP: listen, accept, dial. Addresses are HOST:PORT or [HOST]:PORT. */
#ifndef SHAKEDOWN_NET_H
#define SHAKEDOWN_NET_H

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

/* Resolves an address; failures are set-up errors. */
static struct addrinfo *net_resolve(const char *address, int passive)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = passive ? AI_PASSIVE : 0}, *list;
    const char *colon = strrchr(address, ':');
    char host[256];
    int err, n = colon ? (int)(colon - address) : -1;

    if (n < 0 || n >= (int)sizeof host)
        die_setup("address \"%s\" is not HOST:PORT", address);
    if (n > 1 && address[0] == '[' && colon[-1] == ']')
        snprintf(host, sizeof host, "%.*s", n - 2, address + 1);
    else
        snprintf(host, sizeof host, "%.*s", n, address);
    err = getaddrinfo(*host ? host : NULL, colon + 1, &hints, &list);
    if (err)
        die_setup("address \"%s\": %s", address, gai_strerror(err));
    return list;
}

static int net_port(const struct sockaddr_storage *a)
{
    if (a->ss_family == AF_INET)
        return ntohs(((const struct sockaddr_in *)a)->sin_port);
    return a->ss_family == AF_INET6 ? ntohs(((const struct sockaddr_in6 *)a)->sin6_port) : 0;
}

/* Port of this end of a socket, 0 when it has none. */
static int net_local_port(int fd)
{
    struct sockaddr_storage a = {0};
    socklen_t len = sizeof a;

    return getsockname(fd, (struct sockaddr *)&a, &len) == 0 ? net_port(&a) : 0;
}

static void net_set(int fd, int level, int option)
{
    int on = 1;

    setsockopt(fd, level, option, &on, sizeof on);
}

/* Listens. On Linux a socket that is accepted has the listener's TCP_NODELAY,
 * but not its O_NONBLOCK, which only keeps accept from waiting. */
static int net_listen(const char *address)
{
    struct addrinfo *a = net_resolve(address, 1);
    int fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0)
        die_setup("socket: %s", strerror(errno));
    net_set(fd, SOL_SOCKET, SO_REUSEADDR);
    net_set(fd, IPPROTO_TCP, TCP_NODELAY);
    if (bind(fd, a->ai_addr, a->ai_addrlen) || listen(fd, MAX_BLOCK))
        die_setup("listen on %s: %s", address, strerror(errno));
    freeaddrinfo(a);
    return fd;
}

/* Writes the address of a listener. */
static void net_name(int fd, char *buf, size_t size)
{
    struct sockaddr_storage a = {0};
    socklen_t len = sizeof a;
    char host[NI_MAXHOST], port[NI_MAXSERV];

    if (getsockname(fd, (struct sockaddr *)&a, &len) ||
        getnameinfo((struct sockaddr *)&a, len, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV))
        die_setup("the listener has no address: %s", strerror(errno));
    snprintf(buf, size, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, port);
}

/* Tries one address; the socket, watched from now on, or -1. */
static int net_dial_one(const struct addrinfo *a)
{
    int fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0), failed, saved;

    if (fd < 0)
        return -1;
    net_set(fd, IPPROTO_TCP, TCP_NODELAY);
    deadline_watch(fd, 1);
    failed = connect(fd, a->ai_addr, a->ai_addrlen) != 0;
    saved = errno;
    deadline_watch(failed || deadline.passed ? -1 : fd, 0);
    if (deadline.fd >= 0)
        return fd;
    close(fd);
    errno = saved;
    return -1;
}

/* Dials the address that worked last, then the others. */
static int net_dial(const struct addrinfo *list)
{
    static const struct addrinfo *last;
    int fd = last ? net_dial_one(last) : -1;

    for (const struct addrinfo *a = list; fd < 0 && a && !deadline.passed; a = a->ai_next) {
        fd = net_dial_one(a);
        last = fd < 0 ? NULL : a;
    }
    return fd;
}

static void net_failure(struct failure *f, int err)
{
    const char *reason = err == ECONNREFUSED ? "refused" : err == ETIMEDOUT ? "timeout"
                       : err == ECONNRESET ? "reset" : "other";

    fail(f, reason, NULL, NULL, "connect: %s", strerror(err));
}

#endif
