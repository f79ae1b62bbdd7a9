/* bare_gnutls.c: the bare loop of GnuTLS. */
#include <gnutls/gnutls.h>

static gnutls_priority_t priority;
static gnutls_certificate_credentials_t cert;

static int setup(const char *root, int tls13)
{
    const char *wanted = tls13 ? "NORMAL:-VERS-ALL:+VERS-TLS1.3:-GROUP-ALL:+GROUP-X25519"
                               : "NORMAL:-VERS-ALL:+VERS-TLS1.2:-GROUP-ALL:-RSA:+GROUP-X25519";

    return gnutls_priority_init(&priority, wanted, NULL) == 0 &&
           gnutls_certificate_allocate_credentials(&cert) == 0 &&
           gnutls_certificate_set_x509_trust_file(cert, root, GNUTLS_X509_FMT_PEM) > 0;
}

/* GnuTLS asks for the same call again after a ticket. */
static int read_response(gnutls_session_t session)
{
    char buf[64];
    int n;

    do
        n = (int)gnutls_record_recv(session, buf, sizeof buf);
    while (n == GNUTLS_E_AGAIN);
    return n;
}

static int exchange(int fd)
{
    static const char request[32];
    gnutls_session_t session;
    int ok;

    if (gnutls_init(&session, GNUTLS_CLIENT | GNUTLS_NO_SIGNAL | GNUTLS_KEY_SHARE_TOP) != 0)
        return 0;
    gnutls_transport_set_int(session, fd);
    ok = gnutls_priority_set(session, priority) == 0 &&
         gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, cert) == 0 &&
         gnutls_server_name_set(session, GNUTLS_NAME_DNS, "localhost", 9) == 0;
    gnutls_session_set_verify_cert(session, "localhost", 0);
    ok = ok && gnutls_handshake(session) == 0 && gnutls_record_send(session, request, 32) == 32 &&
         read_response(session) == 32;
    gnutls_bye(session, GNUTLS_SHUT_WR);
    gnutls_deinit(session);
    return ok;
}

#include "bare.h"
