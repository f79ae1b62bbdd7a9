/* gnutls_priority.h: the flags as a priority string of GnuTLS.
 *
 * A priority string names ciphers, MACs and key exchanges; the suites are all
 * their combinations. So a list of suites is translated and then compared with
 * what came out of it.
 */
#ifndef SHAKEDOWN_GNUTLS_PRIORITY_H
#define SHAKEDOWN_GNUTLS_PRIORITY_H

#include <stdarg.h>

/* Why a flag cannot be: the flag's name and a sentence. */
struct refusal {
    const char *what;
    char why[160];
};

static int __attribute__((format(printf, 3, 4))) refuse(struct refusal *r, const char *what, const char *fmt, ...)
{
    va_list ap;

    r->what = what;
    va_start(ap, fmt);
    vsnprintf(r->why, sizeof r->why, fmt, ap);
    va_end(ap);
    return 0;
}

struct priority {
    char text[8192];
    size_t len;
    int tls12, tls13; /* versions it allows (tls12: and older ones) */
};

static void __attribute__((format(printf, 2, 3))) priority_add(struct priority *p, const char *fmt, ...)
{
    va_list ap;
    size_t room = sizeof p->text - p->len;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(p->text + p->len, room, fmt, ap);
    va_end(ap);
    p->len += (size_t)n < room ? (size_t)n : room - 1;
}

static int uses_psk(const struct config *cfg)
{
    return cfg->psk_len && (!cfg->auth || strcmp(cfg->auth, "psk") == 0);
}

/* The versions asked for; those of the suites asked for; the library's. */
static void add_versions(struct priority *p, const struct config *cfg)
{
    const char *list = cfg->suite;
    char name[64];
    struct suite s;

    p->tls12 = p->tls13 = !cfg->version && !cfg->suite;
    if (p->tls12)
        return;
    if (cfg->version)
        *(cfg->version[2] == '3' ? &p->tls13 : &p->tls12) = 1;
    else
        while (list_next(&list, name, sizeof name))
            if (suite_find(name, &s))
                *(s.tls13 ? &p->tls13 : &p->tls12) = 1;
    priority_add(p, ":-VERS-ALL%s%s", p->tls13 ? ":+VERS-TLS1.3" : "", p->tls12 ? ":+VERS-TLS1.2" : "");
}

/* In TLS 1.2 plain RSA, which needs no group, would come before DHE. */
static int add_groups(struct priority *p, const struct config *cfg, struct refusal *r)
{
    const char *list = cfg->group;
    char name[64];

    if (list)
        priority_add(p, ":-GROUP-ALL%s", p->tls13 ? "" : ":-RSA");
    while (list_next(&list, name, sizeof name)) {
        gnutls_group_t group = group_find(name);

        if (!group)
            return refuse(r, "group", "this build of GnuTLS has no group %s", name);
        priority_add(p, ":+GROUP-%s", gnutls_group_get_name(group));
    }
    return 1;
}

/* In TLS 1.3 the PSK key exchanges with (EC)DHE stand for psk_dhe_ke. */
static int add_suites(struct priority *p, const struct config *cfg, struct refusal *r)
{
    const char *list = cfg->suite;
    char name[64];
    struct suite s;

    if (list || uses_psk(cfg))
        priority_add(p, ":-KX-ALL");
    if (list)
        priority_add(p, ":-CIPHER-ALL:-MAC-ALL");
    while (list_next(&list, name, sizeof name)) {
        if (!suite_find(name, &s))
            return refuse(r, "suite", "this build of GnuTLS has no suite %s", name);
        if (!(s.tls13 ? p->tls13 : p->tls12))
            continue;
        priority_add(p, ":+%s:+%s", gnutls_cipher_get_name(s.cipher), gnutls_mac_get_name(s.mac));
        if (!s.tls13)
            priority_add(p, ":+%s", gnutls_kx_get_name(s.kx));
    }
    if (uses_psk(cfg) && (p->tls13 || !cfg->suite))
        priority_add(p, ":+ECDHE-PSK:+DHE-PSK");
    return 1;
}

/* The next suite of a version that a priority cache allows; 0 at the end. */
static int next_allowed(gnutls_priority_t cache, unsigned *i, int tls13, struct suite *s)
{
    unsigned index;

    for (;;) {
        int ret = gnutls_priority_get_cipher_suite_index(cache, (*i)++, &index);

        if (ret == GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE)
            return 0;
        if (ret == 0 && suite_at(index, s) && s->tls13 == tls13)
            return 1;
    }
}

/* The next suite of a version in the flag's list; 0 at the end. */
static int next_asked(const char **list, int tls13, struct suite *s)
{
    char name[64];

    while (list_next(list, name, sizeof name))
        if (suite_find(name, s) && s->tls13 == tls13)
            return 1;
    return 0;
}

/* Are the suites of a version exactly those asked for, in their order? */
static int check_suites(gnutls_priority_t cache, const char *list, int tls13, struct refusal *r)
{
    struct suite asked, allowed;
    unsigned i = 0;

    for (;;) {
        int more = next_asked(&list, tls13, &asked), have = next_allowed(cache, &i, tls13, &allowed);

        if (!more && !have)
            return 1;
        if (!have)
            return refuse(r, "suite", "this build of GnuTLS does not allow %s", asked.iana);
        if (!more || strcmp(asked.iana, allowed.iana) != 0)
            return refuse(r, "suite", "GnuTLS cannot offer exactly these suites in this order: %s gets in",
                          allowed.iana);
    }
}

/* The flags as a priority cache, or NULL and why not. */
static gnutls_priority_t priority_new(const struct config *cfg, const char *signature, struct refusal *r)
{
    struct priority p = {.text = "NORMAL", .len = 6};
    gnutls_priority_t cache;
    const char *at;
    int ret;

    add_versions(&p, cfg);
    if (!add_groups(&p, cfg, r) || !add_suites(&p, cfg, r))
        return NULL;
    if (signature)
        priority_add(&p, ":+SIGN-%s", signature);
    ret = gnutls_priority_init(&cache, p.text, &at);
    if (ret < 0) {
        refuse(r, cfg->suite ? "suite" : cfg->group ? "group" : "version", "priority string \"%.80s\": %s",
               ret == GNUTLS_E_INVALID_REQUEST ? at : p.text, gnutls_strerror(ret));
        return NULL;
    }
    if (cfg->suite && ((p.tls12 && !check_suites(cache, cfg->suite, 0, r)) ||
                       (p.tls13 && !check_suites(cache, cfg->suite, 1, r)))) {
        gnutls_priority_deinit(cache);
        return NULL;
    }
    return cache;
}

#endif
