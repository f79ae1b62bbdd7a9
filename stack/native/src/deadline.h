/* deadline.h: ends a handshake that takes too long.
 *
 * A timer ticks while there is work, so that arming a deadline costs no system
 * call; it rests while the process is idle, so that it costs nothing there.
 * When the time is up, the tick shuts the socket down, and whichever call of
 * the stack waits on it returns. A connect that is interrupted would be
 * restarted and dial anew; its socket is replaced by a dead one, on which it
 * fails at once.
 */
#ifndef SHAKEDOWN_DEADLINE_H
#define SHAKEDOWN_DEADLINE_H

#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>

static struct {
    volatile int fd;         /* watched socket, or -1 */
    volatile int connecting; /* it is in connect */
    volatile int passed;
    volatile uint64_t at;    /* set only while nothing is watched */
    uint64_t span;           /* nanoseconds */
    int dead;                /* a socket without a peer */
    int ticking;
} deadline = {.fd = -1};

static void deadline_tick(int sig)
{
    int saved = errno;

    (void)sig;
    if (deadline.fd >= 0 && now_ns() > deadline.at) {
        deadline.passed = 1;
        if (deadline.connecting)
            dup2(deadline.dead, deadline.fd);
        else
            shutdown(deadline.fd, SHUT_RDWR);
    }
    errno = saved;
}

static int dead_socket(void)
{
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        die_setup("socketpair: %s", strerror(errno));
    close(pair[1]);
    return pair[0];
}

/* Makes ready; the timer rests. */
static void deadline_init(long timeout_ms)
{
    struct sigaction sa = {.sa_handler = deadline_tick, .sa_flags = SA_RESTART};

    deadline.span = (uint64_t)timeout_ms * 1000000u;
    deadline.dead = dead_socket();
    sigaction(SIGALRM, &sa, NULL);
}

static void deadline_timer(uint64_t ns)
{
    long us = (long)(ns / 1000);
    struct itimerval tick;

    tick.it_interval = tick.it_value = (struct timeval){us / 1000000, us % 1000000};
    setitimer(ITIMER_REAL, &tick, NULL);
    deadline.ticking = ns != 0;
}

/* Work begins: ticks each twentieth of the timeout, at most each half second. */
static void deadline_wake(void)
{
    if (!deadline.ticking)
        deadline_timer(deadline.span < 10000000000u ? deadline.span / 20 : 500000000u);
}

/* Work is over. */
static void deadline_rest(void)
{
    if (deadline.ticking)
        deadline_timer(0);
}

/* Sets the deadline of what is watched next. */
static void deadline_arm(uint64_t from)
{
    deadline.passed = 0;
    deadline.at = from + deadline.span;
}

static void deadline_watch(int fd, int connecting)
{
    deadline.connecting = connecting;
    deadline.fd = fd;
}

#endif
