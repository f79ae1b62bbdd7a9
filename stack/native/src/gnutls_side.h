/* gnutls_side.h: one end's context: priorities, credentials, tickets. */
#ifndef SHAKEDOWN_GNUTLS_SIDE_H
#define SHAKEDOWN_GNUTLS_SIDE_H

#include <time.h>

/* ClientHellos with early data that were seen: the end of their PSK binder,
 * which is a MAC and so spreads evenly, and when it may be forgotten. */
#define SEEN_SLOTS 65536
#define SEEN_PROBES 64
struct seen {
    uint64_t tag;
    time_t until;
};

struct conn {
    gnutls_session_t session;
    struct side *side;
    struct transport transport;
    int err;     /* last error of the library, 0 when the peer ended */
    int sys;     /* errno beside it */
    int alert;   /* the alert sent for it, or -1 */
    int retried; /* a HelloRetryRequest was sent or received */
    int starved; /* memory transport: the pipe was empty or full */
    int offered; /* early data was sent */
    int bye;     /* close_notify was sent */
};

/* A side has one connection at a time, so it holds its memory. */
struct side {
    const struct config *cfg;
    int server;
    gnutls_priority_t priority;
    gnutls_certificate_credentials_t cert; /* NULL with a PSK */
    gnutls_psk_client_credentials_t psk_client;
    gnutls_psk_server_credentials_t psk_server;
    gnutls_datum_t ticket_key; /* server */
    gnutls_anti_replay_t replay;
    struct seen *seen;
    gnutls_datum_t session; /* client: the newest, in the library's form */
    int single_use, used;   /* it is a TLS 1.3 ticket; it was offered */
    struct conn conn;
    unsigned char early[MAX_APP];
};

/* GnuTLS's name of ML-DSA for an authentication name, or NULL. */
static const char *mldsa_name(const char *auth)
{
    static const char *const names[] = {"ML-DSA-44", "ML-DSA-65", "ML-DSA-87"};

    for (size_t i = 0; auth && i < sizeof names / sizeof *names; i++)
        if (same_name(names[i], auth))
            return names[i];
    return NULL;
}

/* Can this build make a key of this kind? Some know the name alone. */
static int key_works(const char *name)
{
    gnutls_pk_algorithm_t pk = gnutls_pk_get_id(name);
    gnutls_x509_privkey_t key;
    int ret;

    if (pk == GNUTLS_PK_UNKNOWN || gnutls_x509_privkey_init(&key) < 0)
        return 0;
    ret = gnutls_x509_privkey_generate(key, pk, 0, 0);
    gnutls_x509_privkey_deinit(key);
    return ret >= 0;
}

/* GnuTLS asks for a PSK by identity; the key it is given is freed by it. */
static int psk_find(gnutls_session_t session, const gnutls_datum_t *identity, gnutls_datum_t *key)
{
    const struct conn *c = gnutls_session_get_ptr(session);
    const struct config *cfg = c->side->cfg;

    if (identity->size != strlen(cfg->psk_identity) || memcmp(identity->data, cfg->psk_identity, identity->size))
        return -1;
    key->data = gnutls_malloc(cfg->psk_len);
    if (!key->data)
        return -1;
    key->size = (unsigned)cfg->psk_len;
    memcpy(key->data, cfg->psk, cfg->psk_len);
    return 0;
}

/* DHE for clients of TLS 1.2 that do not name groups (RFC 7919) takes the DH
 * parameters of the credentials; where groups were asked for there are none. */
static int side_psk(struct side *s)
{
    const struct config *cfg = s->cfg;
    gnutls_datum_t identity = {(unsigned char *)cfg->psk_identity, (unsigned)strlen(cfg->psk_identity)};
    gnutls_datum_t key = {(unsigned char *)cfg->psk, (unsigned)cfg->psk_len};
    int ret;

    if (!s->server) {
        ret = gnutls_psk_allocate_client_credentials(&s->psk_client);
        return ret < 0 ? ret : gnutls_psk_set_client_credentials2(s->psk_client, &identity, &key, GNUTLS_PSK_KEY_RAW);
    }
    ret = gnutls_psk_allocate_server_credentials(&s->psk_server);
    if (ret < 0)
        return ret;
    gnutls_psk_set_server_credentials_function2(s->psk_server, psk_find);
    return cfg->group ? 0 : gnutls_psk_set_server_known_dh_params(s->psk_server, GNUTLS_SEC_PARAM_MEDIUM);
}

