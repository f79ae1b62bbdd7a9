/* gnutls_probe.h: what the library as loaded can do, found out by handshakes in
 * memory between two sides of this driver. Suites of TLS 1.2 alone are taken
 * from its priorities: a handshake for each would take seconds on a small board.
 */
#ifndef SHAKEDOWN_GNUTLS_PROBE_H
#define SHAKEDOWN_GNUTLS_PROBE_H

#define TRIAL_PIPE (64 << 10) /* bytes */

/* A handshake to try: the two ends' flags, a key for certificates, the outcome. */
struct trial {
    struct config client, server;
    gnutls_x509_privkey_t key;
    gnutls_x509_crt_t crt;
    struct pipe_buf up, down;
    struct side *sides[2];
    struct proof proof; /* the client's */
};

/* Flags of a trial: TLS 1.3 with a PSK, which needs no certificate. */
static const struct config trial_psk = {
    .version = "1.3", .auth = "psk", .psk = "shakedown trial", .psk_len = 16, .psk_identity = "trial",
    .server_name = "localhost", .insecure = 1,
};

/* The same with the certificate of the trial. */
static const struct config trial_cert = {.version = "1.3", .server_name = "localhost", .insecure = 1};

/* Gives early data away: only whether they were accepted counts. */
static void trial_got(void *arg, const void *data, size_t n, const void **reply, size_t *reply_len)
{
    (void)arg;
    (void)data;
    (void)n;
    (void)reply;
    (void)reply_len;
}

/* Steps both ends in turn until both are done. */
static int trial_shake(struct conn *client, struct conn *server)
{
    struct early_sink sink = {NULL, trial_got};
    enum step a = AGAIN, b = AGAIN;

    for (int i = 0; i < 64 && (a == AGAIN || b == AGAIN); i++) {
        if (a == AGAIN)
            a = conn_handshake(client);
        if (b == AGAIN)
            b = conn_handshake_early(server, &sink);
        if (a == FAILED || b == FAILED)
            return 0;
    }
    return a == DONE && b == DONE;
}

/* One connection between the sides: handshake, one byte each way, the session kept. */
static int trial_once(struct trial *t, int early)
{
    struct transport to_server = {-1, &t->down, &t->up}, to_client = {-1, &t->up, &t->down};
    struct conn *client, *server;
    char byte = 'x';
    int ok;

    t->up.head = t->up.tail = t->down.head = t->down.tail = 0;
    client = conn_new(t->sides[0], &to_server);
    server = conn_new(t->sides[1], &to_client);
    ok = client && server && (!early || conn_early_send(client, &byte, 1) == DONE) && trial_shake(client, server);
    ok = ok && conn_write(server, &byte, 1) == 1 && conn_read(client, &byte, 1) == 1 &&
         conn_write(client, &byte, 1) == 1 && conn_read(server, &byte, 1) == 1;
    t->proof.early = UNKNOWN;
    if (ok) {
        conn_proof(client, &t->proof);
        conn_save_session(client);
    }
    if (client)
        conn_free(client, 0);
    if (server)
        conn_free(server, 0);
    return ok;
}

/* Gives the trial's certificate to a side, which trusts it, too. */
static int trial_install(const struct trial *t, struct side *s)
{
    gnutls_x509_crt_t crt = t->crt;

    if (!s->cert)
        return 1;
    return t->crt && gnutls_certificate_set_x509_trust(s->cert, &crt, 1) == 1 &&
           gnutls_certificate_set_x509_key(s->cert, &crt, 1, t->key) >= 0;
}

/* Does it work? With resumptions > 0 so many more connections follow the first,
 * the last with early data when the mode is early-data. */
static int trial_run(struct trial *t, int resumptions)
{
    struct refusal r = {0};
    int ok;

    t->sides[0] = side_make(&t->client, 0, &r);
    t->sides[1] = side_make(&t->server, 1, &r);
    ok = t->sides[0] && t->sides[1] && trial_install(t, t->sides[0]) && trial_install(t, t->sides[1]) &&
         trial_once(t, 0);
    while (ok && resumptions-- > 0)
        ok = side_has_session(t->sides[0]) && trial_once(t, t->client.mode == MODE_EARLY);
    for (int i = 0; i < 2; i++)
        if (t->sides[i])
            side_free(t->sides[i]);
    return ok;
}

/* A fresh key of this kind. */
static int trial_keygen(struct trial *t, gnutls_pk_algorithm_t pk, unsigned bits)
{
    return pk != GNUTLS_PK_UNKNOWN && gnutls_x509_privkey_init(&t->key) == 0 &&
           gnutls_x509_privkey_generate(t->key, pk, bits, 0) == 0;
}

