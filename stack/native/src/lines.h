/* lines.h: commands, one a line, from standard input. */
#ifndef SHAKEDOWN_LINES_H
#define SHAKEDOWN_LINES_H

static struct {
    char buf[256];
    size_t len;
} lines;

/* Reads once, which may wait; 0 at the end of input. */
static int lines_fill(void)
{
    ssize_t n;

    if (lines.len == sizeof lines.buf)
        die_usage("command longer than %zu bytes", sizeof lines.buf);
    do
        n = read(0, lines.buf + lines.len, sizeof lines.buf - lines.len);
    while (n < 0 && errno == EINTR);
    lines.len += n > 0 ? (size_t)n : 0;
    return n > 0;
}

/* Takes the next whole line, without its end; 0 when there is none yet. */
static int lines_take(char *line, size_t size)
{
    char *end = memchr(lines.buf, '\n', lines.len);
    size_t n = end ? (size_t)(end - lines.buf) : 0;

    if (!end)
        return 0;
    snprintf(line, size, "%.*s", (int)n, lines.buf);
    line[strcspn(line, "\r")] = '\0';
    lines.len -= n + 1;
    memmove(lines.buf, end + 1, lines.len);
    return 1;
}

/* Waits for a whole line; 0 at the end of input. */
static int lines_wait(char *line, size_t size)
{
    while (!lines_take(line, size))
        if (!lines_fill())
            return 0;
    return 1;
}

/* The N of "run N"; anything else is wrong use. */
static long lines_run(const char *line)
{
    if (strncmp(line, "run ", 4) != 0)
        die_usage("unknown command \"%s\"; there is run N", line);
    return parse_number("run", line + 4, 1, MAX_BLOCK);
}

#endif
