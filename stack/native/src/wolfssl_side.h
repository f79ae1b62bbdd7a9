/* wolfssl_side.h: a context of wolfSSL from the flags; what the library at hand
 * cannot do ends the program. */
#ifndef SHAKEDOWN_WOLFSSL_SIDE_H
#define SHAKEDOWN_WOLFSSL_SIDE_H

#define FIRST_TLS13_GROUP 31 /* code points from here on name no curve of TLS 1.2 */

static int may_be(const struct side *s, const char *version)
{
    return !s->version || strcmp(s->version, version) == 0;
}

/* The one version that is asked for, or that all suites asked for belong to. */
static const char *side_version(const struct config *cfg)
{
    const char *list = cfg->suite;
    int seen = 0;
    char name[64];

    if (cfg->version)
        return cfg->version;
    if (cfg->mode == MODE_EARLY)
        return "1.3";
    while (list_next(&list, name, sizeof name))
        seen |= suite_tls13(name) ? 2 : 1;
    return seen == 1 ? "1.2" : seen == 2 ? "1.3" : NULL;
}

static WOLFSSL_METHOD *side_method(const struct side *s)
{
#ifdef WOLFSSL_TLS13
    if (s->version && strcmp(s->version, "1.3") == 0)
        return s->server ? wolfTLSv1_3_server_method() : wolfTLSv1_3_client_method();
#endif
#ifndef WOLFSSL_NO_TLS12
    /* A server's groups can be limited in the method of all versions only. */
    if (s->version && strcmp(s->version, "1.2") == 0 && !(s->server && s->cfg->group))
        return s->server ? wolfTLSv1_2_server_method() : wolfTLSv1_2_client_method();
#endif
    return s->server ? wolfSSLv23_server_method() : wolfSSLv23_client_method();
}

static void side_check_version(const struct side *s)
{
#ifndef WOLFSSL_TLS13
    if (!may_be(s, "1.2"))
        die_cannot("version", "this build has no TLS 1.3");
#endif
#ifdef WOLFSSL_NO_TLS12
    if (!may_be(s, "1.3"))
        die_cannot("version", "this build has no TLS 1.2");
#endif
    if (s->cfg->mode == MODE_EARLY && !may_be(s, "1.3"))
        die_cannot("mode", "early data needs TLS 1.3");
#if !defined(WOLFSSL_EARLY_DATA) || !defined(HAVE_SESSION_TICKET)
    if (s->cfg->mode == MODE_EARLY)
        die_cannot("mode", "this build has no early data");
#endif
}

static void side_context(struct side *s)
{
    s->ctx = wolfSSL_CTX_new(side_method(s));
    if (!s->ctx)
        die_setup("wolfSSL_CTX_new: out of memory");
#if defined(OPENSSL_EXTRA) && !defined(WOLFSSL_NO_TLS12)
    if (s->version && strcmp(s->version, "1.2") == 0) {
        wolfSSL_CTX_SetMinVersion(s->ctx, WOLFSSL_TLSV1_2);
        wolfSSL_CTX_set_options(s->ctx, WOLFSSL_OP_NO_TLSv1_3);
    }
#endif
#ifdef HAVE_SESSION_TICKET
    if (!s->server && s->cfg->mode == MODE_RESUMED && may_be(s, "1.2"))
        wolfSSL_CTX_UseSessionTicket(s->ctx);
#ifndef NO_WOLFSSL_SERVER
    if (s->server && s->cfg->mode == MODE_FULL)
        wolfSSL_CTX_NoTicketTLSv12(s->ctx);
#endif
#endif
#if defined(WOLFSSL_EARLY_DATA) && defined(HAVE_SESSION_TICKET)
    if (s->server && s->cfg->mode == MODE_EARLY)
        wolfSSL_CTX_set_max_early_data(s->ctx, MAX_APP);
#endif
}

