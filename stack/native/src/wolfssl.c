/* wolfssl.c: the driver of wolfSSL 5 (protocol: docs/driver.md).
 *
 * Tickets: a server sends one in TLS 1.3, after the client's Finished. In
 * TLS 1.2 it sends one to a client that asks, as this one does in mode resumed,
 * since many servers resume by ticket only; wolfSSL's default is the session id.
 * A server for full handshakes of TLS 1.2 sends none: it would be a message of
 * the handshake.
 */
#define STACK_DRAINS
#include "driver.h"

#include <errno.h>

#include <wolfssl/options.h>

#include <wolfssl/error-ssl.h>
#include <wolfssl/ssl.h>
#include <wolfssl/wolfcrypt/dh.h>
#include <wolfssl/wolfcrypt/error-crypt.h>
#include <wolfssl/wolfcrypt/kdf.h>

#include "wolfssl_keys.h"
#include "wolfssl_probe.h"

/* One connection at a time is open on a side, so that it needs no allocation. */
struct conn {
    struct side *side;
    struct transport t;
    WOLFSSL *ssl;
    int hellos;      /* client: ClientHellos sent; server: ServerHellos sent */
    int asked;       /* client: the server asked for the certificate */
    int early;       /* client: early data was sent; server: some came */
    int error, sys;  /* of the failed step: wolfSSL's code and errno */
};

struct side {
    const struct config *cfg;
    int server, psk;
    const char *version; /* "1.2", "1.3", or NULL for the stack's range */
    WOLFSSL_CTX *ctx;
    int groups[WOLFSSL_MAX_GROUP_COUNT], n_groups;
    const char *psk_suite; /* an external PSK of TLS 1.3 belongs to one suite here */
    WOLFSSL_SESSION *session;
    int single_use; /* the session is of TLS 1.3 */
    int offered;    /* and was offered */
    struct conn conn;
};

static const char *stack_name(void)
{
    return "wolfssl";
}

static const char *stack_version(void)
{
    return wolfSSL_lib_version();
}

static const char *stack_library(void)
{
    static char words[48];

    snprintf(words, sizeof words, "wolfSSL %s", wolfSSL_lib_version());
    return words;
}

static const char *stack_headers(void)
{
    return LIBWOLFSSL_VERSION_STRING;
}

/* ---- what happens, as far as it costs nothing to be told ---------------- */

#ifdef OPENSSL_EXTRA
/* Counts hellos as they are sent: the second of a connection follows from, or
 * comes after, a HelloRetryRequest. Called for messages in the clear only. */
static void on_message(int sent, int version, int type, const void *data, size_t n, WOLFSSL *ssl, void *arg)
{
    const unsigned char *p = data;
    struct side *s = arg;

    (void)version, (void)type, (void)ssl;
    if (sent && n > 5 && p[0] == 22 && p[5] == (s->server ? 2 : 1))
        s->conn.hellos++;
}
#endif

#if defined(OPENSSL_EXTRA) && (LIBWOLFSSL_VERSION_HEX <= 0x05007002 || defined(WOLFSSL_CERT_SETUP_CB))
#define TELLS_REQUEST

/* The server asks for a certificate, which wolfSSL then sends. */
static int on_request(WOLFSSL *ssl, void *arg)
{
    struct side *s = arg;

    (void)ssl;
    s->conn.asked = 1;
    return 1;
}
#endif

static void side_watch(struct side *s)
{
#ifdef OPENSSL_EXTRA
    wolfSSL_CTX_set_msg_callback(s->ctx, on_message);
    wolfSSL_CTX_set_msg_callback_arg(s->ctx, s);
#endif
#ifdef TELLS_REQUEST
    if (!s->server && s->cfg->mutual)
        wolfSSL_CTX_set_cert_cb(s->ctx, on_request, s);
#endif
    (void)s;
}

#include "wolfssl_keylog.h"
#include "wolfssl_side.h"

/* ---- connections -------------------------------------------------------- */

static int pipe_receive(WOLFSSL *ssl, char *buf, int n, void *arg)
{
    size_t got = pipe_get(((struct conn *)arg)->t.in, buf, (size_t)n);

    (void)ssl;
    return got ? (int)got : WOLFSSL_CBIO_ERR_WANT_READ;
}

static int pipe_send(WOLFSSL *ssl, char *buf, int n, void *arg)
{
    (void)ssl;
    return pipe_put(((struct conn *)arg)->t.out, buf, (size_t)n) ? n : WOLFSSL_CBIO_ERR_WANT_WRITE;
}

static void conn_transport(struct conn *c)
{
    if (c->t.fd >= 0) {
        wolfSSL_set_fd(c->ssl, c->t.fd);
        return;
    }
    wolfSSL_SSLSetIORecv(c->ssl, pipe_receive);
    wolfSSL_SSLSetIOSend(c->ssl, pipe_send);
    wolfSSL_SetIOReadCtx(c->ssl, c);
    wolfSSL_SetIOWriteCtx(c->ssl, c);
}

/* A client's name to verify, key share and session. */
static void conn_client(struct conn *c)
{
    struct side *s = c->side;

    if (!s->cfg->insecure && !s->psk)
        wolfSSL_check_domain_name(c->ssl, s->cfg->server_name);
#ifdef WOLFSSL_TLS13
    if (s->n_groups && may_be(s, "1.3"))
        wolfSSL_UseKeyShare(c->ssl, (word16)s->groups[0]);
#endif
    if (s->session) {
        wolfSSL_set_session(c->ssl, s->session);
        s->offered = 1;
    }
}

