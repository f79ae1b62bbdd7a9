/* bare_wolfssl.c: the bare loop of wolfSSL. */
#include <wolfssl/options.h>

#include <wolfssl/ssl.h>

static WOLFSSL_CTX *ctx;
static int v13;

static int setup(const char *root, int tls13)
{
    int group = WOLFSSL_ECC_X25519;

    v13 = tls13;
    if (wolfSSL_Init() != WOLFSSL_SUCCESS)
        return 0;
    ctx = wolfSSL_CTX_new(tls13 ? wolfTLSv1_3_client_method() : wolfTLSv1_2_client_method());
    if (!ctx || wolfSSL_CTX_load_verify_locations(ctx, root, NULL) != WOLFSSL_SUCCESS)
        return 0;
    wolfSSL_CTX_set_verify(ctx, WOLFSSL_VERIFY_PEER, NULL);
    return wolfSSL_CTX_UseSNI(ctx, WOLFSSL_SNI_HOST_NAME, "localhost", 9) == WOLFSSL_SUCCESS &&
           (tls13 ? wolfSSL_CTX_set_groups(ctx, &group, 1)
                  : wolfSSL_CTX_UseSupportedCurve(ctx, WOLFSSL_ECC_X25519)) == WOLFSSL_SUCCESS;
}

static int exchange(int fd)
{
    WOLFSSL *ssl = wolfSSL_new(ctx);
    char buf[64] = "";
    int ok;

    wolfSSL_set_fd(ssl, fd);
    wolfSSL_check_domain_name(ssl, "localhost");
    if (v13)
        wolfSSL_UseKeyShare(ssl, WOLFSSL_ECC_X25519);
    ok = wolfSSL_connect(ssl) == WOLFSSL_SUCCESS && wolfSSL_write(ssl, buf, 32) == 32 &&
         wolfSSL_read(ssl, buf, sizeof buf) == 32;
    wolfSSL_shutdown(ssl);
    wolfSSL_free(ssl);
    return ok;
}

#include "bare.h"
