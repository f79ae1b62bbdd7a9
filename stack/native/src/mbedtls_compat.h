/* mbedtls_compat.h: where the API of Mbed TLS 2.28 and of 3.x part ways. */
#ifndef SHAKEDOWN_MBEDTLS_COMPAT_H
#define SHAKEDOWN_MBEDTLS_COMPAT_H

#if MBEDTLS_VERSION_MAJOR < 3

#define MBEDTLS_PRIVATE(member) member

typedef mbedtls_ecp_group_id group_t; /* a list of groups ends with 0 */

/* What the process needs once; 0 or an error. */
static int compat_start(void)
{
    return 0;
}

static group_t compat_group(uint16_t code)
{
    const mbedtls_ecp_curve_info *info = mbedtls_ecp_curve_info_from_tls_id(code);

    return info ? info->grp_id : MBEDTLS_ECP_DP_NONE;
}

static uint16_t compat_group_code(group_t group)
{
    const mbedtls_ecp_curve_info *info = mbedtls_ecp_curve_info_from_grp_id(group);

    return info ? info->tls_id : 0;
}

static const group_t *compat_default_groups(const mbedtls_ssl_config *conf)
{
    return conf->curve_list;
}

static void compat_conf_groups(mbedtls_ssl_config *conf, const group_t *groups)
{
    mbedtls_ssl_conf_curves(conf, groups);
}

/* Exactly this version; 0 when the build does not have it. */
static int compat_conf_version(mbedtls_ssl_config *conf, const char *version)
{
    if (strcmp(version, "1.2") != 0)
        return 0;
    mbedtls_ssl_conf_min_version(conf, MBEDTLS_SSL_MAJOR_VERSION_3, MBEDTLS_SSL_MINOR_VERSION_3);
    mbedtls_ssl_conf_max_version(conf, MBEDTLS_SSL_MAJOR_VERSION_3, MBEDTLS_SSL_MINOR_VERSION_3);
    return 1;
}

static int compat_parse_key(mbedtls_pk_context *pk, const char *pem, mbedtls_ctr_drbg_context *rng)
{
    (void)rng;
    return mbedtls_pk_parse_key(pk, (const unsigned char *)pem, strlen(pem) + 1, NULL, 0);
}

static int compat_check_pair(const mbedtls_x509_crt *cert, const mbedtls_pk_context *key, mbedtls_ctr_drbg_context *rng)
{
    (void)rng;
    return mbedtls_pk_check_pair(&cert->pk, key);
}

static int keylog_secret(void *arg, const unsigned char *master, const unsigned char *block, size_t mac, size_t key,
                         size_t iv, const unsigned char client[32], const unsigned char server[32],
                         mbedtls_tls_prf_types prf)
{
    (void)arg, (void)block, (void)mac, (void)key, (void)iv, (void)server, (void)prf;
    keylog_write("CLIENT_RANDOM", client, master, 48);
    return 0;
}

static void compat_keylog(mbedtls_ssl_config *conf, mbedtls_ssl_context *ssl)
{
    (void)ssl;
    mbedtls_ssl_conf_export_keys_ext_cb(conf, keylog_secret, NULL);
}

/* The alert that was pended last: this version sends its alerts at once. */
static int compat_alert(const mbedtls_ssl_context *ssl)
{
    (void)ssl;
    return 0;
}

#else

typedef uint16_t group_t;

/* TLS 1.3 computes by PSA. */
static int compat_start(void)
{
#ifdef MBEDTLS_PSA_CRYPTO_C
    return psa_crypto_init();
#else
    return 0;
#endif
}

static group_t compat_group(uint16_t code)
{
    return code;
}

static uint16_t compat_group_code(group_t group)
{
    return group;
}

static const group_t *compat_default_groups(const mbedtls_ssl_config *conf)
{
    return conf->MBEDTLS_PRIVATE(group_list);
}

static void compat_conf_groups(mbedtls_ssl_config *conf, const group_t *groups)
{
    mbedtls_ssl_conf_groups(conf, groups);
}

