/* info.h: the verb info. Reasons of what cannot be come last, together. */
#ifndef SHAKEDOWN_INFO_H
#define SHAKEDOWN_INFO_H

static struct {
    const char *name;
    char reason[160];
} cannot[64];
static size_t n_cannot;

void info_list(const char *name, const char *const *items)
{
    json_name(name);
    putchar('[');
    for (size_t i = 0; items[i]; i++) {
        if (i)
            putchar(',');
        json_string(items[i]);
    }
    putchar(']');
}

void info_bool(const char *name, int value)
{
    json_bool(name, value);
}

/* The name is kept, the reason copied. */
void info_cannot(const char *name, const char *reason)
{
    if (n_cannot == sizeof cannot / sizeof *cannot)
        return;
    cannot[n_cannot].name = name;
    snprintf(cannot[n_cannot++].reason, sizeof cannot->reason, "%s", reason);
}

static int info(void)
{
    json_begin("info");
    json_int("protocol", 1);
    json_text("stack", stack_name());
    json_text("version", stack_version());
    json_text("library", stack_library());
    json_text("headers", stack_headers());
    info_list("verbs", (const char *const[]){"info", "serve", "connect", "op", NULL});
    info_list("protocols", (const char *const[]){"tls", NULL});
    stack_info();
    info_list("ops", (const char *const[]){"record", NULL});
    json_text("memory", METER_MEMORY);
    json_open("cannot");
    for (size_t i = 0; i < n_cannot; i++)
        json_text(cannot[i].name, cannot[i].reason);
    json_close();
    json_end();
    json_flush();
    return 0;
}

#endif