/* A certificate of the key by itself, for a day. */
static int trial_certify(struct trial *t)
{
    static const unsigned char serial = 1;
    gnutls_digest_algorithm_t digest = GNUTLS_DIG_SHA256;
    gnutls_pubkey_t public = NULL;
    time_t now = time(NULL);
    int ok = gnutls_x509_crt_init(&t->crt) == 0 && gnutls_pubkey_init(&public) == 0;

    ok = ok && gnutls_x509_crt_set_version(t->crt, 3) == 0 && gnutls_x509_crt_set_serial(t->crt, &serial, 1) == 0 &&
         gnutls_x509_crt_set_activation_time(t->crt, now - 3600) == 0 &&
         gnutls_x509_crt_set_expiration_time(t->crt, now + 86400) == 0 &&
         gnutls_x509_crt_set_dn(t->crt, "CN=localhost", NULL) == 0 && gnutls_x509_crt_set_key(t->crt, t->key) == 0 &&
         gnutls_pubkey_import_x509(public, t->crt, 0) == 0 &&
         gnutls_pubkey_get_preferred_hash_algorithm(public, &digest, NULL) == 0 &&
         gnutls_x509_crt_sign2(t->crt, t->crt, t->key, digest, 0) == 0;
    if (public)
        gnutls_pubkey_deinit(public);
    return ok;
}

static void trial_forget(struct trial *t)
{
    if (t->key)
        gnutls_x509_privkey_deinit(t->key);
    if (t->crt)
        gnutls_x509_crt_deinit(t->crt);
    t->key = NULL;
    t->crt = NULL;
}

/* Sets the flags of both ends. */
static void trial_both(struct trial *t, struct config cfg)
{
    t->client = t->server = cfg;
}

/* ---- the lists of info ------------------------------------------------- */

#define MAX_NAMES 256

struct names {
    const char *at[MAX_NAMES + 1]; /* NULL terminated */
    size_t n;
};

static int names_have(const struct names *l, const char *name)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->at[i], name) == 0)
            return 1;
    return 0;
}

static void names_add(struct names *l, const char *name)
{
    if (l->n < MAX_NAMES && !names_have(l, name))
        l->at[l->n++] = name;
}

static void probe_versions(struct trial *t)
{
    static const char *const versions[] = {"1.2", "1.3"};
    struct names l = {0};

    for (size_t i = 0; i < 2; i++) {
        trial_both(t, trial_psk);
        t->client.version = t->server.version = versions[i];
        if (trial_run(t, 0) && strcmp(t->proof.version, versions[i]) == 0)
            names_add(&l, versions[i]);
    }
    info_list("versions", l.at);
}

/* Does a key exchange with this group work, in either version? */
static int group_works(struct trial *t, const char *name)
{
    struct config cfg = trial_psk;

    cfg.group = name;
    trial_both(t, cfg);
    if (trial_run(t, 0))
        return strcmp(t->proof.group, name) == 0;
    t->client.version = t->server.version = "1.2";
    return trial_run(t, 0) && strcmp(t->proof.group, name) == 0;
}

/* The larger FFDHE groups are numbers to the library, and slow: where one works
 * and the library enables another (usual), that is not tried apart. */
static void probe_group(struct trial *t, struct names *l, gnutls_group_t group, int usual)
{
    const char *name = group_iana(group);

    if (!name || names_have(l, name))
        return;
    if ((usual && strncmp(name, "ffdhe", 5) == 0 && names_have(l, "ffdhe2048")) || group_works(t, name))
        names_add(l, name);
}

/* The library's default order first, then what it has besides. */
static void probe_groups(struct trial *t)
{
    const gnutls_group_t *all = gnutls_group_list();
    const unsigned *usual = NULL;
    struct names l = {0};
    gnutls_priority_t cache;
    int n = 0;

    if (gnutls_priority_init(&cache, "NORMAL", NULL) == 0) {
        n = gnutls_priority_group_list(cache, &usual);
        for (int i = 0; i < n; i++)
            probe_group(t, &l, (gnutls_group_t)usual[i], 1);
        gnutls_priority_deinit(cache);
    }
    for (; *all; all++)
        probe_group(t, &l, *all, 0);
    info_list("groups", l.at);
    if (!names_have(&l, "X25519MLKEM768"))
        info_cannot("X25519MLKEM768", "this build of GnuTLS has no ML-KEM");
}

/* A suite of TLS 1.3 works when a handshake ends with it. */
static int suite_works(struct trial *t, const struct suite *s)
{
    struct config cfg = trial_cert;
    struct refusal r;
    gnutls_priority_t cache;

    cfg.suite = s->iana;
    if (s->tls13) {
        trial_both(t, cfg);
        return trial_run(t, 0) && strcmp(t->proof.suite, s->iana) == 0;
    }
    cfg.version = "1.2";
    cache = priority_new(&cfg, NULL, &r);
    if (!cache)
        return 0;
    gnutls_priority_deinit(cache);
    return 1;
}

static void probe_suite(struct trial *t, struct names *l, const struct suite *s)
{
    static char kept[MAX_NAMES][sizeof s->iana];

    if (!s->usable || names_have(l, s->iana) || l->n == MAX_NAMES || !suite_works(t, s))
        return;
    memcpy(kept[l->n], s->iana, sizeof s->iana);
    names_add(l, kept[l->n]);
}

