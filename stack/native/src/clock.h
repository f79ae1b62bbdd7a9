/* clock.h: the two clocks of a driver, in nanoseconds. */
#ifndef SHAKEDOWN_CLOCK_H
#define SHAKEDOWN_CLOCK_H

#include <time.h>

static inline uint64_t clock_ns(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Now, on the clock that all processes of the machine share. No system call. */
static inline uint64_t now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

/* Processor time of this process, user and system. A system call. */
static inline uint64_t cpu_ns(void)
{
    return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
