/* text.h: names, lists, errors and the key log. */
#ifndef SHAKEDOWN_TEXT_H
#define SHAKEDOWN_TEXT_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

int list_next(const char **list, char *buf, size_t size)
{
    size_t n;

    if (*list == NULL || **list == '\0')
        return 0;
    n = strcspn(*list, ",");
    snprintf(buf, size, "%.*s", (int)n, *list);
    *list += n + ((*list)[n] == ',');
    return 1;
}

/* RFC 8446 §6; the older ones from RFC 5246 §7.2, RFC 6066 and RFC 7507. */
static const struct {
    int code;
    const char *name;
} alerts[] = {
    {0, "close_notify"}, {10, "unexpected_message"}, {20, "bad_record_mac"},
    {22, "record_overflow"}, {30, "decompression_failure"}, {40, "handshake_failure"},
    {42, "bad_certificate"}, {43, "unsupported_certificate"}, {44, "certificate_revoked"},
    {45, "certificate_expired"}, {46, "certificate_unknown"}, {47, "illegal_parameter"},
    {48, "unknown_ca"}, {49, "access_denied"}, {50, "decode_error"}, {51, "decrypt_error"},
    {70, "protocol_version"}, {71, "insufficient_security"}, {80, "internal_error"},
    {86, "inappropriate_fallback"}, {90, "user_canceled"}, {100, "no_renegotiation"},
    {109, "missing_extension"}, {110, "unsupported_extension"}, {112, "unrecognized_name"},
    {113, "bad_certificate_status_response"}, {115, "unknown_psk_identity"},
    {116, "certificate_required"}, {120, "no_application_protocol"},
};

const char *alert_name(int code)
{
    static char unknown[24];

    for (size_t i = 0; i < sizeof alerts / sizeof *alerts; i++)
        if (alerts[i].code == code)
            return alerts[i].name;
    snprintf(unknown, sizeof unknown, "unknown_%d", code);
    return unknown;
}

void fail(struct failure *f, const char *reason, const char *from, const char *alert, const char *fmt, ...)
{
    va_list ap;

    f->reason = reason;
    f->from = from;
    snprintf(f->alert, sizeof f->alert, "%s", alert ? alert : "");
    f->detail[0] = '\0';
    if (fmt == NULL)
        return;
    va_start(ap, fmt);
    vsnprintf(f->detail, sizeof f->detail, fmt, ap);
    va_end(ap);
}

static void __attribute__((noreturn)) die_error(const char *reason, const char *what, const char *fmt, va_list ap)
{
    char detail[512];

    vsnprintf(detail, sizeof detail, fmt, ap);
    json_begin("error");
    json_text("reason", reason);
    json_text_if("what", what);
    json_text("detail", detail);
    json_end();
    json_flush();
    fprintf(stderr, "%s: error: %s\n", stack_name(), detail);
    exit(1);
}

void die_cannot(const char *what, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    die_error("cannot", what, fmt, ap);
}

void die_setup(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    die_error("setup", NULL, fmt, ap);
}

/* Wrong use: one line on standard error and exit status 2. */
static void __attribute__((noreturn, format(printf, 1, 2))) die_usage(const char *fmt, ...)
{
    va_list ap;

    fprintf(stderr, "%s: error: ", stack_name());
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    exit(2);
}

static int keylog_fd = -1;

static void keylog_open(const char *path)
{
    keylog_fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (keylog_fd < 0)
        die_setup("key log %s: %s", path, strerror(errno));
}

/* One write, so that lines of two processes do not mix. */
void keylog_line(const char *line)
{
    char buf[512];
    int n = snprintf(buf, sizeof buf, "%s\n", line);

    if (keylog_fd < 0 || n < 0 || (size_t)n >= sizeof buf)
        return;
    if (write(keylog_fd, buf, (size_t)n) != n)
        fprintf(stderr, "%s: warning: key log: %s\n", stack_name(), strerror(errno));
}

#endif
