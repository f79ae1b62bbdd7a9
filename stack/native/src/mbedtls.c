/* mbedtls.c: the driver of Mbed TLS, 2.28 (TLS 1.2) and 3.6 (TLS 1.2 and 1.3).
 *
 * Public API only, with looks into mbedtls_ssl_context where it has none: the
 * state that mbedtls_ssl_handshake itself loops on, the message at hand (also
 * the alert that came in), and the alert that is pended.
 *
 * Mbed TLS writes every handshake message as a record and a send() of its own,
 * and reads every record with two recv() calls; the callbacks here do not change
 * that.
 */
#define STACK_DRAINS
#include "driver.h"

#include <mbedtls/version.h>
#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/error.h>
#include <mbedtls/net_sockets.h>
#include <mbedtls/ssl.h>
#include <mbedtls/ssl_ciphersuites.h>
#include <mbedtls/ssl_ticket.h>
#include <errno.h>
#include <sys/socket.h>

static void keylog_write(const char *label, const unsigned char random[32], const unsigned char *secret, size_t len);

#include "mbedtls_compat.h"
#include "mbedtls_flight.h"
#include "mbedtls_names.h"

#define MAX_NAMES 64          /* groups or suites in a list */
#define TICKET_LIFETIME 86400 /* seconds */

/* A connection lives in its side, so that making one allocates nothing of ours. */
struct conn {
    mbedtls_ssl_context ssl;
    struct side *side;
    struct transport t;
    int dry, hold;       /* the memory transport had no byte left; nothing is to be read now */
    int tapping;         /* the handshake goes on: keep a copy of the server's flight */
    int err, sys;        /* the library's last error; errno of the last failed call */
    int alert_sent;      /* alert that went out in the clear, or -1 */
    int offered, ticket; /* a session was offered; a TLS 1.3 ticket came or was accepted */
    int early;           /* tri: early data */
    int asked;           /* client: a CertificateRequest came */
    unsigned scheme;     /* client, TLS 1.3: scheme of CertificateVerify */
    int closed;          /* close_notify is out */
    const void *reply;   /* server: answers the early data */
    size_t reply_len;
    struct hello hello;
    int hello_read;
};

struct side {
    const struct config *cfg;
    int server;
    mbedtls_entropy_context entropy;
    mbedtls_ctr_drbg_context rng;
    mbedtls_ssl_config conf;
    mbedtls_x509_crt cert, ca;
    mbedtls_pk_context key;
    mbedtls_ssl_ticket_context tickets;
    mbedtls_ssl_session session;
    int has_session, single_use;
    group_t groups[MAX_NAMES + 2];
    int suites[MAX_NAMES + 1];
    struct flight flight;
    struct conn conn;
};

static const char *stack_name(void)
{
    return "mbedtls";
}

static const char *stack_version(void)
{
    static char text[18];

    mbedtls_version_get_string(text);
    return text;
}

static const char *stack_library(void)
{
    static char text[32];

    mbedtls_version_get_string_full(text);
    return text;
}

static const char *stack_headers(void)
{
    return MBEDTLS_VERSION_STRING;
}

#include "mbedtls_setup.h"

/* ---- bytes --------------------------------------------------------------- */

/* An alert in the clear is the only way to know which one the library sent. */
static int bio_send(void *arg, const unsigned char *data, size_t n)
{
    struct conn *c = arg;
    ssize_t r;

    if (c->tapping && c->side->server)
        flight_add(&c->side->flight, data, n);
    if (n == 7 && data[0] == MBEDTLS_SSL_MSG_ALERT)
        c->alert_sent = data[6];
    if (c->t.fd < 0)
        return pipe_put(c->t.out, data, n) ? (int)n : MBEDTLS_ERR_SSL_WANT_WRITE;
    r = send(c->t.fd, data, n, MSG_NOSIGNAL);
    if (r >= 0)
        return (int)r;
    c->sys = errno;
    return MBEDTLS_ERR_NET_SEND_FAILED;
}

static int bio_recv(void *arg, unsigned char *data, size_t n)
{
    struct conn *c = arg;
    ssize_t r;

    if (c->hold)
        return MBEDTLS_ERR_SSL_WANT_READ;
    r = c->t.fd < 0 ? (ssize_t)pipe_get(c->t.in, data, n) : recv(c->t.fd, data, n, 0);

    if (r < 0) {
        c->sys = errno;
        return MBEDTLS_ERR_NET_RECV_FAILED;
    }
    if (r == 0 && c->t.fd < 0) {
        c->dry = 1;
        return MBEDTLS_ERR_SSL_WANT_READ;
    }
    if (c->tapping && !c->side->server)
        flight_add(&c->side->flight, data, (size_t)r);
    return (int)r;
}

/* ---- a connection -------------------------------------------------------- */

/* Offers the saved session. One that the library does not take leaves a full
 * handshake, and the proof says so. A TLS 1.3 ticket is for one use. */
static void offer_session(struct side *s)
{
    if (s->server || s->cfg->mode == MODE_FULL || !s->has_session)
        return;
    s->conn.offered = mbedtls_ssl_set_session(&s->conn.ssl, &s->session) == 0;
    if (s->single_use)
        s->has_session = 0;
}