static void probe_suites(struct trial *t)
{
    struct names l = {0};
    struct suite s;
    gnutls_priority_t cache;

    if (gnutls_priority_init(&cache, "NORMAL", NULL) == 0) {
        for (int tls13 = 1; tls13 >= 0; tls13--)
            for (unsigned i = 0; next_allowed(cache, &i, tls13, &s);)
                probe_suite(t, &l, &s);
        gnutls_priority_deinit(cache);
    }
    for (size_t i = 0; suite_at(i, &s); i++)
        probe_suite(t, &l, &s);
    info_list("suites", l.at);
}

/* What certificates and a PSK can prove. The length of an RSA key is a number to
 * the library: RSA-3072 is not tried apart, as making the key takes long. */
static void probe_auths(struct trial *t, int psk)
{
    static const struct {
        const char *auth;
        gnutls_pk_algorithm_t pk; /* unknown here: found by name */
        unsigned bits;
    } kinds[] = {
        {"ecdsa-p256", GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1)},
        {"ecdsa-p384", GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP384R1)},
        {"ed25519", GNUTLS_PK_EDDSA_ED25519, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_ED25519)},
        {"rsa-2048", GNUTLS_PK_RSA, 2048},
        {"mldsa44", GNUTLS_PK_UNKNOWN, 0}, {"mldsa65", GNUTLS_PK_UNKNOWN, 0}, {"mldsa87", GNUTLS_PK_UNKNOWN, 0},
    };
    struct names l = {0};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct config cfg = trial_cert;
        const char *mldsa = mldsa_name(kinds[i].auth);

        cfg.auth = kinds[i].auth;
        trial_both(t, cfg);
        if (trial_keygen(t, mldsa ? gnutls_pk_get_id(mldsa) : kinds[i].pk, kinds[i].bits) && trial_certify(t) &&
            trial_run(t, 0))
            names_add(&l, cfg.auth);
        else
            info_cannot(cfg.auth, "this build of GnuTLS cannot sign with such a key");
        if (kinds[i].pk == GNUTLS_PK_RSA && names_have(&l, "rsa-2048"))
            names_add(&l, "rsa-3072");
        trial_forget(t);
    }
    if (psk)
        names_add(&l, "psk");
    info_list("auths", l.at);
}

static void probe_modes(struct trial *t)
{
    struct names l = {{"full"}, 1};
    struct config cfg = trial_cert;

    cfg.mode = MODE_RESUMED;
    trial_both(t, cfg);
    if (trial_run(t, 1) && t->proof.resumed)
        names_add(&l, "resumed");
    else
        info_cannot("resumed", "a session is not resumed in this build");
    cfg.mode = MODE_EARLY;
    trial_both(t, cfg);
    if (trial_run(t, 1) && t->proof.early == YES)
        names_add(&l, "early-data");
    else
        info_cannot("early-data", "early data is not accepted in this build");
    info_cannot("early-response", "a GnuTLS server hands early data over, and can answer, "
                                  "only after the client's Finished");
    info_list("modes", l.at);
}

static int probe_mutual(struct trial *t)
{
    struct config cfg = trial_cert;

    cfg.mutual = 1;
    trial_both(t, cfg);
    return trial_run(t, 0) && t->proof.mutual == YES;
}

/* A HelloRetryRequest, and one in answer to early data (RFC 8446 4.2.10). */
static int probe_retry(struct trial *t)
{
    struct config cfg = trial_cert;
    int works;

    cfg.group = "x25519,secp256r1";
    trial_both(t, cfg);
    t->server.group = "secp256r1";
    works = trial_run(t, 0) && t->proof.hello_retry == YES;
    t->client.mode = t->server.mode = MODE_EARLY;
    if (works && !trial_run(t, 1))
        info_cannot("early-data-retry", "in GnuTLS a handshake fails when early data meets a HelloRetryRequest");
    return works;
}

static int trial_alloc(struct trial *t)
{
    t->up = (struct pipe_buf){.data = calloc(1, TRIAL_PIPE), .cap = TRIAL_PIPE};
    t->down = (struct pipe_buf){.data = calloc(1, TRIAL_PIPE), .cap = TRIAL_PIPE};
    return t->up.data && t->down.data;
}

static void stack_info(void)
{
    static struct trial t;
    int psk;

    if (!trial_alloc(&t))
        die_setup("out of memory");
    probe_versions(&t);
    trial_both(&t, trial_psk);
    psk = trial_run(&t, 0) && t.proof.psk == YES;
    probe_groups(&t);
    probe_auths(&t, psk);
    if (!trial_keygen(&t, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1)) || !trial_certify(&t))
        die_setup("this build of GnuTLS makes no P-256 certificate");
    probe_suites(&t);
    probe_modes(&t);
    info_bool("mutual", probe_mutual(&t));
    info_bool("hello_retry", probe_retry(&t));
    trial_forget(&t);
    free(t.up.data);
    free(t.down.data);
}

#endif
