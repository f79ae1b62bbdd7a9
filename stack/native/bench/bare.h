/* bare.h: handshakes in a loop with nothing around them: the yardstick for
 * what a driver's timed loop adds.
 *
 *   bare_NAME connect --to HOST:PORT --ca FILE --version 1.2|1.3
 *
 * It is operated as a driver is (docs/driver.md), against a driver's `serve`
 * with its default lengths, but tells nothing of its handshakes than that they
 * were. The group is x25519: the cheapest handshake, in which an addition shows
 * most. A library's file defines setup and exchange and includes this header as
 * its last line.
 */
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* What a library does. setup: a client's context that verifies against root.
 * exchange: handshake, request of 32 bytes, response of 32 bytes, close_notify.
 * Both return 0 when any of it failed. */
static int setup(const char *root, int tls13);
static int exchange(int fd);

static void die(const char *what)
{
    fprintf(stderr, "bare: error: %s\n", what);
    exit(1);
}

static const char *flag(char **argv, const char *name)
{
    while (*argv && strcmp(*argv, name) != 0)
        argv++;
    if (!*argv || !argv[1])
        die("usage: bare_NAME connect --to HOST:PORT --ca FILE --version VERSION");
    return argv[1];
}

static struct addrinfo *resolve(const char *address)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list;
    char host[64];

    snprintf(host, sizeof host, "%.*s", (int)strcspn(address, ":"), address);
    if (getaddrinfo(host, address + strcspn(address, ":") + 1, &hints, &list) != 0)
        die("the address cannot be resolved");
    return list;
}

static void handshake(const struct addrinfo *to)
{
    int fd = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(fd, to->ai_addr, to->ai_addrlen) != 0)
        die("connect failed");
    if (!exchange(fd))
        die("a handshake failed");
    close(fd);
}

static double cpu(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void block(const struct addrinfo *to, long n)
{
    double before = cpu(), spent;

    for (long i = 0; i < n; i++)
        handshake(to);
    spent = cpu() - before;
    for (long i = 0; i < n; i++)
        puts("{\"kind\":\"handshake\",\"side\":\"client\",\"ok\":true}");
    printf("{\"kind\":\"block\",\"count\":%ld,\"cpu\":%.9f}\n", n, spent);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct addrinfo *to = resolve(flag(argv, "--to"));
    char line[64];
    long n;

    (void)argc;
    if (!setup(flag(argv, "--ca"), strcmp(flag(argv, "--version"), "1.3") == 0))
        die("the library refuses the root or the version");
    puts("{\"kind\":\"ready\"}");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) && sscanf(line, "run %ld", &n) == 1)
        block(to, n);
    return 0;
}
