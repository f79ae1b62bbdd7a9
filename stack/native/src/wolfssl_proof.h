/* wolfssl_proof.h: what wolfSSL says of a connection: how it failed, and what
 * happened when it did not. */
#ifndef SHAKEDOWN_WOLFSSL_PROOF_H
#define SHAKEDOWN_WOLFSSL_PROOF_H

#if defined(OPENSSL_EXTRA) && LIBWOLFSSL_VERSION_HEX >= 0x05007002
#include <wolfssl/openssl/ec.h>
#include <wolfssl/openssl/evp.h>
#define TELLS_SIGNATURE
#endif

/* Is it about the peer's certificate, by the code or by the alert sent? */
static int is_verify_error(int error, int alert)
{
    switch (alert) {
    case bad_certificate: case unsupported_certificate: case certificate_revoked: case certificate_expired:
    case certificate_unknown: case unknown_ca:
        return 1;
    default:
        return error == NO_PEER_CERT || error == DOMAIN_NAME_MISMATCH || error == VERIFY_CERT_ERROR;
    }
}

/* What the system said of a transport that failed, or NULL for another error. */
static const char *transport_reason(const struct conn *c)
{
    switch (c->error) {
    case SOCKET_PEER_CLOSED_E: case SOCKET_ERROR_E: case WOLFSSL_ERROR_SYSCALL: case WOLFSSL_ERROR_ZERO_RETURN:
        if (c->sys == ECONNRESET)
            return "reset";
        return c->sys == ETIMEDOUT || c->sys == EAGAIN ? "timeout" : "closed";
    default:
        return NULL;
    }
}

/* The code of a fatal alert, or 0. */
static int fatal_alert(const WOLFSSL_ALERT *a)
{
    return a->level == alert_fatal && a->code > 0 ? a->code : 0;
}

/* An alert says more than the error, which may be what came after it. */
static void conn_failure(struct conn *c, struct failure *f)
{
    WOLFSSL_ALERT_HISTORY h = {{0, 0}, {0, 0}};
    char words[WOLFSSL_MAX_ERROR_SZ];
    const char *transport = transport_reason(c);
    int got, sent;

    wolfSSL_ERR_error_string((unsigned long)c->error, words);
    wolfSSL_get_alert_history(c->ssl, &h);
    got = fatal_alert(&h.last_rx);
    sent = c->error == SOCKET_ERROR_E ? 0 : fatal_alert(&h.last_tx); /* then it went nowhere */
    if (got)
        fail(f, "alert", "peer", alert_name(got), "%s", words);
    else if (is_verify_error(c->error, sent))
        fail(f, "verify", "local", sent ? alert_name(sent) : NULL, "%s", words);
    else if (sent)
        fail(f, "alert", "local", alert_name(sent), "%s", words);
    else if (transport)
        fail(f, transport, NULL, NULL, "%s", c->sys ? strerror(c->sys) : words);
    else
        fail(f, "protocol", NULL, NULL, "%s", words);
}

#ifdef TELLS_SIGNATURE
/* IANA name of a signature scheme from key type and hash; "" when unknown. */
static const char *signature_iana(int type, int hash)
{
    static const struct { int type, hash; const char *name; } schemes[] = {
        {NID_X9_62_id_ecPublicKey, NID_sha256, "ecdsa_secp256r1_sha256"},
        {NID_X9_62_id_ecPublicKey, NID_sha384, "ecdsa_secp384r1_sha384"},
        {NID_X9_62_id_ecPublicKey, NID_sha512, "ecdsa_secp521r1_sha512"},
        {NID_X9_62_id_ecPublicKey, NID_sha1, "ecdsa_sha1"},
        {NID_rsassaPss, NID_sha256, "rsa_pss_rsae_sha256"},
        {NID_rsassaPss, NID_sha384, "rsa_pss_rsae_sha384"},
        {NID_rsassaPss, NID_sha512, "rsa_pss_rsae_sha512"},
        {NID_rsaEncryption, NID_sha256, "rsa_pkcs1_sha256"},
        {NID_rsaEncryption, NID_sha384, "rsa_pkcs1_sha384"},
        {NID_rsaEncryption, NID_sha512, "rsa_pkcs1_sha512"},
        {NID_rsaEncryption, NID_sha1, "rsa_pkcs1_sha1"},
#ifdef HAVE_ED25519
        {NID_ED25519, 0, "ed25519"},
#endif
#ifdef CTC_ML_DSA_LEVEL2 /* a macro since 5.9, when the names changed */
        {CTC_ML_DSA_44, 0, "mldsa44"}, {CTC_ML_DSA_65, 0, "mldsa65"}, {CTC_ML_DSA_87, 0, "mldsa87"},
#endif
    };

    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (schemes[i].type == type && (schemes[i].hash == hash || schemes[i].hash == 0))
            return schemes[i].name;
    return "";
}
#endif

