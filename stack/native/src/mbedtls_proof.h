/* mbedtls_proof.h: what a connection came to: its proof, or why it failed. */
#ifndef SHAKEDOWN_MBEDTLS_PROOF_H
#define SHAKEDOWN_MBEDTLS_PROOF_H

/* The scheme of the server's signature. In TLS 1.3 the client has seen it; the
 * server knows it where its key leaves no choice (RFC 8446 4.2.3: each curve has
 * one), not with RSA. */
static unsigned conn_scheme(struct conn *c)
{
    if (c->hello.scheme || c->scheme)
        return c->hello.scheme ? c->hello.scheme : c->scheme;
    if (c->side->server && HAS_TLS13 && strcmp(mbedtls_ssl_get_version(&c->ssl), "TLSv1.3") == 0)
        return curve_scheme(key_curve(&c->side->key));
    return 0;
}

/* A ticket is always the first identity that an Mbed TLS client offers; a server
 * knows what it decrypted. */
static int conn_resumed(struct conn *c, const char *version)
{
    if (strcmp(version, "1.2") == 0)
        return !c->hello.full12;
    if (!c->hello.psk)
        return 0;
    return c->side->server ? c->ticket : c->offered && c->hello.psk_index == 0;
}

/* A resumed handshake shows no certificates: both fields are left out. */
static void proof_peer(struct conn *c, struct proof *p)
{
    int server = c->side->server, shown = mbedtls_ssl_get_peer_cert(&c->ssl) != NULL;

    if (p->resumed)
        return;
    p->mutual = server ? shown : c->asked && mbedtls_pk_get_bitlen(&c->side->key) > 0;
    if (shown)
        p->verified = (server || !c->side->cfg->insecure) && mbedtls_ssl_get_verify_result(&c->ssl) == 0;
}

static void conn_proof(struct conn *c, struct proof *p)
{
    const char *version = mbedtls_ssl_get_version(&c->ssl);
    const char *suite = mbedtls_ssl_get_ciphersuite(&c->ssl);

    snprintf(p->version, sizeof p->version, "%s", strncmp(version, "TLSv", 4) == 0 ? version + 4 : "");
    suite_name(suite ? suite : "", p->suite, sizeof p->suite);
    if (!c->hello_read)
        c->hello = flight_read(&c->side->flight, p->version, p->suite);
    c->hello_read = 1;
    p->resumed = conn_resumed(c, p->version);
    p->hello_retry = c->hello.hello_retry;
    p->psk = !p->resumed && (c->hello.psk || strstr(p->suite, "_PSK_") != NULL);
    p->early = conn_early(c);
    snprintf(p->group, sizeof p->group, "%s", group_name(c->hello.group));
    if (!p->resumed && !p->psk)
        snprintf(p->signature, sizeof p->signature, "%s", scheme_name(conn_scheme(c)));
    proof_peer(c, p);
}

/* The certificate was refused, or did not come: the codes of the X.509 module
 * (0x2080 to 0x3000), and 0x7A00, whose name differs between 2.28 and 3.x. */
static int failed_verify(int err)
{
    int high = -err & 0xff80;

    return (high >= 0x2080 && high <= 0x3000) || high == 0x7a00 || err == MBEDTLS_ERR_SSL_NO_CLIENT_CERTIFICATE;
}

static void failure_verify(struct conn *c, struct failure *f, const char *alert)
{
    char why[120] = "";
    uint32_t flags = mbedtls_ssl_get_verify_result(&c->ssl);

    if (flags != 0 && flags != 0xffffffff)
        mbedtls_x509_crt_verify_info(why, sizeof why, "", flags);
    why[strcspn(why, "\n")] = '\0';
    fail(f, "verify", "local", alert, "%s", *why ? why : error_text(c->err));
}

static void conn_failure(struct conn *c, struct failure *f)
{
    int sent = c->alert_sent >= 0 ? c->alert_sent : compat_alert(&c->ssl);
    const char *alert = sent > 0 ? alert_name(sent) : NULL;

    if (c->err == MBEDTLS_ERR_SSL_CONN_EOF || c->err == MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY || c->err == 0)
        fail(f, "closed", NULL, NULL, "%s", c->err ? error_text(c->err) : "the peer ended the connection");
    else if (c->err == MBEDTLS_ERR_NET_SEND_FAILED || c->err == MBEDTLS_ERR_NET_RECV_FAILED)
        fail(f, c->sys == ECONNRESET || c->sys == EPIPE ? "reset" : "other", NULL, NULL, "%s", strerror(c->sys));
    else if (c->err == MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE)
        fail(f, "alert", "peer", alert_name(c->ssl.MBEDTLS_PRIVATE(in_msg)[1]), "%s", error_text(c->err));
    else if (failed_verify(c->err))
        failure_verify(c, f, alert);
    else
        fail(f, alert ? "alert" : "protocol", alert ? "local" : NULL, alert, "%s", error_text(c->err));
}

#endif
