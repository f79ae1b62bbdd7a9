/* openssl.c: the driver for OpenSSL 1.1.1 and later.
 *
 * Sessions, tickets and buffers are left at OpenSSL's defaults, for that is
 * what its users have: a TLS 1.3 server sends two tickets after a full
 * handshake and one after a resumed one, in every mode. Its protection against
 * replay stays on too, so a server that takes early data keeps its sessions.
 * Only a server for full handshakes of TLS 1.2 sends no ticket: there it would
 * be a message of the handshake that other stacks do not send, and nobody uses.
 */
#define STACK_DRAINS
#include "driver.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <errno.h>
#include <strings.h>

#include "openssl_probe.h"

/* One connection at a time: it lives in its side, so nothing is allocated. */
struct conn {
    SSL *ssl;
    struct side *side;
    int offered; /* a session was offered */
    int psk;     /* the external key was offered (client) or found (server) */
    int retry;   /* a HelloRetryRequest was seen */
    int alert;   /* the last alert sent, or -1 */
    int error, saved_errno; /* SSL_get_error and errno of the call that failed */
};

struct side {
    const struct config *cfg;
    int server;
    SSL_CTX *ctx;
    BIO_METHOD *pipe;
    SSL_SESSION *session; /* to offer next */
    SSL_SESSION *psk;
    struct conn conn;
};

/* "3.5.4" out of "OpenSSL 3.5.4 30 Sep 2025". */
static const char *second_word(const char *text, char *buf, size_t size)
{
    const char *from = strchr(text, ' ');

    snprintf(buf, size, "%.*s", from ? (int)strcspn(from + 1, " ") : 0, from ? from + 1 : "");
    return buf;
}

static const char *stack_name(void)
{
    return "openssl";
}

static const char *stack_library(void)
{
    return OpenSSL_version(OPENSSL_VERSION);
}

static const char *stack_version(void)
{
    static char buf[32];

    return second_word(stack_library(), buf, sizeof buf);
}

static const char *stack_headers(void)
{
    static char buf[32];

    return second_word(OPENSSL_VERSION_TEXT, buf, sizeof buf);
}

/* The library's words for the oldest error in its queue. */
static const char *ssl_words(void)
{
    unsigned long e = ERR_peek_error();
    const char *words = ERR_GET_LIB(e) == ERR_LIB_SYS ? strerror(ERR_GET_REASON(e)) : ERR_reason_error_string(e);

    return words ? words : "no reason given";
}

/* ---- context ----------------------------------------------------------- */

static void set_version(SSL_CTX *ctx, const char *version)
{
    if (version && !has_version(ctx, strcmp(version, "1.3") == 0 ? TLS1_3_VERSION : TLS1_2_VERSION))
        die_cannot("version", "this build has no TLS %s", version);
}

/* TLS 1.2 takes an ECDSA certificate only when its curve is among the groups of
 * both sides (RFC 8422 §5.1.1), so it goes last into a list that lacks it. */
static const char *certificate_curve(const struct config *cfg)
{
    const char *curve = !cfg->auth ? "" : strcmp(cfg->auth, "ecdsa-p256") == 0 ? "secp256r1"
                      : strcmp(cfg->auth, "ecdsa-p384") == 0 ? "secp384r1" : "";

    return cfg->version && strcmp(cfg->version, "1.2") == 0 && !strstr(cfg->group, curve) ? curve : "";
}

/* The list as OpenSSL writes it. Without its prefix "*" for key shares, the
 * first group gets the only one. */
static void set_groups(SSL_CTX *ctx, const struct config *cfg)
{
    char name[64], all[1024] = "", wanted[1024];
    const char *list = wanted, *curve = certificate_curve(cfg);
    size_t len = 0;

    snprintf(wanted, sizeof wanted, "%s%s%s", cfg->group, *curve ? "," : "", curve);
    while (list_next(&list, name, sizeof name)) {
        const struct group *g = find_group(name);

        if (!g || SSL_CTX_set1_groups_list(ctx, g->openssl) != 1)
            die_cannot("group", "this build has no %s", name);
        len += (size_t)snprintf(all + len, sizeof all - len, "%s%s", len ? ":" : "", g->openssl);
        if (len >= sizeof all)
            die_cannot("group", "the list is too long");
    }
    if (SSL_CTX_set1_groups_list(ctx, all) != 1)
        die_cannot("group", "OpenSSL refuses the list %s: %s", all, ssl_words());
}

