/* mbedtls_names.h: IANA's names for what Mbed TLS numbers or spells its own way. */
#ifndef SHAKEDOWN_MBEDTLS_NAMES_H
#define SHAKEDOWN_MBEDTLS_NAMES_H

#ifdef MBEDTLS_SSL_PROTO_TLS1_3
#define HAS_TLS13 1
#else
#define HAS_TLS13 0
#endif

struct code_name {
    uint16_t code;
    const char *name;
};

/* IANA "TLS Supported Groups", as far as any Mbed TLS has them. */
static const struct code_name group_names[] = {
    {29, "x25519"}, {23, "secp256r1"}, {24, "secp384r1"}, {30, "x448"}, {25, "secp521r1"},
    {26, "brainpoolP256r1"}, {27, "brainpoolP384r1"}, {28, "brainpoolP512r1"},
    {18, "secp192k1"}, {19, "secp192r1"}, {20, "secp224k1"}, {21, "secp224r1"}, {22, "secp256k1"},
    {256, "ffdhe2048"}, {257, "ffdhe3072"}, {258, "ffdhe4096"}, {259, "ffdhe6144"}, {260, "ffdhe8192"}, {0, ""},
};

/* IANA "TLS SignatureScheme"; TLS 1.2's pairs of hash and signature are among them. */
static const struct code_name scheme_names[] = {
    {0x0403, "ecdsa_secp256r1_sha256"}, {0x0503, "ecdsa_secp384r1_sha384"}, {0x0603, "ecdsa_secp521r1_sha512"},
    {0x0804, "rsa_pss_rsae_sha256"}, {0x0805, "rsa_pss_rsae_sha384"}, {0x0806, "rsa_pss_rsae_sha512"},
    {0x0809, "rsa_pss_pss_sha256"}, {0x080a, "rsa_pss_pss_sha384"}, {0x080b, "rsa_pss_pss_sha512"},
    {0x0401, "rsa_pkcs1_sha256"}, {0x0501, "rsa_pkcs1_sha384"}, {0x0601, "rsa_pkcs1_sha512"},
    {0x0301, "rsa_pkcs1_sha224"}, {0x0303, "ecdsa_sha224"}, {0x0201, "rsa_pkcs1_sha1"}, {0x0203, "ecdsa_sha1"},
    {0, ""},
};

/* The name of a code; "" when the table has none. */
static const char *code_name(const struct code_name *table, unsigned code)
{
    while (table->code != 0 && table->code != code)
        table++;
    return table->name;
}

static const char *group_name(unsigned code)
{
    return code_name(group_names, code);
}

static const char *scheme_name(unsigned code)
{
    return code_name(scheme_names, code);
}

/* 0 when there is no such name. */
static uint16_t group_code(const char *name)
{
    const struct code_name *g = group_names;

    while (g->code != 0 && strcmp(g->name, name) != 0)
        g++;
    return g->code;
}

/* Can the build use the group in this version (NULL: in any)? TLS 1.3 has five
 * curves, and alone has the groups of RFC 7919 by name (RFC 8446 4.2.7). */
static int group_known(uint16_t code, const char *version)
{
    int tls12 = !version || strcmp(version, "1.2") == 0, tls13 = HAS_TLS13 && (!version || strcmp(version, "1.3") == 0);
    int curve = mbedtls_ecp_curve_info_from_tls_id(code) != NULL;

#ifdef PSA_WANT_ALG_FFDH
    if (tls13 && code >= 256)
        return 1;
#endif
    return curve && (tls12 || (tls13 && ((code >= 23 && code <= 25) || code == 29 || code == 30)));
}

/* The curve of an EC key as group code, 0 for other keys. */
static unsigned key_curve(const mbedtls_pk_context *key)
{
    const mbedtls_ecp_curve_info *info;

    if (!mbedtls_pk_can_do(key, MBEDTLS_PK_ECKEY))
        return 0;
    info = mbedtls_ecp_curve_info_from_grp_id(mbedtls_pk_ec(*key)->MBEDTLS_PRIVATE(grp).id);
    return info ? info->tls_id : 0;
}

/* The only scheme of TLS 1.3 that a key on this curve can sign with. */
static unsigned curve_scheme(unsigned curve)
{
    return curve == 23 ? 0x0403 : curve == 24 ? 0x0503 : curve == 25 ? 0x0603 : 0;
}

/* "TLS1-3-AES-128-GCM-SHA256" to "TLS_AES_128_GCM_SHA256". The registry turns
 * two names round (RFC 6655): TLS_PSK_DHE_WITH_AES_128_CCM_8 and its 256. */
static void suite_name(const char *name, char *out, size_t size)
{
    if (strncmp(name, "TLS1-3-", 7) == 0)
        snprintf(out, size, "TLS_%s", name + 7);
    else if (strncmp(name, "TLS-DHE-PSK-", 12) == 0 && strstr(name, "-CCM-8"))
        snprintf(out, size, "TLS_PSK_DHE_%s", name + 12);
    else
        snprintf(out, size, "%s", name);
    for (; *out; out++)
        if (*out == '-')
            *out = '_';
}

/* The library's number of a suite, 0 when this build does not have it. */
static int suite_id(const char *iana)
{
    char name[64];

    for (const int *id = mbedtls_ssl_list_ciphersuites(); *id; id++) {
        suite_name(mbedtls_ssl_get_ciphersuite_name(*id), name, sizeof name);
        if (strcmp(name, iana) == 0)
            return *id;
    }
    return 0;
}

/* Suites that an external PSK can have: TLS 1.3, ECDHE_PSK, PSK. Returns how many. */
static size_t suites_psk(int *suites, size_t max)
{
    static const char *const prefixes[] = {"TLS1-3-", "TLS-ECDHE-PSK-", "TLS-PSK-"};
    size_t n = 0;

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        for (const int *id = mbedtls_ssl_list_ciphersuites(); *id && n < max; id++)
            if (strncmp(mbedtls_ssl_get_ciphersuite_name(*id), prefixes[i], strlen(prefixes[i])) == 0)
                suites[n++] = *id;
    return n;
}

#endif
