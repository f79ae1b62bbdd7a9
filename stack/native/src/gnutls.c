/* gnutls.c: the driver of GnuTLS, 3.7 and later (protocol: docs/driver.md).
 *
 * Tickets: a GnuTLS server issues none unless it is given a ticket key. Here it
 * has one in the modes resumed and early-data, and then sends two after the
 * handshake; in mode full it sends none.
 *
 * Early data: a GnuTLS server has no way to answer before the client's
 * Finished. It installs the keys for its own application data only after
 * EndOfEarlyData, and GNUTLS_ENABLE_EARLY_START leaves resumed sessions out.
 * So it hands over the early data when the handshake is done, and the answer
 * comes then: `info` says so under cannot, as "early-response".
 */
#define STACK_DRAINS
#include "driver.h"

#include <errno.h>

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

#include "gnutls_names.h"
#include "gnutls_priority.h"
#include "gnutls_side.h"

static const char *stack_name(void)
{
    return "gnutls";
}

static const char *stack_version(void)
{
    return gnutls_check_version(NULL);
}

static const char *stack_library(void)
{
    static char words[64];

    snprintf(words, sizeof words, "GnuTLS %s", gnutls_check_version(NULL));
    return words;
}

static const char *stack_headers(void)
{
    return GNUTLS_VERSION;
}

/* ---- a connection ------------------------------------------------------ */

/* Memory transport: an empty or a full pipe waits for the other end. */
static ssize_t pipe_pull(gnutls_transport_ptr_t arg, void *data, size_t n)
{
    struct conn *c = arg;
    size_t got = pipe_get(c->transport.in, data, n);

    if (got)
        return (ssize_t)got;
    c->starved = 1;
    gnutls_transport_set_errno(c->session, EAGAIN);
    return -1;
}

static ssize_t pipe_push(gnutls_transport_ptr_t arg, const void *data, size_t n)
{
    struct conn *c = arg;

    if (pipe_put(c->transport.out, data, n) == n)
        return (ssize_t)n;
    c->starved = 1;
    gnutls_transport_set_errno(c->session, EAGAIN);
    return -1;
}

static int pipe_wait(gnutls_transport_ptr_t arg, unsigned ms)
{
    (void)arg;
    (void)ms;
    return 1;
}

/* On a socket GnuTLS itself calls recv and sendmsg. */
static void conn_transport(struct conn *c)
{
    if (c->transport.fd >= 0) {
        gnutls_transport_set_int(c->session, c->transport.fd);
        return;
    }
    gnutls_transport_set_ptr(c->session, c);
    gnutls_transport_set_pull_function(c->session, pipe_pull);
    gnutls_transport_set_push_function(c->session, pipe_push);
    gnutls_transport_set_pull_timeout_function(c->session, pipe_wait);
}

/* Called for a HelloRetryRequest alone; other messages cost a comparison. */
static int on_retry(gnutls_session_t session, unsigned type, unsigned when, unsigned incoming,
                    const gnutls_datum_t *message)
{
    struct conn *c = gnutls_session_get_ptr(session);

    (void)type;
    (void)when;
    (void)incoming;
    (void)message;
    c->retried = 1;
    return 0;
}

/* A line of the NSS key log: label, client random, secret. */
static int on_secret(gnutls_session_t session, const char *label, const gnutls_datum_t *secret)
{
    gnutls_datum_t client, server;
    char line[512];
    size_t n = (size_t)snprintf(line, sizeof line, "%.64s ", label);

    gnutls_session_get_random(session, &client, &server);
    for (unsigned i = 0; i < client.size && n < sizeof line - 4; i++)
        n += (size_t)sprintf(line + n, "%02x", client.data[i]);
    n += (size_t)sprintf(line + n, " ");
    for (unsigned i = 0; i < secret->size && n < sizeof line - 4; i++)
        n += (size_t)sprintf(line + n, "%02x", secret->data[i]);
    keylog_line(line);
    return 0;
}