/* A suite below 112 bits, as later releases rate the CCM_8 ones, is refused at
 * the default security level. It is lowered only where such a suite is asked
 * for, and said. */
static void allow_weak(SSL_CTX *ctx, const char *iana)
{
    const SSL_CIPHER *c = find_cipher(ctx, iana);

    if (!c || SSL_CIPHER_get_bits(c, NULL) >= 112 || SSL_CTX_get_security_level(ctx) == 0)
        return;
    fprintf(stderr, "openssl: note: %s needs security level 0\n", iana);
    SSL_CTX_set_security_level(ctx, 0);
}

/* Offers or accepts exactly these: TLS 1.3 suites, TLS 1.2 suites, or both. */
static void set_suites(SSL_CTX *ctx, const struct config *cfg)
{
    char name[64], v13[512] = "", v12[4096] = "";
    const char *list = cfg->suite;

    while (list_next(&list, name, sizeof name)) {
        char *to = is_suite13(name) ? v13 : v12;
        size_t size = is_suite13(name) ? sizeof v13 : sizeof v12, len = strlen(to);

        if (!has_suite(ctx, name))
            die_cannot("suite", "this build has no %s", name);
        if (cfg->version && is_suite13(name) != (strcmp(cfg->version, "1.3") == 0))
            die_cannot("suite", "%s is not a suite of TLS %s", name, cfg->version);
        allow_weak(ctx, name);
        snprintf(to + len, size - len, "%s%s", len ? ":" : "", OPENSSL_cipher_name(name));
    }
    SSL_CTX_set_ciphersuites(ctx, v13);
    if (*v12)
        SSL_CTX_set_cipher_list(ctx, v12);
    if (!*v12)
        SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION);
    if (!*v13)
        SSL_CTX_set_max_proto_version(ctx, TLS1_2_VERSION);
}

static void set_certificate(SSL_CTX *ctx, const struct config *cfg)
{
    if (SSL_CTX_use_certificate_chain_file(ctx, cfg->cert) != 1)
        die_setup("certificate %s: %s", cfg->cert, ssl_words());
    if (SSL_CTX_use_PrivateKey_file(ctx, cfg->key, SSL_FILETYPE_PEM) != 1)
        die_setup("key %s: %s", cfg->key, ssl_words());
}

static void set_server_name(SSL_CTX *ctx, const char *name)
{
    X509_VERIFY_PARAM *param = SSL_CTX_get0_param(ctx);

    if (X509_VERIFY_PARAM_set1_ip_asc(param, name) != 1 && X509_VERIFY_PARAM_set1_host(param, name, 0) != 1)
        die_setup("server name \"%s\": %s", name, ssl_words());
}

