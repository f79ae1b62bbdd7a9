/* openssl_conn.h: OpenSSL's side of one connection: handshake, data, proof. */
#ifndef SHAKEDOWN_OPENSSL_CONN_H
#define SHAKEDOWN_OPENSSL_CONN_H

static int set_transport(struct conn *c, const struct transport *t)
{
    BIO *in, *out;

    if (t->fd >= 0)
        return SSL_set_fd(c->ssl, t->fd);
    in = pipe_bio(c->side->pipe, t->in);
    out = pipe_bio(c->side->pipe, t->out);
    SSL_set_bio(c->ssl, in, out);
    return in && out;
}

static int side_has_session(struct side *s)
{
    if (!s->session || !SSL_SESSION_is_resumable(s->session))
        return 0;
    return s->cfg->mode != MODE_EARLY || SSL_SESSION_get_max_early_data(s->session) > 0;
}

/* Offers the newest session, once (RFC 8446 §C.4). */
static void offer_session(struct conn *c)
{
    struct side *s = c->side;

    if (!side_has_session(s))
        return;
    c->offered = SSL_set_session(c->ssl, s->session) == 1;
    SSL_SESSION_free(s->session);
    s->session = NULL;
}

static struct conn *conn_new(struct side *s, const struct transport *t)
{
    struct conn *c = &s->conn;

    *c = (struct conn){.ssl = SSL_new(s->ctx), .side = s, .alert = -1};
    if (!c->ssl || !set_transport(c, t)) {
        SSL_free(c->ssl);
        return NULL;
    }
    if (s->server) {
        SSL_set_accept_state(c->ssl);
        return c;
    }
    SSL_set_connect_state(c->ssl);
    SSL_set_tlsext_host_name(c->ssl, s->cfg->server_name);
    offer_session(c);
    return c;
}

/* Keeps why a call failed; 1 when it only waits for the peer. */
static int ssl_again(struct conn *c, int rc)
{
    c->saved_errno = errno;
    c->error = SSL_get_error(c->ssl, rc);
    return c->error == SSL_ERROR_WANT_READ;
}

static enum step conn_handshake(struct conn *c)
{
    int rc = SSL_do_handshake(c->ssl);

    if (rc == 1)
        return DONE;
    return ssl_again(c, rc) ? AGAIN : FAILED;
}

static enum step conn_early_send(struct conn *c, const void *data, size_t n)
{
    size_t wrote;
    int rc = SSL_write_early_data(c->ssl, data, n, &wrote);

    if (rc == 1 && wrote == n)
        return DONE;
    ssl_again(c, rc);
    return FAILED;
}

static enum step conn_handshake_early(struct conn *c, const struct early_sink *sink)
{
    static unsigned char buf[MAX_APP];

    for (;;) {
        const void *reply = NULL;
        size_t n, len = 0;
        int rc = SSL_read_early_data(c->ssl, buf, sizeof buf, &n);

        if (rc == SSL_READ_EARLY_DATA_FINISH)
            return conn_handshake(c);
        if (rc == SSL_READ_EARLY_DATA_ERROR) {
            ssl_again(c, -1);
            return FAILED;
        }
        sink->got(sink->arg, buf, n, &reply, &len);
        if (reply && conn_early_send(c, reply, len) != DONE)
            return FAILED;
    }
}

static int conn_write(struct conn *c, const void *data, size_t n)
{
    int rc = SSL_write(c->ssl, data, (int)n);

    if (rc == (int)n)
        return rc;
    ssl_again(c, rc);
    return FAILED;
}

static int conn_read(struct conn *c, void *data, size_t n)
{
    int rc = SSL_read(c->ssl, data, (int)n);

    if (rc > 0)
        return rc;
    if (ssl_again(c, rc))
        return -2;
    return c->error == SSL_ERROR_ZERO_RETURN ? 0 : -1;
}

static void conn_drain(struct conn *c)
{
    unsigned char buf[256];

    SSL_shutdown(c->ssl);
    while (SSL_read(c->ssl, buf, sizeof buf) > 0)
        ;
}