/* Reads the names of --group; a scratch context keeps the probe from the real. */
static void side_parse_groups(struct side *s)
{
    WOLFSSL_CTX *scratch = wolfSSL_CTX_new(wolfSSLv23_client_method());
    const char *list = s->cfg->group;
    char name[64];

    while (scratch && list_next(&list, name, sizeof name)) {
        const struct group *g = group_by_name(name);

        if (!g || !group_works(scratch, g))
            die_cannot("group", "this build has no %s", name);
        if (g->code >= FIRST_TLS13_GROUP && !may_be(s, "1.3"))
            die_cannot("group", "%s needs TLS 1.3 here", name);
        if (s->n_groups == WOLFSSL_MAX_GROUP_COUNT)
            die_cannot("group", "wolfSSL takes at most %d groups", WOLFSSL_MAX_GROUP_COUNT);
        s->groups[s->n_groups++] = g->code;
    }
    wolfSSL_CTX_free(scratch);
}

/* In TLS 1.2 a server takes any curve of the client that is not disabled;
 * set1_curves_list disables all others. */
static void side_limit_curves(struct side *s)
{
#if defined(OPENSSL_EXTRA) && defined(HAVE_ECC)
    static const struct { int code; const char *name; } curves[] = {
        {23, "P-256"}, {24, "P-384"}, {25, "P-521"}, {29, "X25519"}, {30, "X448"}};
    char list[64] = "";

    for (int i = 0; i < s->n_groups; i++)
        for (size_t j = 0; j < sizeof curves / sizeof *curves; j++)
            if (s->groups[i] == curves[j].code)
                snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ":" : "", curves[j].name);
    if (*list && wolfSSL_CTX_set1_curves_list(s->ctx, list) != WOLFSSL_SUCCESS)
        die_cannot("group", "this build cannot limit a TLS 1.2 server to %s", s->cfg->group);
#else
    if (!may_be(s, "1.3"))
        die_cannot("group", "this build cannot limit a TLS 1.2 server (configure --enable-opensslextra)");
#endif
}

static void side_groups(struct side *s)
{
    int ok = 1;

    if (!s->cfg->group)
        return;
    side_parse_groups(s);
    if (s->server && may_be(s, "1.2"))
        side_limit_curves(s);
#ifdef WOLFSSL_TLS13
    if (may_be(s, "1.3") || s->server)
        ok = wolfSSL_CTX_set_groups(s->ctx, s->groups, s->n_groups) == WOLFSSL_SUCCESS;
    else
#endif
        for (int i = 0; i < s->n_groups; i++)
            ok &= wolfSSL_CTX_UseSupportedCurve(s->ctx, (word16)s->groups[i]) == WOLFSSL_SUCCESS;
    if (!ok)
        die_cannot("group", "wolfSSL does not take the list %s", s->cfg->group);
}

/* Is the suite of the version, and with a PSK one for it? */
static int suite_fits(const struct side *s, const char *name)
{
    if (!may_be(s, suite_tls13(name) ? "1.3" : "1.2"))
        return 0;
    if (!s->psk)
        return 1;
    if (!suite_tls13(name))
        return strstr(name, "PSK_") != NULL;
    return strstr(name, "SHA256") && strcmp(name, "TLS_SHA256_SHA256") != 0;
}

/* What a PSK is offered with when no suites are asked for: no DHE_PSK, and
 * nothing that does not encrypt. */
static int suite_default_psk(const struct side *s, const char *name)
{
    return suite_fits(s, name) && !strstr(name, "TLS_DHE_") && !strstr(name, "_WITH_NULL_");
}

static void suites_append(char *joined, size_t size, const char *name)
{
    size_t len = strlen(joined);

    snprintf(joined + len, size - len, "%s%s", len ? ":" : "", name);
}

/* The suites asked for, joined by colons, each checked. */
static void suites_asked(const struct side *s, const char *const *have, char *joined, size_t size)
{
    const char *list = s->cfg->suite;
    char name[64];

    while (list_next(&list, name, sizeof name)) {
        size_t i = 0;

        while (have[i] && strcmp(have[i], name) != 0)
            i++;
        if (!have[i])
            die_cannot("suite", "this build has no %s", name);
        if (!suite_fits(s, name))
            die_cannot("suite", "%s does not go with %s", name,
                       s->psk ? "a pre-shared key (SHA-256) of this version" : "this version");
        suites_append(joined, size, name);
    }
}