static int conn_credentials(struct conn *c)
{
    const struct side *s = c->side;

    if (s->cert)
        return gnutls_credentials_set(c->session, GNUTLS_CRD_CERTIFICATE, s->cert);
    return gnutls_credentials_set(c->session, GNUTLS_CRD_PSK,
                                  s->server ? (void *)s->psk_server : (void *)s->psk_client);
}

static void conn_server(struct conn *c)
{
    const struct side *s = c->side;

    if (s->cert && s->cfg->mutual) {
        gnutls_certificate_server_set_request(c->session, GNUTLS_CERT_REQUIRE);
        gnutls_session_set_verify_cert(c->session, NULL, 0);
    }
    if (s->ticket_key.data)
        gnutls_session_ticket_enable_server(c->session, &s->ticket_key);
    if (s->replay)
        gnutls_anti_replay_enable(c->session, s->replay);
}

static int conn_client(struct conn *c)
{
    struct side *s = c->side;
    const char *name = s->cfg->server_name;

    if (s->cert && !s->cfg->insecure)
        gnutls_session_set_verify_cert(c->session, name, 0);
    if (s->cfg->mode != MODE_FULL && side_has_session(s)) {
        s->used = 1;
        gnutls_session_set_data(c->session, s->session.data, s->session.size);
    }
    return gnutls_server_name_set(c->session, GNUTLS_NAME_DNS, name, strlen(name));
}

static unsigned conn_flags(const struct side *s)
{
    unsigned flags = (s->server ? GNUTLS_SERVER : GNUTLS_CLIENT) | GNUTLS_NO_SIGNAL;

    if (s->cfg->group)
        flags |= GNUTLS_KEY_SHARE_TOP; /* a share for the first group alone */
    if (s->replay)
        flags |= GNUTLS_ENABLE_EARLY_DATA;
    if (s->cfg->mutual && !s->server)
        flags |= GNUTLS_FORCE_CLIENT_CERT; /* whatever issuers the server names */
    return flags;
}

static struct conn *conn_new(struct side *s, const struct transport *t)
{
    struct conn *c = &s->conn;
    int ret;

    *c = (struct conn){.side = s, .transport = *t, .alert = -1};
    if (gnutls_init(&c->session, conn_flags(s)) < 0)
        return NULL;
    gnutls_session_set_ptr(c->session, c);
    gnutls_handshake_set_hook_function(c->session, GNUTLS_HANDSHAKE_HELLO_RETRY_REQUEST, GNUTLS_HOOK_POST, on_retry);
    if (s->cfg->keylog)
        gnutls_session_set_keylog_function(c->session, on_secret);
    conn_transport(c);
    ret = gnutls_priority_set(c->session, s->priority);
    if (ret == 0)
        ret = conn_credentials(c);
    if (ret == 0 && s->server)
        conn_server(c);
    else if (ret == 0)
        ret = conn_client(c);
    if (ret == 0)
        return c;
    gnutls_deinit(c->session);
    return NULL;
}

/* ---- steps ------------------------------------------------------------- */

/* Must the call be repeated? GnuTLS also says AGAIN after a ticket was read. */
static int conn_again(const struct conn *c, int ret)
{
    return ret == GNUTLS_E_INTERRUPTED || ret == GNUTLS_E_WARNING_ALERT_RECEIVED ||
           (ret == GNUTLS_E_AGAIN && !c->starved);
}

/* Does an error call for an alert? Not when the transport failed, when the peer
 * ended, or when early data do not fit and nothing was sent yet. */
static int deserves_alert(int ret)
{
    switch (ret) {
    case GNUTLS_E_PULL_ERROR:
    case GNUTLS_E_PUSH_ERROR:
    case GNUTLS_E_PREMATURE_TERMINATION:
    case GNUTLS_E_FATAL_ALERT_RECEIVED:
    case GNUTLS_E_RECORD_LIMIT_REACHED:
        return 0;
    default:
        return 1;
    }
}

/* Keeps the error and sends the alert, as GnuTLS leaves that to the program. */
static enum step conn_fail(struct conn *c, int ret)
{
    int level;