static void conn_save_session(struct conn *c)
{
    SSL_SESSION_free(c->side->session);
    c->side->session = SSL_get1_session(c->ssl);
}

static void conn_free(struct conn *c, int notify)
{
    if (notify && !(SSL_get_shutdown(c->ssl) & SSL_SENT_SHUTDOWN))
        SSL_shutdown(c->ssl);
    SSL_free(c->ssl);
    ERR_clear_error();
}

/* ---- what went wrong ------------------------------------------------------ */

static void fail_syscall(struct conn *c, struct failure *f)
{
    int err = c->saved_errno;

    if (err == ECONNRESET || err == EPIPE)
        fail(f, "reset", NULL, NULL, "%s", strerror(err));
    else if (err == 0)
        fail(f, "closed", NULL, NULL, "unexpected end of file");
    else
        fail(f, "other", NULL, NULL, "%s", strerror(err));
}

static void conn_failure(struct conn *c, struct failure *f)
{
    int reason = ERR_GET_REASON(ERR_peek_error());
    const char *alert = c->alert > 0 ? alert_name(c->alert) : NULL, *from = alert ? "local" : NULL;

    if (c->error == SSL_ERROR_SYSCALL)
        fail_syscall(c, f);
    else if (c->error == SSL_ERROR_ZERO_RETURN)
        fail(f, "closed", "peer", "close_notify", "the peer closed");
#ifdef SSL_R_UNEXPECTED_EOF_WHILE_READING
    else if (reason == SSL_R_UNEXPECTED_EOF_WHILE_READING)
        fail(f, "closed", NULL, NULL, "%s", ssl_words());
#endif
    else if (reason > SSL_AD_REASON_OFFSET)
        fail(f, "alert", "peer", alert_name(reason - SSL_AD_REASON_OFFSET), "%s", ssl_words());
    else if (reason == SSL_R_CERTIFICATE_VERIFY_FAILED)
        fail(f, "verify", from, alert, "%s: %s", ssl_words(),
             X509_verify_cert_error_string(SSL_get_verify_result(c->ssl)));
    else
        fail(f, alert ? "alert" : "protocol", from, alert, "%s", ssl_words());
}

/* ---- what happened --------------------------------------------------------- */

/* Signature schemes by key and hash, for OpenSSL before 3.5. */
static const struct {
    int key, hash;
    const char *name;
} schemes[] = {
    {EVP_PKEY_EC, NID_sha256, "ecdsa_secp256r1_sha256"}, {EVP_PKEY_EC, NID_sha384, "ecdsa_secp384r1_sha384"},
    {EVP_PKEY_EC, NID_sha512, "ecdsa_secp521r1_sha512"}, {EVP_PKEY_EC, NID_sha1, "ecdsa_sha1"},
    {EVP_PKEY_ED25519, NID_undef, "ed25519"}, {EVP_PKEY_ED448, NID_undef, "ed448"},
    {EVP_PKEY_RSA_PSS, NID_sha256, "rsa_pss_rsae_sha256"}, {EVP_PKEY_RSA_PSS, NID_sha384, "rsa_pss_rsae_sha384"},
    {EVP_PKEY_RSA_PSS, NID_sha512, "rsa_pss_rsae_sha512"}, {EVP_PKEY_RSA, NID_sha256, "rsa_pkcs1_sha256"},
    {EVP_PKEY_RSA, NID_sha384, "rsa_pkcs1_sha384"}, {EVP_PKEY_RSA, NID_sha512, "rsa_pkcs1_sha512"},
    {EVP_PKEY_RSA, NID_sha1, "rsa_pkcs1_sha1"},
};

static const char *signature_name(struct conn *c)
{
    int key = NID_undef, hash = NID_undef;

#ifdef SSL_get0_signature_name
    const char *name = NULL;

    if (c->side->server ? SSL_get0_signature_name(c->ssl, &name) : SSL_get0_peer_signature_name(c->ssl, &name))
        return name;
#endif
    if (c->side->server) {
        SSL_get_signature_type_nid(c->ssl, &key);
        SSL_get_signature_nid(c->ssl, &hash);
    } else {
        SSL_get_peer_signature_type_nid(c->ssl, &key);
        SSL_get_peer_signature_nid(c->ssl, &hash);
    }
    for (size_t i = 0; i < COUNT(schemes); i++)
        if (schemes[i].key == key && schemes[i].hash == hash)
            return schemes[i].name;
    return "";
}

