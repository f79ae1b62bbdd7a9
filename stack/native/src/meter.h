/* meter.h: memory of this process: bytes on the heap, or the resident set.
 *
 * With glibc and SHAKEDOWN_METER the allocator's entry points are defined here,
 * in the executable, so that the calls of every shared library come by. The
 * detour alone costs 1 % of a handshake, so the program that is used for times
 * is compiled without it; under --memory it gives way to the one that counts,
 * which lies beside it under its own name and "-memory".
 */
#ifndef SHAKEDOWN_METER_H
#define SHAKEDOWN_METER_H

struct memory {
    const char *what;
    long idle, peak; /* bytes */
};

static struct {
    int heap;         /* counting? */
    long bytes, peak; /* handed out now, and at most since meter_restart */
    long idle;        /* at the end of set-up */
} meter;

#ifdef __GLIBC__
#define METER_MEMORY STACK_MEMORY
#else
#define METER_MEMORY "rss"
#endif

#if defined __GLIBC__ && defined SHAKEDOWN_METER
#include <malloc.h>

#define NO_PLT __attribute__((noplt)) /* one jump less on the way */
NO_PLT void *__libc_malloc(size_t n);
NO_PLT void *__libc_calloc(size_t n, size_t size);
NO_PLT void *__libc_realloc(void *p, size_t n);
NO_PLT void *__libc_memalign(size_t align, size_t n);
NO_PLT void __libc_free(void *p);

#define COUNTING __builtin_expect(meter.heap, 0)

static void *meter_add(void *p)
{
    meter.bytes += p ? (long)malloc_usable_size(p) : 0;
    if (meter.bytes > meter.peak)
        meter.peak = meter.bytes;
    return p;
}

static void *meter_realloc(void *p, size_t n)
{
    long old = p ? (long)malloc_usable_size(p) : 0;
    void *q = __libc_realloc(p, n);

    if (q || n == 0)
        meter.bytes -= old;
    return meter_add(q);
}

static void meter_free(void *p)
{
    meter.bytes -= p ? (long)malloc_usable_size(p) : 0;
    __libc_free(p);
}

void *malloc(size_t n)
{
    return COUNTING ? meter_add(__libc_malloc(n)) : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return COUNTING ? meter_add(__libc_calloc(n, size)) : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    return COUNTING ? meter_realloc(p, n) : __libc_realloc(p, n);
}

void free(void *p)
{
    if (COUNTING)
        meter_free(p);
    else
        __libc_free(p);
}

void *memalign(size_t align, size_t n)
{
    return COUNTING ? meter_add(__libc_memalign(align, n)) : __libc_memalign(align, n);
}

void *aligned_alloc(size_t align, size_t n)
{
    return memalign(align, n);
}

int posix_memalign(void **p, size_t align, size_t n)
{
    if (align % sizeof(void *) || align == 0 || (align & (align - 1)))
        return EINVAL;
    *p = memalign(align, n);
    return *p ? 0 : ENOMEM;
}
#endif

/* A field of /proc/self/status in bytes, or 0 where there is none. */
static long meter_status(const char *field)
{
    char buf[4096], *at;
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, buf, sizeof buf - 1);

    if (fd >= 0)
        close(fd);
    buf[n > 0 ? n : 0] = '\0';
    at = strstr(buf, field);
    return at ? strtol(at + strlen(field), NULL, 10) * 1024 : 0;
}

/* Sets the peak of the resident set back to what it is now (proc(5)). */
static void meter_reset_rss(void)
{
    int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

    if (fd < 0)
        return;
    if (write(fd, "5", 1) != 1)
        fprintf(stderr, "%s: warning: the peak of the resident set cannot be reset\n", stack_name());
    close(fd);
}

#ifndef SHAKEDOWN_METER
/* Goes on as the program that counts. */
static void meter_exec(char **argv)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof "-memory");

    if (n < 0)
        die_setup("/proc/self/exe: %s", strerror(errno));
    strcpy(path + n, "-memory");
    execv(path, argv);
    die_setup("%s, which counts memory: %s", path, strerror(errno));
}
#endif

/* Starts to count, when asked to and where the allocator can be counted. */
static void meter_start(const struct config *cfg, char **argv)
{
    meter.heap = cfg->memory && strcmp(METER_MEMORY, "heap") == 0;
#ifndef SHAKEDOWN_METER
    if (meter.heap)
        meter_exec(argv);
#else
    (void)argv;
#endif
}

/* A block begins: the peak is what is held now. */
static void meter_restart(void)
{
    meter.peak = meter.bytes;
    if (!meter.heap)
        meter_reset_rss();
}

/* Set-up is over. */
static void meter_idle(void)
{
    meter.idle = meter.heap ? meter.bytes : meter_status("VmRSS:");
    meter_restart();
}

/* Idle and peak; called when a block is over. */
static struct memory meter_read(void)
{
    if (meter.heap)
        return (struct memory){"heap", meter.idle, meter.peak};
    return (struct memory){"rss", meter.idle, meter_status("VmHWM:")};
}

#endif
