/* bare_mbedtls.c: the bare loop of Mbed TLS, 2.28 and 3.6. */
#include <mbedtls/version.h>
#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/net_sockets.h>
#include <mbedtls/ssl.h>

static mbedtls_entropy_context entropy;
static mbedtls_ctr_drbg_context rng;
static mbedtls_ssl_config conf;
static mbedtls_x509_crt ca;

#if MBEDTLS_VERSION_MAJOR < 3
static int set_version(int tls13)
{
    mbedtls_ssl_conf_min_version(&conf, MBEDTLS_SSL_MAJOR_VERSION_3, MBEDTLS_SSL_MINOR_VERSION_3);
    return !tls13;
}

static void set_groups(int tls13)
{
    static const mbedtls_ecp_group_id groups[] = {MBEDTLS_ECP_DP_CURVE25519, MBEDTLS_ECP_DP_SECP256R1, 0};

    (void)tls13;
    mbedtls_ssl_conf_curves(&conf, groups);
}
#else
static int set_version(int tls13)
{
    mbedtls_ssl_protocol_version v = tls13 ? MBEDTLS_SSL_VERSION_TLS1_3 : MBEDTLS_SSL_VERSION_TLS1_2;

    mbedtls_ssl_conf_min_tls_version(&conf, v);
    mbedtls_ssl_conf_max_tls_version(&conf, v);
    return psa_crypto_init() == PSA_SUCCESS;
}

static void set_groups(int tls13)
{
    static const uint16_t one[] = {MBEDTLS_SSL_IANA_TLS_GROUP_X25519, 0};
    static const uint16_t two[] = {MBEDTLS_SSL_IANA_TLS_GROUP_X25519, MBEDTLS_SSL_IANA_TLS_GROUP_SECP256R1, 0};

    mbedtls_ssl_conf_groups(&conf, tls13 ? one : two);
}
#endif

static int setup(const char *root, int tls13)
{
    mbedtls_entropy_init(&entropy);
    mbedtls_ctr_drbg_init(&rng);
    mbedtls_ssl_config_init(&conf);
    mbedtls_x509_crt_init(&ca);
    if (mbedtls_ctr_drbg_seed(&rng, mbedtls_entropy_func, &entropy, NULL, 0) != 0 ||
        mbedtls_x509_crt_parse_file(&ca, root) != 0 ||
        mbedtls_ssl_config_defaults(&conf, MBEDTLS_SSL_IS_CLIENT, MBEDTLS_SSL_TRANSPORT_STREAM,
                                    MBEDTLS_SSL_PRESET_DEFAULT) != 0 || !set_version(tls13))
        return 0;
    set_groups(tls13);
    mbedtls_ssl_conf_rng(&conf, mbedtls_ctr_drbg_random, &rng);
    mbedtls_ssl_conf_ca_chain(&conf, &ca, NULL);
    mbedtls_ssl_conf_authmode(&conf, MBEDTLS_SSL_VERIFY_REQUIRED);
    return 1;
}

/* Mbed TLS asks for the same call again after messages that it dealt with. */
static int read_response(mbedtls_ssl_context *ssl)
{
    unsigned char buf[64];
    int n;

    do
        n = mbedtls_ssl_read(ssl, buf, sizeof buf);
    while (n == MBEDTLS_ERR_SSL_WANT_READ);
    return n;
}

static int exchange(int fd)
{
    static const unsigned char request[32];
    mbedtls_net_context net = {.fd = fd};
    mbedtls_ssl_context ssl;
    int ok;

    mbedtls_ssl_init(&ssl);
    ok = mbedtls_ssl_setup(&ssl, &conf) == 0 && mbedtls_ssl_set_hostname(&ssl, "localhost") == 0;
    mbedtls_ssl_set_bio(&ssl, &net, mbedtls_net_send, mbedtls_net_recv, NULL);
    ok = ok && mbedtls_ssl_handshake(&ssl) == 0 && mbedtls_ssl_write(&ssl, request, 32) == 32 &&
         read_response(&ssl) == 32;
    mbedtls_ssl_close_notify(&ssl);
    mbedtls_ssl_free(&ssl);
    return ok;
}

#include "bare.h"