/* Whom to verify, against what. */
static void set_verify(struct side *s)
{
    const struct config *cfg = s->cfg;

    if (cfg->ca && SSL_CTX_load_verify_locations(s->ctx, cfg->ca, NULL) != 1)
        die_setup("root %s: %s", cfg->ca, ssl_words());
    if (s->server && cfg->mutual)
        SSL_CTX_set_verify(s->ctx, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    if (!s->server && !cfg->insecure) {
        SSL_CTX_set_verify(s->ctx, SSL_VERIFY_PEER, NULL);
        set_server_name(s->ctx, cfg->server_name);
    }
}

static void got_keylog(const SSL *ssl, const char *line)
{
    (void)ssl;
    keylog_line(line);
}

/* Sees handshake messages and alerts as they pass. It costs some nanoseconds a
 * message, and nothing else tells of a HelloRetryRequest (RFC 8446 §4.1.3) or
 * of an alert sent. */
static void got_message(int sent, int version, int type, const void *data, size_t len, SSL *ssl, void *arg)
{
    static const unsigned char retry[] = {0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c,
                                          0x02, 0x1e, 0x65, 0xb8, 0x91, 0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb,
                                          0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c};
    const unsigned char *p = data;
    struct conn *c = &((struct side *)arg)->conn;

    (void)version;
    (void)ssl;
    if (type == SSL3_RT_HANDSHAKE && len > 38 && p[0] == SSL3_MT_SERVER_HELLO)
        c->retry |= memcmp(p + 6, retry, sizeof retry) == 0;
    else if (type == SSL3_RT_ALERT && sent && len == 2)
        c->alert = p[1];
}

/* ---- external pre-shared keys ------------------------------------------- */

#ifndef OPENSSL_NO_PSK
static struct side *side_of(SSL *ssl)
{
    return SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
}

/* Where a session is offered, the key is not: then what was reused is certain. */
static int psk_use(SSL *ssl, const EVP_MD *md, const unsigned char **id, size_t *len, SSL_SESSION **session)
{
    struct side *s = side_of(ssl);

    (void)md;
    *session = NULL;
    if (s->conn.offered)
        return 1;
    s->conn.psk = 1;
    *id = (const unsigned char *)s->cfg->psk_identity;
    *len = strlen(s->cfg->psk_identity);
    SSL_SESSION_up_ref(s->psk);
    *session = s->psk;
    return 1;
}

static int psk_find(SSL *ssl, const unsigned char *id, size_t len, SSL_SESSION **session)
{
    struct side *s = side_of(ssl);

    *session = NULL;
    if (len != strlen(s->cfg->psk_identity) || memcmp(id, s->cfg->psk_identity, len) != 0)
        return 1;
    s->conn.psk = 1;
    SSL_SESSION_up_ref(s->psk);
    *session = s->psk;
    return 1;
}

static unsigned psk_copy(const struct config *cfg, unsigned char *key, unsigned max)
{
    if (cfg->psk_len > max)
        return 0;
    memcpy(key, cfg->psk, cfg->psk_len);
    return (unsigned)cfg->psk_len;
}

static unsigned psk_client12(SSL *ssl, const char *hint, char *id, unsigned id_max, unsigned char *key, unsigned max)
{
    const struct config *cfg = side_of(ssl)->cfg;

    (void)hint;
    if (strlen(cfg->psk_identity) >= id_max)
        return 0;
    strcpy(id, cfg->psk_identity);
    return psk_copy(cfg, key, max);
}

static unsigned psk_server12(SSL *ssl, const char *id, unsigned char *key, unsigned max)
{
    const struct config *cfg = side_of(ssl)->cfg;

    return id && strcmp(id, cfg->psk_identity) == 0 ? psk_copy(cfg, key, max) : 0;
}

/* The key as a TLS 1.3 session of SHA-256, which the callbacks hand out. */
static SSL_SESSION *psk_session(struct side *s)
{
    static const unsigned char id[] = {0x13, 0x01}; /* TLS_AES_128_GCM_SHA256 */
    SSL *ssl = SSL_new(s->ctx);
    SSL_SESSION *session = SSL_SESSION_new();

    if (!ssl || !session || SSL_SESSION_set1_master_key(session, s->cfg->psk, s->cfg->psk_len) != 1 ||
        SSL_SESSION_set_cipher(session, SSL_CIPHER_find(ssl, id)) != 1 ||
        SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION) != 1)
        die_cannot("psk", "OpenSSL refuses the key: %s", ssl_words());
    SSL_SESSION_set_timeout(session, 1 << 30); /* else it is good for five minutes */
    SSL_free(ssl);
    return session;
}

/* Version 1.2 has callbacks of its own; without --version the key is for 1.3. */
static void set_psk(struct side *s)
{
    const struct config *cfg = s->cfg;

    if (cfg->version && strcmp(cfg->version, "1.2") == 0) {
        SSL_CTX_set_psk_client_callback(s->ctx, psk_client12);
        SSL_CTX_set_psk_server_callback(s->ctx, psk_server12);
        if (!cfg->suite)
            SSL_CTX_set_cipher_list(s->ctx, "kECDHEPSK:kPSK");
        return;
    }
    if (!cfg->suite)
        SSL_CTX_set_ciphersuites(s->ctx, "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256");
    s->psk = psk_session(s);
    SSL_CTX_set_psk_use_session_callback(s->ctx, psk_use);
    SSL_CTX_set_psk_find_session_callback(s->ctx, psk_find);
}
#else
static void set_psk(struct side *s)
{
    (void)s;
    die_cannot("psk", "this build has no pre-shared keys");
}
#endif

