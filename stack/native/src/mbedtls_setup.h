/* mbedtls_setup.h: a side from the flags: certificates, versions, groups, suites, tickets. */
#ifndef SHAKEDOWN_MBEDTLS_SETUP_H
#define SHAKEDOWN_MBEDTLS_SETUP_H

/* A line of the key log: label, client random, secret. */
static void keylog_write(const char *label, const unsigned char random[32], const unsigned char *secret, size_t len)
{
    char line[256];
    size_t n = (size_t)snprintf(line, sizeof line, "%s ", label);

    for (size_t i = 0; i < 32; i++)
        n += (size_t)snprintf(line + n, sizeof line - n, "%02x", random[i]);
    n += (size_t)snprintf(line + n, sizeof line - n, " ");
    for (size_t i = 0; i < len && n + 2 < sizeof line; i++)
        n += (size_t)snprintf(line + n, sizeof line - n, "%02x", secret[i]);
    keylog_line(line);
}

static const char *error_text(int err)
{
    static char text[160];

    mbedtls_strerror(err, text, sizeof text);
    return text;
}

static void check(int err, const char *what)
{
    if (err != 0)
        die_setup("%s: %s (-0x%04x)", what, error_text(err), (unsigned)-err);
}

/* A PEM file as text, or the text itself where it is PEM already (the probes). */
static char *load_pem(const char *flag, const char *path)
{
    FILE *f = strncmp(path, "-----BEGIN", 10) == 0 ? NULL : fopen(path, "r");
    size_t n, cap = 1 << 20;
    char *text;

    if (f == NULL && path[0] != '-')
        die_setup("--%s %s: %s", flag, path, strerror(errno));
    if (f == NULL)
        return strdup(path);
    text = malloc(cap);
    n = text ? fread(text, 1, cap - 1, f) : 0;
    fclose(f);
    if (n == 0 || n == cap - 1)
        die_setup("--%s %s is not a PEM file of at most 1 MiB", flag, path);
    text[n] = '\0';
    return text;
}

/* What cannot be parsed for want of an algorithm is cannot, else set-up. */
static void check_parse(int err, const char *flag, const char *path)
{
    int high = -(-err & 0xff80);

    if (err == 0)
        return;
    if (err > 0 || high == MBEDTLS_ERR_X509_UNKNOWN_SIG_ALG || high == MBEDTLS_ERR_PK_UNKNOWN_PK_ALG ||
        high == MBEDTLS_ERR_PK_UNKNOWN_NAMED_CURVE || high == MBEDTLS_ERR_X509_UNKNOWN_OID)
        die_cannot("auth", "--%s %s: this build does not know its algorithm", flag, path);
    die_setup("--%s %s: %s", flag, path, error_text(err));
}

static void load_certs(mbedtls_x509_crt *certs, const char *flag, const char *path)
{
    char *pem = load_pem(flag, path);

    check_parse(mbedtls_x509_crt_parse(certs, (const unsigned char *)pem, strlen(pem) + 1), flag, path);
    free(pem);
}

static void load_key(struct side *s, const char *path)
{
    char *pem = load_pem("key", path);

    check_parse(compat_parse_key(&s->key, pem, &s->rng), "key", path);
    free(pem);
}

/* Own chain and key, and what the peer is verified against. */
static void conf_certs(struct side *s)
{
    const struct config *cfg = s->cfg;
    int verify = s->server ? cfg->mutual : !cfg->insecure;

    if (cfg->psk_len == 0 && cfg->cert) {
        load_certs(&s->cert, "cert", cfg->cert);
        load_key(s, cfg->key);
        check(compat_check_pair(&s->cert, &s->key, &s->rng), "--key is not that of --cert");
        check(mbedtls_ssl_conf_own_cert(&s->conf, &s->cert, &s->key), "--cert and --key");
    }
    if (cfg->ca) {
        load_certs(&s->ca, "ca", cfg->ca);
        mbedtls_ssl_conf_ca_chain(&s->conf, &s->ca, NULL);
    }
    mbedtls_ssl_conf_authmode(&s->conf, verify ? MBEDTLS_SSL_VERIFY_REQUIRED : MBEDTLS_SSL_VERIFY_NONE);
}

static void conf_psk(struct side *s)
{
    const struct config *cfg = s->cfg;
    const unsigned char *identity = (const unsigned char *)cfg->psk_identity;

    if (cfg->psk_len == 0)
        return;
    if (mbedtls_ssl_conf_psk(&s->conf, cfg->psk, cfg->psk_len, identity, strlen(cfg->psk_identity)) != 0)
        die_cannot("psk", "this build takes no PSK of %zu bytes", cfg->psk_len);
}

/* Appends the group unless it is there. */
static void add_group(struct side *s, group_t group)
{
    size_t n = 0;

    while (s->groups[n] && s->groups[n] != group)
        n++;
    if (n < MAX_NAMES + 1)
        s->groups[n] = group;
}

/* In TLS 1.2 the list of groups is also that of the curves of certificates (RFC
 * 8422 5.1). So the curves of --auth, of the own key and of the root follow, last;
 * a server still takes its first group that the client offers. */
