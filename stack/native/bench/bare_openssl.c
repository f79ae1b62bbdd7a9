/* bare_openssl.c: the bare loop of OpenSSL. */
#include <openssl/ssl.h>

static SSL_CTX *ctx;

static int setup(const char *root, int tls13)
{
    int version = tls13 ? TLS1_3_VERSION : TLS1_2_VERSION;

    ctx = SSL_CTX_new(TLS_client_method());
    if (!ctx || SSL_CTX_load_verify_locations(ctx, root, NULL) != 1)
        return 0;
    SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER, NULL);
    return SSL_CTX_set_min_proto_version(ctx, version) && SSL_CTX_set_max_proto_version(ctx, version) &&
           SSL_CTX_set1_groups_list(ctx, tls13 ? "X25519" : "X25519:P-256") &&
           X509_VERIFY_PARAM_set1_host(SSL_CTX_get0_param(ctx), "localhost", 0);
}

static int exchange(int fd)
{
    SSL *ssl = SSL_new(ctx);
    char buf[64] = "";
    int ok;

    SSL_set_fd(ssl, fd);
    SSL_set_tlsext_host_name(ssl, "localhost");
    ok = SSL_connect(ssl) == 1 && SSL_write(ssl, buf, 32) == 32 && SSL_read(ssl, buf, sizeof buf) == 32;
    SSL_shutdown(ssl);
    SSL_free(ssl);
    return ok;
}

#include "bare.h"
