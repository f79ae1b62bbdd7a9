/* gnutls_proof.h: what happened: failures and proofs. */
#ifndef SHAKEDOWN_GNUTLS_PROOF_H
#define SHAKEDOWN_GNUTLS_PROOF_H

static void fail_verify(const struct conn *c, struct failure *f)
{
    const char *alert = c->alert < 0 ? NULL : alert_name(c->alert);
    unsigned status = gnutls_session_get_verify_cert_status(c->session);
    gnutls_datum_t words = {0};
    int len;

    if (gnutls_certificate_verification_status_print(status, GNUTLS_CRT_X509, &words, 0) < 0) {
        fail(f, "verify", "local", alert, "%s", gnutls_strerror(c->err));
        return;
    }
    len = (int)strlen((const char *)words.data);
    while (len && words.data[len - 1] == ' ')
        len--;
    fail(f, "verify", "local", alert, "%.*s", len, words.data);
    gnutls_free(words.data);
}

static void fail_system(const struct conn *c, struct failure *f)
{
    const char *reason = c->sys == ECONNRESET || c->sys == EPIPE ? "reset"
                       : c->sys == ETIMEDOUT ? "timeout" : "other";

    fail(f, reason, NULL, NULL, "%s (%s)", gnutls_strerror(c->err), strerror(c->sys));
}

static void conn_failure(struct conn *c, struct failure *f)
{
    const char *words = c->err ? gnutls_strerror(c->err) : "the peer closed";

    switch (c->err) {
    case 0:
        fail(f, "closed", "peer", "close_notify", "%s", words);
        break;
    case GNUTLS_E_PREMATURE_TERMINATION: /* also a reset while sending */
        if (c->sys == ECONNRESET)
            fail_system(c, f);
        else
            fail(f, "closed", NULL, NULL, "%s", words);
        break;
    case GNUTLS_E_FATAL_ALERT_RECEIVED:
        fail(f, "alert", "peer", alert_name(gnutls_alert_get(c->session)), "%s", words);
        break;
    case GNUTLS_E_RECORD_LIMIT_REACHED:
        fail(f, "no-session", NULL, NULL, "the ticket does not allow so much early data");
        break;
    case GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR:
        fail_verify(c, f);
        break;
    case GNUTLS_E_PULL_ERROR:
    case GNUTLS_E_PUSH_ERROR:
        fail_system(c, f);
        break;
    default:
        if (c->alert < 0)
            fail(f, "protocol", NULL, NULL, "%s", words);
        else
            fail(f, "alert", "local", alert_name(c->alert), "%s", words);
    }
}

static const char *version_name(gnutls_protocol_t version)
{
    switch (version) {
    case GNUTLS_TLS1_3: return "1.3";
    case GNUTLS_TLS1_2: return "1.2";
    case GNUTLS_TLS1_1: return "1.1";
    case GNUTLS_TLS1_0: return "1.0";
    default: return "";
    }
}

static int kx_is_psk(gnutls_kx_algorithm_t kx)
{
    return kx == GNUTLS_KX_PSK || kx == GNUTLS_KX_DHE_PSK || kx == GNUTLS_KX_ECDHE_PSK;
}

/* Did the client show a certificate in this handshake? */
static int shown_certificate(const struct conn *c)
{
    unsigned n = 0;

    if (!c->side->cert)
        return NO;
    if (c->side->server)
        return gnutls_certificate_get_peers(c->session, &n) && n ? YES : NO;
    return gnutls_certificate_client_get_request_status(c->session) && gnutls_certificate_get_ours(c->session)
               ? YES : NO;
}

static void proof_copy(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}

/* IANA's name of the suite; before 3.7.4 by its parts, which are a suite's only. */
static void prove_suite(gnutls_session_t session, struct proof *p)
{
#if GNUTLS_VERSION_NUMBER >= 0x030704
    proof_copy(p->suite, sizeof p->suite, gnutls_ciphersuite_get(session));
#else
    int tls13 = gnutls_protocol_get_version(session) == GNUTLS_TLS1_3;
    struct suite s;

    for (size_t i = 0; suite_at(i, &s); i++)
        if (s.usable && s.tls13 == tls13 && (tls13 || s.kx == gnutls_kx_get(session)) &&
            s.cipher == gnutls_cipher_get(session) && s.mac == gnutls_mac_get(session))
            proof_copy(p->suite, sizeof p->suite, s.iana);
#endif
}

/* A resumed handshake has no certificates: what it verified is left out. */
static void conn_proof(struct conn *c, struct proof *p)
{
    gnutls_session_t s = c->session;
    int tls13 = gnutls_protocol_get_version(s) == GNUTLS_TLS1_3;
    int early = (gnutls_session_get_flags(s) & GNUTLS_SFLAGS_EARLY_DATA) != 0;

    proof_copy(p->version, sizeof p->version, version_name(gnutls_protocol_get_version(s)));
    prove_suite(s, p);
    p->resumed = gnutls_session_is_resumed(s) != 0;
    p->psk = !p->resumed && kx_is_psk(gnutls_kx_get(s));
    p->hello_retry = c->retried;
    if ((tls13 || !p->resumed) && gnutls_group_get(s))
        proof_copy(p->group, sizeof p->group, group_iana(gnutls_group_get(s)));
    if (c->offered || early)
        p->early = early;
    if (p->resumed)
        return;
    p->mutual = shown_certificate(c);
    if (!p->psk)
        proof_copy(p->signature, sizeof p->signature, signature_iana(gnutls_sign_algorithm_get(s)));
    if (gnutls_session_get_verify_cert_status(s) == 0)
        p->verified = YES;
    else if (c->side->cert && c->side->cfg->insecure)
        p->verified = NO;
}

#endif