static int compat_conf_version(mbedtls_ssl_config *conf, const char *version)
{
    mbedtls_ssl_protocol_version v = MBEDTLS_SSL_VERSION_UNKNOWN;

#ifdef MBEDTLS_SSL_PROTO_TLS1_2
    if (strcmp(version, "1.2") == 0)
        v = MBEDTLS_SSL_VERSION_TLS1_2;
#endif
#ifdef MBEDTLS_SSL_PROTO_TLS1_3
    if (strcmp(version, "1.3") == 0)
        v = MBEDTLS_SSL_VERSION_TLS1_3;
#endif
    if (v == MBEDTLS_SSL_VERSION_UNKNOWN)
        return 0;
    mbedtls_ssl_conf_min_tls_version(conf, v);
    mbedtls_ssl_conf_max_tls_version(conf, v);
    return 1;
}

static int compat_parse_key(mbedtls_pk_context *pk, const char *pem, mbedtls_ctr_drbg_context *rng)
{
    return mbedtls_pk_parse_key(pk, (const unsigned char *)pem, strlen(pem) + 1, NULL, 0, mbedtls_ctr_drbg_random,
                                rng);
}

static int compat_check_pair(const mbedtls_x509_crt *cert, const mbedtls_pk_context *key, mbedtls_ctr_drbg_context *rng)
{
    return mbedtls_pk_check_pair(&cert->pk, key, mbedtls_ctr_drbg_random, rng);
}

static void keylog_secret(void *arg, mbedtls_ssl_key_export_type type, const unsigned char *secret, size_t len,
                          const unsigned char client[32], const unsigned char server[32], mbedtls_tls_prf_types prf)
{
    static const char *const labels[] = {
        [MBEDTLS_SSL_KEY_EXPORT_TLS12_MASTER_SECRET] = "CLIENT_RANDOM",
#ifdef MBEDTLS_SSL_PROTO_TLS1_3
        [MBEDTLS_SSL_KEY_EXPORT_TLS1_3_CLIENT_EARLY_SECRET] = "CLIENT_EARLY_TRAFFIC_SECRET",
        [MBEDTLS_SSL_KEY_EXPORT_TLS1_3_EARLY_EXPORTER_SECRET] = "EARLY_EXPORTER_SECRET",
        [MBEDTLS_SSL_KEY_EXPORT_TLS1_3_CLIENT_HANDSHAKE_TRAFFIC_SECRET] = "CLIENT_HANDSHAKE_TRAFFIC_SECRET",
        [MBEDTLS_SSL_KEY_EXPORT_TLS1_3_SERVER_HANDSHAKE_TRAFFIC_SECRET] = "SERVER_HANDSHAKE_TRAFFIC_SECRET",
        [MBEDTLS_SSL_KEY_EXPORT_TLS1_3_CLIENT_APPLICATION_TRAFFIC_SECRET] = "CLIENT_TRAFFIC_SECRET_0",
        [MBEDTLS_SSL_KEY_EXPORT_TLS1_3_SERVER_APPLICATION_TRAFFIC_SECRET] = "SERVER_TRAFFIC_SECRET_0",
#endif
    };

    (void)arg, (void)server, (void)prf;
    if ((size_t)type < sizeof labels / sizeof *labels)
        keylog_write(labels[type], client, secret, len);
}

static void compat_keylog(mbedtls_ssl_config *conf, mbedtls_ssl_context *ssl)
{
    (void)conf;
    mbedtls_ssl_set_export_keys_cb(ssl, keylog_secret, NULL);
}

static int compat_alert(const mbedtls_ssl_context *ssl)
{
    return ssl->MBEDTLS_PRIVATE(alert_type);
}

#endif

/* What only TLS 1.3 needs: tickets are told of when asked to (off by default
 * from 3.6.1 on), and an external PSK goes with an ephemeral group. */
static void compat_conf_tls13(mbedtls_ssl_config *conf, int tickets, int psk)
{
    (void)conf, (void)tickets, (void)psk;
#ifdef MBEDTLS_SSL_TLS1_3_SIGNAL_NEW_SESSION_TICKETS_ENABLED
    if (tickets)
        mbedtls_ssl_conf_tls13_enable_signal_new_session_tickets(
            conf, MBEDTLS_SSL_TLS1_3_SIGNAL_NEW_SESSION_TICKETS_ENABLED);
#endif
#ifdef MBEDTLS_SSL_PROTO_TLS1_3
    if (psk)
        mbedtls_ssl_conf_tls13_key_exchange_modes(conf, MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_PSK_EPHEMERAL);
#endif
}

#ifndef MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET
#define MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET (-0x7B00)
#endif

#endif