#if OPENSSL_VERSION_NUMBER >= 0x30000000L
static const char *group_name(SSL *ssl)
{
    const char *name = SSL_group_to_name(ssl, (int)SSL_get_negotiated_group(ssl));
    const struct group *g = name ? find_group(name) : NULL;

    return g ? g->name : name ? name : "";
}
#else
/* The peer's key tells; a TLS 1.2 server has forgotten it by now. */
static const char *group_name(SSL *ssl)
{
    EVP_PKEY *key = NULL;
    int nid = NID_undef;

    if (SSL_get_peer_tmp_key(ssl, &key) == 1)
        nid = EVP_PKEY_id(key);
    if (nid == EVP_PKEY_EC)
        nid = EC_GROUP_get_curve_name(EC_KEY_get0_group(EVP_PKEY_get0_EC_KEY(key)));
    EVP_PKEY_free(key);
    for (size_t i = 0; i < COUNT(groups) && nid != NID_undef; i++)
        if (groups[i].nid == nid)
            return groups[i].name;
    return "";
}
#endif

/* Does a TLS 1.2 suite exchange keys on a named group? */
static int on_group12(const SSL_CIPHER *cipher)
{
    int kx = SSL_CIPHER_get_kx_nid(cipher);

    return kx == NID_kx_ecdhe || kx == NID_kx_ecdhe_psk;
}

/* Does the server sign in a TLS 1.2 suite? */
static int signs12(const SSL_CIPHER *cipher)
{
    int kx = SSL_CIPHER_get_kx_nid(cipher);

    return kx == NID_kx_ecdhe || kx == NID_kx_dhe;
}

static void prove_peer(struct conn *c, struct proof *p)
{
    X509 *peer = SSL_get_peer_certificate(c->ssl);
    int mine;

    if (peer)
        p->verified = (SSL_get_verify_mode(c->ssl) & SSL_VERIFY_PEER) && SSL_get_verify_result(c->ssl) == X509_V_OK;
    if (p->resumed != YES)
        p->mutual = c->side->server ? peer != NULL : SSL_get_signature_type_nid(c->ssl, &mine) == 1;
    X509_free(peer);
}

static void prove_early(struct conn *c, struct proof *p)
{
    int status = SSL_get_early_data_status(c->ssl);

    if (status != SSL_EARLY_DATA_NOT_SENT)
        p->early = status == SSL_EARLY_DATA_ACCEPTED;
}

/* OpenSSL calls an external key of TLS 1.3 a reused session; only one of both
 * was offered, so it is known which. */
static void conn_proof(struct conn *c, struct proof *p)
{
    const SSL_CIPHER *cipher = SSL_get_current_cipher(c->ssl);
    int v13 = SSL_version(c->ssl) == TLS1_3_VERSION, reused = SSL_session_reused(c->ssl);
    int psk12 = SSL_CIPHER_get_auth_nid(cipher) == NID_auth_psk;

    snprintf(p->version, sizeof p->version, "%s", v13 ? "1.3" : "1.2");
    snprintf(p->suite, sizeof p->suite, "%s", SSL_CIPHER_standard_name(cipher));
    p->psk = v13 ? reused && c->psk : psk12 && !reused;
    p->resumed = reused && !(v13 && c->psk);
    p->hello_retry = v13 ? c->retry : UNKNOWN;
    if (v13 || (!reused && on_group12(cipher)))
        snprintf(p->group, sizeof p->group, "%s", group_name(c->ssl));
    if (!reused && (v13 || signs12(cipher)))
        snprintf(p->signature, sizeof p->signature, "%s", signature_name(c));
    prove_early(c, p);
    prove_peer(c, p);
}

#endif