static int side_cert(struct side *s, struct refusal *r)
{
    const struct config *cfg = s->cfg;
    int ret = gnutls_certificate_allocate_credentials(&s->cert);

    if (ret < 0)
        return refuse(r, NULL, "credentials: %s", gnutls_strerror(ret));
    if (cfg->cert && (s->server || cfg->mutual)) {
        ret = gnutls_certificate_set_x509_key_file(s->cert, cfg->cert, cfg->key, GNUTLS_X509_FMT_PEM);
        if (ret < 0)
            return refuse(r, NULL, "%s and %s: %s", cfg->cert, cfg->key, gnutls_strerror(ret));
    }
    if (s->server && !cfg->group)
        gnutls_certificate_set_known_dh_params(s->cert, GNUTLS_SEC_PARAM_MEDIUM);
    if (cfg->ca && (!s->server || cfg->mutual)) {
        ret = gnutls_certificate_set_x509_trust_file(s->cert, cfg->ca, GNUTLS_X509_FMT_PEM);
        if (ret <= 0)
            return refuse(r, NULL, "%s: %s", cfg->ca, ret < 0 ? gnutls_strerror(ret) : "no certificate in it");
    }
    return 1;
}

/* Notes an early ClientHello, or says that it was seen before. When all places
 * for it are taken it refuses the early data, so that none is forgotten. */
static int seen_add(void *arg, time_t until, const gnutls_datum_t *key, const gnutls_datum_t *data)
{
    struct seen *seen = arg, *room = NULL;
    time_t now = time(NULL);
    uint64_t tag;

    (void)data;
    memcpy(&tag, key->data + key->size - sizeof tag, sizeof tag);
    for (size_t i = 0; i < SEEN_PROBES; i++) {
        struct seen *slot = &seen[(tag + i) % SEEN_SLOTS];

        if (slot->until < now)
            room = room ? room : slot;
        else if (slot->tag == tag)
            return GNUTLS_E_DB_ENTRY_EXISTS;
    }
    if (!room)
        return GNUTLS_E_DB_ERROR;
    *room = (struct seen){tag, until};
    return 0;
}

/* What a server needs to resume sessions and to take early data. */
static int side_tickets(struct side *s)
{
    int ret = gnutls_session_ticket_key_generate(&s->ticket_key);

    if (ret < 0 || s->cfg->mode != MODE_EARLY)
        return ret;
    s->seen = calloc(SEEN_SLOTS, sizeof *s->seen);
    if (!s->seen)
        return GNUTLS_E_MEMORY_ERROR;
    ret = gnutls_anti_replay_init(&s->replay);
    if (ret < 0)
        return ret;
    gnutls_anti_replay_set_add_function(s->replay, seen_add);
    gnutls_anti_replay_set_ptr(s->replay, s->seen);
    return 0;
}

static void side_free(struct side *s)
{
    if (s->priority)
        gnutls_priority_deinit(s->priority);
    if (s->cert)
        gnutls_certificate_free_credentials(s->cert);
    if (s->psk_client)
        gnutls_psk_free_client_credentials(s->psk_client);
    if (s->psk_server)
        gnutls_psk_free_server_credentials(s->psk_server);
    if (s->replay)
        gnutls_anti_replay_deinit(s->replay);
    gnutls_free(s->ticket_key.data);
    gnutls_free(s->session.data);
    free(s->seen);
    free(s);
}

/* A side, or NULL and why not. */
static struct side *side_make(const struct config *cfg, int server, struct refusal *r)
{
    struct side *s = calloc(1, sizeof *s);
    const char *mldsa = mldsa_name(cfg->auth);
    int ret = 0, made;

    if (!s) {
        refuse(r, NULL, "out of memory");
        return NULL;
    }
    s->cfg = cfg;
    s->server = server;
    if (mldsa && !key_works(mldsa))
        made = refuse(r, "auth", "this build of GnuTLS has no %s", mldsa);
    else
        made = (s->priority = priority_new(cfg, mldsa, r)) != NULL;
    if (made && uses_psk(cfg))
        ret = side_psk(s);
    else if (made)
        made = side_cert(s, r);
    if (made && ret == 0 && server && cfg->mode != MODE_FULL)
        ret = side_tickets(s);
    if (made && ret == 0)
        return s;
    if (made)
        refuse(r, NULL, "%s", gnutls_strerror(ret));
    side_free(s);
    return NULL;
}

static struct side *side_new(const struct config *cfg, int server)
{
    struct refusal r = {0};
    struct side *s = side_make(cfg, server, &r);

    if (!s && r.what)
        die_cannot(r.what, "%s", r.why);
    if (!s)
        die_setup("%s", r.why);
    return s;
}

static int side_has_session(struct side *s)
{
    return s->session.data && !(s->single_use && s->used);
}

#endif