/* A server has suites with DHE only when it has been given a group for them. */
static void side_dh(struct side *s)
{
#if !defined(NO_DH) && defined(HAVE_FFDHE_2048)
    const DhParams *dh = wc_Dh_ffdhe2048_Get();

    if (s->server && s->cfg->suite && strstr(s->cfg->suite, "TLS_DHE_"))
        wolfSSL_CTX_SetTmpDH(s->ctx, dh->p, (int)dh->p_len, dh->g, (int)dh->g_len);
#else
    (void)s;
#endif
}

static void side_suites(struct side *s)
{
    const char *have[MAX_SUITES];
    char joined[4096] = "";

    if (!s->cfg->suite && !s->psk)
        return;
    suite_list(have);
    suites_asked(s, have, joined, sizeof joined);
    for (size_t i = 0; !s->cfg->suite && have[i]; i++)
        if (suite_default_psk(s, have[i]))
            suites_append(joined, sizeof joined, have[i]);
    if (wolfSSL_CTX_set_cipher_list(s->ctx, joined) != WOLFSSL_SUCCESS)
        die_cannot("suite", "wolfSSL does not take the list %s", joined);
    side_dh(s);
}

#ifndef NO_PSK
/* The suite that an external PSK of TLS 1.3 belongs to, in wolfSSL's spelling:
 * the first one asked for that has SHA-256. */
static const char *psk_suite(const struct side *s)
{
    const char *list = s->cfg->suite ? s->cfg->suite : "TLS_AES_128_GCM_SHA256";
    char name[64];

    while (list_next(&list, name, sizeof name))
        for (unsigned char i = 1; i <= 5; i++) {
            const char *iana = wolfSSL_get_cipher_name_iana_from_suite(0x13, i);

            if (iana && strcmp(iana, name) == 0 && strstr(iana, "SHA256"))
                return wolfSSL_get_cipher_name_from_suite(0x13, i);
        }
    return NULL;
}

static unsigned int psk_copy(WOLFSSL *ssl, unsigned char *key, unsigned int max, struct side **side)
{
    struct side *s = *side = wolfSSL_get_psk_callback_ctx(ssl);

    if (s->cfg->psk_len > max)
        return 0;
    memcpy(key, s->cfg->psk, s->cfg->psk_len);
    return (unsigned int)s->cfg->psk_len;
}

static unsigned int psk_client(WOLFSSL *ssl, const char *hint, char *identity, unsigned int id_max,
                               unsigned char *key, unsigned int max)
{
    struct side *s;
    unsigned int n = psk_copy(ssl, key, max, &s);

    (void)hint;
    return snprintf(identity, id_max, "%s", s->cfg->psk_identity) < (int)id_max ? n : 0;
}

static unsigned int psk_server(WOLFSSL *ssl, const char *identity, unsigned char *key, unsigned int max)
{
    struct side *s;
    unsigned int n = psk_copy(ssl, key, max, &s);

    return strcmp(identity, s->cfg->psk_identity) == 0 ? n : 0;
}

#ifdef WOLFSSL_TLS13
static unsigned int psk_client_tls13(WOLFSSL *ssl, const char *hint, char *identity, unsigned int id_max,
                                     unsigned char *key, unsigned int max, const char **suite)
{
    struct side *s = wolfSSL_get_psk_callback_ctx(ssl);

    *suite = s->psk_suite;
    return psk_client(ssl, hint, identity, id_max, key, max);
}

static unsigned int psk_server_tls13(WOLFSSL *ssl, const char *identity, unsigned char *key, unsigned int max,
                                     const char **suite)
{
    struct side *s = wolfSSL_get_psk_callback_ctx(ssl);

    *suite = s->psk_suite;
    return psk_server(ssl, identity, key, max);
}
#endif
#endif