/* The server's signature: on the client the peer's, on the server its own. */
static const char *conn_signature(struct conn *c)
{
#ifdef TELLS_SIGNATURE
    int type = 0, hash = 0, ok;

    if (c->side->server)
        ok = wolfSSL_get_signature_type_nid(c->ssl, &type) == WOLFSSL_SUCCESS &&
             wolfSSL_get_signature_nid(c->ssl, &hash) == WOLFSSL_SUCCESS;
    else
        ok = wolfSSL_get_peer_signature_type_nid(c->ssl, &type) == WOLFSSL_SUCCESS &&
             wolfSSL_get_peer_signature_nid(c->ssl, &hash) == WOLFSSL_SUCCESS;
    return ok ? signature_iana(type, hash) : "";
#else
    (void)c;
    return "";
#endif
}

/* Did an external PSK authenticate the handshake? TLS 1.2 says it in the suite.
 * In TLS 1.3, where a certificate is the only other way, a server has none
 * loaded when it has a PSK, and a client is asked for the one it was shown. */
static int conn_psk(struct conn *c, const struct proof *p)
{
    if (strcmp(p->version, "1.2") == 0)
        return strstr(p->suite, "PSK_") != NULL;
    if (!c->side->psk || p->resumed)
        return NO;
    if (c->side->server)
        return YES;
#if defined(KEEP_PEER_CERT) || defined(OPENSSL_EXTRA)
    WOLFSSL_X509 *shown = wolfSSL_get_peer_certificate(c->ssl);

    wolfSSL_X509_free(shown);
    return shown == NULL;
#else
    return UNKNOWN;
#endif
}

static void proof_early(struct conn *c, struct proof *p)
{
#if defined(WOLFSSL_EARLY_DATA) && defined(HAVE_SESSION_TICKET)
    int status = wolfSSL_get_early_data_status(c->ssl);

    if (c->side->server)
        p->early = c->early ? YES : UNKNOWN;
    else if (c->early)
        p->early = status == WOLFSSL_EARLY_DATA_ACCEPTED;
#else
    (void)c, (void)p;
#endif
}

/* Which ends proved who they are. A server that demands a certificate does not
 * come to the end of a full handshake without one. */
static void proof_peers(struct conn *c, struct proof *p)
{
    const struct side *s = c->side;

    p->psk = conn_psk(c, p);
    if (p->psk != YES && s->server && s->cfg->mutual)
        p->verified = YES;
    if (p->psk != YES && !s->server)
        p->verified = !s->cfg->insecure;
    if (p->resumed)
        return;
    if (s->server || !s->cfg->mutual)
        p->mutual = p->psk != YES && s->cfg->mutual;
#ifdef TELLS_REQUEST
    else
        p->mutual = c->asked;
#endif
}

/* The group of the key exchange, or "". In TLS 1.2 wolfSSL names a curve also
 * where the suite used none. */
static const char *conn_group(struct conn *c, const struct proof *p, int tls13)
{
    const char *name = group_iana(wolfSSL_get_curve_name(c->ssl), tls13);
    int ffdhe = strncmp(name, "ffdhe", 5) == 0;

    if (tls13)
        return name;
    if (p->resumed || !strstr(p->suite, ffdhe ? "_DHE_" : "_ECDHE_"))
        return "";
    return name;
}

/* Was there a HelloRetryRequest? Where wolfSSL does not tell of hellos, a group
 * other than the only one that the client sent a share for proves one. */
static int conn_retried(struct conn *c, const struct proof *p)
{
#ifdef OPENSSL_EXTRA
    (void)p;
    return c->hellos > 1;
#else
    const struct side *s = c->side;

    if (s->server || p->resumed || s->n_groups == 0 || !*p->group)
        return UNKNOWN;
    return strcmp(p->group, group_by_code(s->groups[0])->name) != 0 ? YES : UNKNOWN;
#endif
}

static void conn_proof(struct conn *c, struct proof *p)
{
    int suite = wolfSSL_get_current_cipher_suite(c->ssl), tls13;
    const char *iana = wolfSSL_get_cipher_name_iana_from_suite((unsigned char)(suite >> 8), (unsigned char)suite);
    const char *version = wolfSSL_get_version(c->ssl);

    tls13 = strcmp(version, "TLSv1.3") == 0;
    snprintf(p->version, sizeof p->version, "%s", strncmp(version, "TLSv", 4) == 0 ? version + 4 : "");
    snprintf(p->suite, sizeof p->suite, "%s", iana ? iana : "");
    p->resumed = wolfSSL_session_reused(c->ssl) != 0;
    snprintf(p->group, sizeof p->group, "%s", conn_group(c, p, tls13));
    proof_early(c, p);
    proof_peers(c, p);
    if (!p->resumed && p->psk != YES)
        snprintf(p->signature, sizeof p->signature, "%s", conn_signature(c));
    p->hello_retry = tls13 ? conn_retried(c, p) : NO;
}

#endif