/* ---- memory transport ---------------------------------------------------- */

static int pipe_write(BIO *bio, const char *data, int n)
{
    return n > 0 && pipe_put(BIO_get_data(bio), data, (size_t)n) ? n : -1;
}

static int pipe_read(BIO *bio, char *data, int n)
{
    size_t got = n > 0 ? pipe_get(BIO_get_data(bio), data, (size_t)n) : 0;

    BIO_clear_retry_flags(bio);
    if (got)
        return (int)got;
    BIO_set_retry_read(bio);
    return -1;
}

static long pipe_ctrl(BIO *bio, int cmd, long num, void *ptr)
{
    (void)bio;
    (void)num;
    (void)ptr;
    return cmd == BIO_CTRL_FLUSH;
}

static BIO_METHOD *pipe_method(void)
{
    BIO_METHOD *m = BIO_meth_new(BIO_TYPE_SOURCE_SINK | BIO_get_new_index(), "pipe");

    if (!m || !BIO_meth_set_write(m, pipe_write) || !BIO_meth_set_read(m, pipe_read) ||
        !BIO_meth_set_ctrl(m, pipe_ctrl))
        die_setup("BIO_meth_new failed");
    return m;
}

static BIO *pipe_bio(const BIO_METHOD *m, struct pipe_buf *p)
{
    BIO *bio = BIO_new(m);

    if (!bio)
        return NULL;
    BIO_set_data(bio, p);
    BIO_set_init(bio, 1);
    return bio;
}

/* ---- a side ---------------------------------------------------------------- */

static void check_auth(const struct config *cfg)
{
    SSL_CTX *probe = probe_ctx();

    if (cfg->auth && !has_auth(probe, cfg->auth))
        die_cannot("auth", "this build has no %s", cfg->auth);
    if (cfg->auth && strncmp(cfg->auth, "mldsa", 5) == 0 && cfg->version && strcmp(cfg->version, "1.2") == 0)
        die_cannot("auth", "%s is for TLS 1.3 only", cfg->auth);
    SSL_CTX_free(probe);
}

/* What the flags ask for; the rest stays at OpenSSL's defaults. */
static void set_flags(struct side *s)
{
    const struct config *cfg = s->cfg;

    set_version(s->ctx, cfg->version);
    if (cfg->suite)
        set_suites(s->ctx, cfg);
    if (cfg->group)
        set_groups(s->ctx, cfg);
    if (cfg->cert && (s->server || cfg->mutual))
        set_certificate(s->ctx, cfg);
    set_verify(s);
    if (cfg->psk_len)
        set_psk(s);
    if (cfg->keylog)
        SSL_CTX_set_keylog_callback(s->ctx, got_keylog);
}

/* What a server needs to resume, to use DHE suites, and to take early data. */
static void set_server(struct side *s)
{
    const char *version = s->cfg->version;

    SSL_CTX_set_session_id_context(s->ctx, (const unsigned char *)"shakedown", 9);
    SSL_CTX_set_dh_auto(s->ctx, 1);
    if (s->cfg->mode == MODE_FULL && version && strcmp(version, "1.2") == 0)
        SSL_CTX_set_options(s->ctx, SSL_OP_NO_TICKET);
    if (s->cfg->mode == MODE_EARLY)
        SSL_CTX_set_max_early_data(s->ctx, MAX_APP);
}

static struct side *side_new(const struct config *cfg, int server)
{
    static struct side sides[2]; /* op record has both ends in one process */
    struct side *s = &sides[server];

    check_auth(cfg);
    *s = (struct side){.cfg = cfg, .server = server, .pipe = pipe_method()};
    s->ctx = SSL_CTX_new(server ? TLS_server_method() : TLS_client_method());
    if (!s->ctx)
        die_setup("SSL_CTX_new: %s", ssl_words());
    SSL_CTX_set_app_data(s->ctx, s);
    SSL_CTX_set_msg_callback(s->ctx, got_message);
    SSL_CTX_set_msg_callback_arg(s->ctx, s);
    set_flags(s);
    if (server)
        set_server(s);
    ERR_clear_error();
    return s;
}

#include "openssl_conn.h"
#include "main.h"