static void add_cert_curves(struct side *s)
{
    const char *auth = s->cfg->auth ? s->cfg->auth : "";
    unsigned curves[] = {
        strcmp(auth, "ecdsa-p256") == 0 ? 23 : strcmp(auth, "ecdsa-p384") == 0 ? 24 : 0,
        key_curve(&s->key),
        key_curve(&s->ca.pk),
    };

    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++)
        if (curves[i])
            add_group(s, compat_group((uint16_t)curves[i]));
}

static void conf_groups(struct side *s)
{
    const char *list = s->cfg->group, *version = HAS_TLS13 ? s->cfg->version : "1.2";
    char name[64];

    if (!list)
        return;
    for (size_t n = 0; list_next(&list, name, sizeof name) && n < MAX_NAMES; n++) {
        uint16_t code = group_code(name);

        if (!group_known(code, version))
            die_cannot("group", "this build has no group %s in TLS %s", name, version ? version : "1.2 or 1.3");
        add_group(s, compat_group(code));
    }
    if (version && strcmp(version, "1.2") == 0)
        add_cert_curves(s);
    compat_conf_groups(&s->conf, s->groups);
}

/* Without --suite an external PSK has the suites of TLS 1.3, then ECDHE_PSK,
 * then PSK, each in the library's order; all else the library's default. */
static void conf_suites(struct side *s)
{
    const char *list = s->cfg->suite;
    char name[64];
    size_t n = 0;

    if (!list && s->cfg->psk_len == 0)
        return;
    while (list && list_next(&list, name, sizeof name) && n < MAX_NAMES)
        if ((s->suites[n++] = suite_id(name)) == 0)
            die_cannot("suite", "this build has no %s", name);
    if (!s->cfg->suite)
        n = suites_psk(s->suites, MAX_NAMES);
    mbedtls_ssl_conf_ciphersuites(&s->conf, s->suites);
}

/* The library's ticket callbacks, with a note of what was accepted. */
static int ticket_parse(void *arg, mbedtls_ssl_session *session, unsigned char *buf, size_t len)
{
    struct side *s = arg;
    int err = mbedtls_ssl_ticket_parse(&s->tickets, session, buf, len);

    if (err == 0)
        s->conn.ticket = 1;
    return err;
}

static int ticket_write(void *arg, const mbedtls_ssl_session *session, unsigned char *start,
                        const unsigned char *end, size_t *len, uint32_t *lifetime)
{
    struct side *s = arg;

    return mbedtls_ssl_ticket_write(&s->tickets, session, start, end, len, lifetime);
}

/* As in the library's defaults, a server of mode full issues no tickets; in the
 * other modes one in each handshake. There is no session cache in any. */
static void conf_tickets(struct side *s)
{
    if (!s->server || s->cfg->mode == MODE_FULL)
        return;
    check(mbedtls_ssl_ticket_setup(&s->tickets, mbedtls_ctr_drbg_random, &s->rng, MBEDTLS_CIPHER_AES_256_GCM,
                                   TICKET_LIFETIME), "tickets");
    mbedtls_ssl_conf_session_tickets_cb(&s->conf, ticket_write, ticket_parse, s);
}

static void conf_early(struct side *s);

/* Everything in its initial state, the random generator seeded. */
static struct side *side_init(const struct config *cfg, int server)
{
    struct side *s = malloc(sizeof *s);

    if (!s)
        die_setup("out of memory");
    memset(s, 0, sizeof *s); /* no page faults later */
    s->cfg = cfg;
    s->server = server;
    mbedtls_entropy_init(&s->entropy);
    mbedtls_ctr_drbg_init(&s->rng);
    mbedtls_ssl_config_init(&s->conf);
    mbedtls_x509_crt_init(&s->cert);
    mbedtls_x509_crt_init(&s->ca);
    mbedtls_pk_init(&s->key);
    mbedtls_ssl_ticket_init(&s->tickets);
    mbedtls_ssl_session_init(&s->session);
    check(mbedtls_ctr_drbg_seed(&s->rng, mbedtls_entropy_func, &s->entropy, NULL, 0), "random generator");
    check(compat_start(), "psa_crypto_init");
    return s;
}

static struct side *side_new(const struct config *cfg, int server)
{
    struct side *s = side_init(cfg, server);

    if (cfg->auth && (strncmp(cfg->auth, "ed", 2) == 0 || strncmp(cfg->auth, "mldsa", 5) == 0))
        die_cannot("auth", "Mbed TLS %s has no %s", stack_version(), cfg->auth);
    check(mbedtls_ssl_config_defaults(&s->conf, server ? MBEDTLS_SSL_IS_SERVER : MBEDTLS_SSL_IS_CLIENT,
                                      MBEDTLS_SSL_TRANSPORT_STREAM, MBEDTLS_SSL_PRESET_DEFAULT), "defaults");
    mbedtls_ssl_conf_rng(&s->conf, mbedtls_ctr_drbg_random, &s->rng);
    if (cfg->version && !compat_conf_version(&s->conf, cfg->version))
        die_cannot("version", "this build has no TLS %s", cfg->version);
    conf_certs(s);
    conf_psk(s);
    conf_groups(s);
    conf_suites(s);
    conf_tickets(s);
    compat_conf_tls13(&s->conf, !server && cfg->mode != MODE_FULL, cfg->psk_len > 0);
    conf_early(s);
    return s;
}

#endif