static struct conn *conn_new(struct side *s, const struct transport *t)
{
    struct conn *c = &s->conn;

    *c = (struct conn){.side = s, .t = *t, .tapping = 1, .alert_sent = -1, .early = UNKNOWN};
    s->flight.len = 0;
    mbedtls_ssl_init(&c->ssl);
    if (s->cfg->keylog)
        compat_keylog(&s->conf, &c->ssl);
    if (mbedtls_ssl_setup(&c->ssl, &s->conf) != 0 ||
        (!s->server && mbedtls_ssl_set_hostname(&c->ssl, s->cfg->server_name) != 0)) {
        mbedtls_ssl_free(&c->ssl);
        return NULL;
    }
    mbedtls_ssl_set_bio(&c->ssl, c, bio_send, bio_recv, NULL);
    offer_session(s);
    return c;
}

/* A client looks at the message that was just handled: CertificateRequest (13),
 * and the scheme in CertificateVerify (15), which TLS 1.3 encrypts. */
static void conn_peek(struct conn *c)
{
    const unsigned char *msg = c->ssl.MBEDTLS_PRIVATE(in_msg);

    if (c->side->server || c->ssl.MBEDTLS_PRIVATE(in_msgtype) != MBEDTLS_SSL_MSG_HANDSHAKE)
        return;
    if (msg[0] == MBEDTLS_SSL_HS_CERTIFICATE_REQUEST)
        c->asked = 1;
    if (msg[0] == MBEDTLS_SSL_HS_CERTIFICATE_VERIFY)
        c->scheme = (unsigned)msg[4] << 8 | msg[5];
}

/* The library says WANT_READ also for messages that it dealt with on the way;
 * then the same call goes on. Only an empty memory transport is a reason to stop. */
static int conn_goes_on(struct conn *c, int err)
{
    return err == MBEDTLS_ERR_SSL_WANT_READ && !c->dry;
}

/* mbedtls_ssl_handshake is this loop without the look. */
static int handshake_loop(struct conn *c)
{
    int err = 0;

    c->dry = 0;
    while ((err == 0 || conn_goes_on(c, err)) && c->ssl.MBEDTLS_PRIVATE(state) != MBEDTLS_SSL_HANDSHAKE_OVER) {
        err = mbedtls_ssl_handshake_step(&c->ssl);
        conn_peek(c);
    }
    return err;
}

static enum step conn_step(struct conn *c, int err)
{
    c->err = err;
    if (err == 0)
        c->tapping = 0;
    if (c->t.fd < 0 && (err == MBEDTLS_ERR_SSL_WANT_READ || err == MBEDTLS_ERR_SSL_WANT_WRITE))
        return AGAIN;
    return err == 0 ? DONE : FAILED;
}

static enum step conn_handshake(struct conn *c)
{
    return conn_step(c, handshake_loop(c));
}

static int conn_write(struct conn *c, const void *data, size_t n)
{
    for (size_t done = 0; done < n;) {
        int r = mbedtls_ssl_write(&c->ssl, (const unsigned char *)data + done, n - done);

        if (r <= 0)
            return conn_step(c, r ? r : MBEDTLS_ERR_SSL_INTERNAL_ERROR), FAILED;
        done += (size_t)r;
    }
    return (int)n;
}

static int conn_read(struct conn *c, void *data, size_t n)
{
    c->dry = 0;
    for (;;) {
        int r = mbedtls_ssl_read(&c->ssl, data, n);

        if (r > 0)
            return r;
        if (r == MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET)
            c->ticket = 1;
        if (r == MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET || conn_goes_on(c, r))
            continue;
        c->err = r ? r : MBEDTLS_ERR_SSL_CONN_EOF;
        if (r == MBEDTLS_ERR_SSL_WANT_READ)
            return -2;
        return r == 0 || r == MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY ? 0 : -1;
    }
}

/* Closes and reads to the end, for tickets that come after the response. */
static void conn_drain(struct conn *c)
{
    unsigned char rest[512];

    c->closed = 1;
    if (mbedtls_ssl_close_notify(&c->ssl) != 0)
        return;
    while (conn_read(c, rest, sizeof rest) > 0)
        ;
}

static void conn_free(struct conn *c, int notify)
{
    if (notify && !c->closed)
        mbedtls_ssl_close_notify(&c->ssl);
    mbedtls_ssl_free(&c->ssl);
}

/* ---- sessions ------------------------------------------------------------- */

/* TLS 1.3 has nothing to keep before a ticket was read. */
static void conn_save_session(struct conn *c)
{
    struct side *s = c->side;
    int tls13 = strcmp(mbedtls_ssl_get_version(&c->ssl), "TLSv1.3") == 0;

    mbedtls_ssl_session_free(&s->session);
    mbedtls_ssl_session_init(&s->session);
    s->single_use = tls13;
    s->has_session = (!tls13 || c->ticket) && mbedtls_ssl_get_session(&c->ssl, &s->session) == 0;
}

static int side_has_session(struct side *s)
{
    return s->has_session;
}

#include "mbedtls_early.h"
#include "mbedtls_proof.h"
#include "mbedtls_probe.h"

#include "main.h"