    c->err = ret;
    c->sys = errno;
    if (deserves_alert(ret) && gnutls_alert_send_appropriate(c->session, ret) == 0)
        c->alert = gnutls_error_to_alert(ret, &level);
    return FAILED;
}

static enum step conn_handshake(struct conn *c)
{
    int ret;

    errno = c->starved = 0;
    do
        ret = gnutls_handshake(c->session);
    while (conn_again(c, ret));
    if (ret == 0)
        return DONE;
    return ret == GNUTLS_E_AGAIN ? AGAIN : conn_fail(c, ret);
}

/* GnuTLS keeps the data and sends them in gnutls_handshake, behind the ClientHello. */
static enum step conn_early_send(struct conn *c, const void *data, size_t n)
{
    ssize_t ret = gnutls_record_send_early_data(c->session, data, n);

    c->offered = ret >= 0;
    return ret < 0 ? conn_fail(c, (int)ret) : DONE;
}

/* The whole handshake, then the early data: see the top of this file. */
static enum step conn_handshake_early(struct conn *c, const struct early_sink *sink)
{
    enum step step = conn_handshake(c);
    unsigned char *buf = c->side->early;
    ssize_t n;

    while (step == DONE && (n = gnutls_record_recv_early_data(c->session, buf, MAX_APP)) > 0)
        sink->got(sink->arg, buf, (size_t)n, NULL, NULL);
    return step;
}

/* When the peer is gone, the alert it sent before may still be there. */
static int last_words(struct conn *c, int ret)
{
    char byte;

    if ((ret == GNUTLS_E_PUSH_ERROR || ret == GNUTLS_E_PREMATURE_TERMINATION) &&
        gnutls_record_recv(c->session, &byte, 1) == GNUTLS_E_FATAL_ALERT_RECEIVED)
        return GNUTLS_E_FATAL_ALERT_RECEIVED;
    return ret;
}

static int conn_write(struct conn *c, const void *data, size_t n)
{
    const unsigned char *p = data;
    size_t sent = 0;

    errno = c->starved = 0;
    while (sent < n) {
        ssize_t ret = gnutls_record_send(c->session, p + sent, n - sent);

        if (ret >= 0)
            sent += (size_t)ret;
        else if (!conn_again(c, (int)ret))
            return conn_fail(c, last_words(c, (int)ret));
    }
    return (int)n;
}

static int conn_read(struct conn *c, void *data, size_t n)
{
    ssize_t ret;

    errno = c->starved = 0;
    do
        ret = gnutls_record_recv(c->session, data, n);
    while (conn_again(c, (int)ret));
    if (ret >= 0) {
        c->err = 0;
        return (int)ret;
    }
    return ret == GNUTLS_E_AGAIN ? -2 : (int)conn_fail(c, (int)ret);
}

static void conn_bye(struct conn *c)
{
    if (!c->bye)
        gnutls_bye(c->session, GNUTLS_SHUT_WR);
    c->bye = 1;
}

static void conn_drain(struct conn *c)
{
    unsigned char *buf = c->side->early;

    conn_bye(c);
    while (conn_read(c, buf, MAX_APP) > 0)
        ;
}

static void conn_free(struct conn *c, int notify)
{
    if (notify)
        conn_bye(c);
    gnutls_deinit(c->session);
}

/* In TLS 1.3 only once a ticket was read: asking sooner would wait for one. */
static void conn_save_session(struct conn *c)
{
    struct side *s = c->side;
    int tls13 = gnutls_protocol_get_version(c->session) == GNUTLS_TLS1_3;
    gnutls_datum_t data;

    if (tls13 && !(gnutls_session_get_flags(c->session) & GNUTLS_SFLAGS_SESSION_TICKET))
        return;
    if (gnutls_session_get_data2(c->session, &data) < 0)
        return;
    gnutls_free(s->session.data);
    s->session = data;
    s->single_use = tls13;
    s->used = 0;
}

#include "gnutls_proof.h"
#include "gnutls_probe.h"

#include "main.h"