static void side_psk(struct side *s)
{
#ifdef NO_PSK
    if (s->psk)
        die_cannot("auth", "this build has no pre-shared keys");
#else
    if (!s->psk)
        return;
    s->psk_suite = psk_suite(s);
    wolfSSL_CTX_set_psk_callback_ctx(s->ctx, s);
    if (s->server)
        wolfSSL_CTX_set_psk_server_callback(s->ctx, psk_server);
    else
        wolfSSL_CTX_set_psk_client_callback(s->ctx, psk_client);
#ifdef WOLFSSL_TLS13
    if (s->psk_suite && s->server)
        wolfSSL_CTX_set_psk_server_tls13_callback(s->ctx, psk_server_tls13);
    else if (s->psk_suite)
        wolfSSL_CTX_set_psk_client_tls13_callback(s->ctx, psk_client_tls13);
#endif
#endif
}

static void side_own(WOLFSSL_CTX *ctx, const struct config *cfg)
{
    if (wolfSSL_CTX_use_certificate_chain_file(ctx, cfg->cert) != WOLFSSL_SUCCESS)
        die_setup("certificate %s: wolfSSL does not read it", cfg->cert);
    if (wolfSSL_CTX_use_PrivateKey_file(ctx, cfg->key, WOLFSSL_FILETYPE_PEM) != WOLFSSL_SUCCESS)
        die_setup("key %s: wolfSSL does not read it", cfg->key);
#ifndef NO_CHECK_PRIVATE_KEY
    if (wolfSSL_CTX_check_private_key(ctx) != WOLFSSL_SUCCESS)
        die_setup("key %s is not that of certificate %s", cfg->key, cfg->cert);
#endif
}

/* Own chain and key, and the root to verify the peer against. */
static void side_certificates(struct side *s)
{
    const struct config *cfg = s->cfg;
    int verify = s->server ? cfg->mutual : !cfg->insecure;

    if (cfg->auth && !auth_works(cfg->auth))
        die_cannot("auth", "this build has no %s", cfg->auth);
    if (cfg->auth && strncmp(cfg->auth, "mldsa", 5) == 0 && !may_be(s, "1.3"))
        die_cannot("auth", "%s needs TLS 1.3", cfg->auth);
#ifdef WOLFSSL_NO_CLIENT_AUTH
    if (cfg->mutual)
        die_cannot("mutual", "this build has no client certificates");
#endif
    if (cfg->cert && (s->server ? !s->psk : cfg->mutual))
        side_own(s->ctx, cfg);
    if (verify && cfg->ca && wolfSSL_CTX_load_verify_locations(s->ctx, cfg->ca, NULL) != WOLFSSL_SUCCESS)
        die_setup("root %s: wolfSSL does not read it", cfg->ca);
    wolfSSL_CTX_set_verify(s->ctx, !verify ? WOLFSSL_VERIFY_NONE
                           : s->server ? WOLFSSL_VERIFY_PEER | WOLFSSL_VERIFY_FAIL_IF_NO_PEER_CERT
                                       : WOLFSSL_VERIFY_PEER, NULL);
}

static void side_names(struct side *s)
{
#ifdef HAVE_SNI
    const char *name = s->cfg->server_name;

    if (!s->server &&
        wolfSSL_CTX_UseSNI(s->ctx, WOLFSSL_SNI_HOST_NAME, name, (word16)strlen(name)) != WOLFSSL_SUCCESS)
        die_setup("server name \"%s\": wolfSSL does not take it", name);
#else
    (void)s;
#endif
}

static struct side *side_new(const struct config *cfg, int server)
{
    struct side *s = calloc(1, sizeof *s);

    if (!s || wolfSSL_Init() != WOLFSSL_SUCCESS)
        die_setup("wolfSSL_Init failed");
    s->cfg = cfg;
    s->server = server;
    s->psk = cfg->auth ? strcmp(cfg->auth, "psk") == 0 : cfg->psk_len > 0;
    s->version = side_version(cfg);
    side_check_version(s);
    side_context(s);
    side_psk(s);
    side_certificates(s);
    side_groups(s);
    side_suites(s);
    side_names(s);
    side_watch(s);
    side_keylog(s);
    return s;
}

#endif