static struct conn *conn_new(struct side *s, const struct transport *t)
{
    struct conn *c = &s->conn;

    *c = (struct conn){.side = s, .t = *t, .ssl = wolfSSL_new(s->ctx)};
    if (!c->ssl)
        return NULL;
    errno = 0;
    conn_transport(c);
    if (!s->server)
        conn_client(c);
    return c;
}

/* What a call that did not succeed means; keeps the error. */
static enum step conn_stop(struct conn *c, int ret)
{
    c->sys = errno;
    c->error = wolfSSL_get_error(c->ssl, ret);
    if (c->error == 0)
        c->error = ret; /* wolfSSL did not even try */
    if (c->t.fd < 0 && (c->error == WOLFSSL_ERROR_WANT_READ || c->error == WOLFSSL_ERROR_WANT_WRITE))
        return AGAIN;
    return FAILED;
}

static enum step conn_handshake(struct conn *c)
{
    int ret = c->side->server ? wolfSSL_accept(c->ssl) : wolfSSL_connect(c->ssl);

    return ret == WOLFSSL_SUCCESS ? DONE : conn_stop(c, ret);
}

static enum step conn_early_send(struct conn *c, const void *data, size_t n)
{
#if defined(WOLFSSL_EARLY_DATA) && defined(HAVE_SESSION_TICKET)
    int sent = 0, ret = wolfSSL_write_early_data(c->ssl, data, (int)n, &sent);

    c->early = 1;
    return sent == (int)n ? DONE : conn_stop(c, ret);
#else
    (void)c, (void)data, (void)n;
    return FAILED;
#endif
}

static enum step conn_handshake_early(struct conn *c, const struct early_sink *sink)
{
#if defined(WOLFSSL_EARLY_DATA) && defined(HAVE_SESSION_TICKET)
    unsigned char buf[MAX_APP];
    int n, ret;

    do {
        const void *reply = NULL;
        size_t reply_len = 0;

        ret = wolfSSL_read_early_data(c->ssl, buf, sizeof buf, &n);
        if (ret < 0)
            return conn_stop(c, ret);
        if (n <= 0)
            break;
        c->early = 1;
        sink->got(sink->arg, buf, (size_t)n, &reply, &reply_len);
        if (reply && (ret = wolfSSL_write(c->ssl, reply, (int)reply_len)) != (int)reply_len)
            return conn_stop(c, ret);
    } while (1);
#else
    (void)sink;
#endif
    return conn_handshake(c);
}

static int conn_write(struct conn *c, const void *data, size_t n)
{
    int ret = wolfSSL_write(c->ssl, data, (int)n);

    if (ret != (int)n)
        conn_stop(c, ret);
    return ret == (int)n ? ret : FAILED;
}

static int conn_read(struct conn *c, void *data, size_t n)
{
    int ret = wolfSSL_read(c->ssl, data, (int)n);

    if (ret > 0)
        return ret;
    if (conn_stop(c, ret) == AGAIN)
        return -2;
    return c->error == WOLFSSL_ERROR_ZERO_RETURN ? 0 : -1;
}

/* Reads to the peer's close_notify; tickets before it are taken in. */
static void conn_drain(struct conn *c)
{
    int ret = wolfSSL_shutdown(c->ssl);

    for (int i = 0; i < 16 && ret == WOLFSSL_SHUTDOWN_NOT_DONE; i++)
        ret = wolfSSL_shutdown(c->ssl);
}

static void conn_free(struct conn *c, int notify)
{
    if (notify)
        wolfSSL_shutdown(c->ssl);
    wolfSSL_free(c->ssl);
    c->ssl = NULL;
}

#include "wolfssl_proof.h"

/* ---- sessions ----------------------------------------------------------- */

/* Has the connection what a session of TLS 1.3 needs: a ticket that was read? */
static int conn_has_ticket(struct conn *c)
{
#ifdef HAVE_SESSION_TICKET
    unsigned char ticket[4096];
    word32 n = sizeof ticket;

    return wolfSSL_get_SessionTicket(c->ssl, ticket, &n) == WOLFSSL_SUCCESS && n > 0;
#else
    (void)c;
    return 0;
#endif
}

/* May early data be sent with the session, where that is the question? */
static int session_fits(const struct side *s, const WOLFSSL_SESSION *session)
{
#if defined(WOLFSSL_EARLY_DATA) && defined(OPENSSL_EXTRA)
    if (s->cfg->mode == MODE_EARLY)
        return wolfSSL_SESSION_get_max_early_data(session) >= s->cfg->request;
#endif
    return s && session;
}

static void conn_save_session(struct conn *c)
{
    struct side *s = c->side;
    int tls13 = strcmp(wolfSSL_get_version(c->ssl), "TLSv1.3") == 0;
    WOLFSSL_SESSION *session;

    if (tls13 && !conn_has_ticket(c))
        return; /* a session without a ticket has nothing to offer */
    session = wolfSSL_get1_session(c->ssl);
    if (session && !session_fits(s, session)) {
        wolfSSL_SESSION_free(session);
        session = NULL;
    }
    if (!session)
        return;
    wolfSSL_SESSION_free(s->session);
    s->session = session;
    s->single_use = tls13;
    s->offered = 0;
}

static int side_has_session(struct side *s)
{
    if (s->session && s->single_use && s->offered) {
        wolfSSL_SESSION_free(s->session);
        s->session = NULL;
    }
    return s->session != NULL;
}

#include "main.h"
