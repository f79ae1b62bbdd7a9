/* json.h: JSON Lines on standard output. Nothing leaves before json_flush. */
#ifndef SHAKEDOWN_JSON_H
#define SHAKEDOWN_JSON_H

static int json_comma; /* does the next member need a comma before it? */

static void json_string(const char *s)
{
    putchar('"');
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;

        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20 || c >= 0x7f)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void json_name(const char *name)
{
    if (json_comma)
        putchar(',');
    json_string(name);
    putchar(':');
    json_comma = 1;
}

static void json_open(const char *name)
{
    if (name)
        json_name(name);
    putchar('{');
    json_comma = 0;
}

static void json_close(void)
{
    putchar('}');
    json_comma = 1;
}

static void json_text(const char *name, const char *value)
{
    json_name(name);
    json_string(value);
}

/* Left out when the text is empty or NULL. */
static void json_text_if(const char *name, const char *value)
{
    if (value && *value)
        json_text(name, value);
}

static void json_int(const char *name, long long value)
{
    json_name(name);
    printf("%lld", value);
}

static void json_bool(const char *name, int value)
{
    json_name(name);
    fputs(value ? "true" : "false", stdout);
}

/* Left out when UNKNOWN. */
static void json_tri(const char *name, int value)
{
    if (value != UNKNOWN)
        json_bool(name, value);
}

static void json_seconds(const char *name, uint64_t ns)
{
    json_name(name);
    printf("%.9f", (double)ns * 1e-9);
}

static void json_flush(void)
{
    if (fflush(stdout) != 0)
        exit(1); /* nobody reads any more */
}

/* A line: json_begin("ready") … json_end(). */
static void json_begin(const char *kind)
{
    json_open(NULL);
    json_text("kind", kind);
}

static void json_end(void)
{
    json_close();
    putchar('\n');
    json_comma = 0;
}

#endif
