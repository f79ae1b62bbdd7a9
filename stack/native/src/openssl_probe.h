/* openssl_probe.h: what the OpenSSL that is loaded can do, found by trying. */
#ifndef SHAKEDOWN_OPENSSL_PROBE_H
#define SHAKEDOWN_OPENSSL_PROBE_H

/* IANA names of groups, in the order of OpenSSL 3.5's default list, with the
 * name that every OpenSSL since 1.1.1 takes for them. */
static const struct group {
    const char *name, *openssl;
    int nid;
} groups[] = {
    {"X25519MLKEM768", "X25519MLKEM768", 0},
    {"x25519", "X25519", NID_X25519},
    {"secp256r1", "P-256", NID_X9_62_prime256v1},
    {"x448", "X448", NID_X448},
    {"secp384r1", "P-384", NID_secp384r1},
    {"secp521r1", "P-521", NID_secp521r1},
    {"ffdhe2048", "ffdhe2048", 0},
    {"ffdhe3072", "ffdhe3072", 0},
    {"ffdhe4096", "ffdhe4096", 0},
    {"ffdhe6144", "ffdhe6144", 0},
    {"ffdhe8192", "ffdhe8192", 0},
    {"SecP256r1MLKEM768", "SecP256r1MLKEM768", 0},
    {"SecP384r1MLKEM1024", "SecP384r1MLKEM1024", 0},
    {"MLKEM512", "MLKEM512", 0},
    {"MLKEM768", "MLKEM768", 0},
    {"MLKEM1024", "MLKEM1024", 0},
    {"brainpoolP256r1tls13", "brainpoolP256r1tls13", 0},
    {"brainpoolP384r1tls13", "brainpoolP384r1tls13", 0},
    {"brainpoolP512r1tls13", "brainpoolP512r1tls13", 0},
    {"brainpoolP256r1", "brainpoolP256r1", NID_brainpoolP256r1},
    {"brainpoolP384r1", "brainpoolP384r1", NID_brainpoolP384r1},
    {"brainpoolP512r1", "brainpoolP512r1", NID_brainpoolP512r1},
};

/* Authentications: the key to generate, and a signature scheme that needs it. */
static const struct auth {
    const char *name;
    int nid;           /* 0: only by name, since OpenSSL 3.5 */
    const char *key, *scheme;
} auths[] = {
    {"ecdsa-p256", EVP_PKEY_EC, "EC", "ecdsa_secp256r1_sha256"},
    {"ecdsa-p384", EVP_PKEY_EC, "EC", "ecdsa_secp384r1_sha384"},
    {"ed25519", EVP_PKEY_ED25519, "ED25519", "ed25519"},
    {"rsa-2048", EVP_PKEY_RSA, "RSA", "rsa_pss_rsae_sha256"},
    {"rsa-3072", EVP_PKEY_RSA, "RSA", "rsa_pss_rsae_sha256"},
    {"mldsa44", 0, "ML-DSA-44", "mldsa44"},
    {"mldsa65", 0, "ML-DSA-65", "mldsa65"},
    {"mldsa87", 0, "ML-DSA-87", "mldsa87"},
};

/* TLS 1.3 suites, those of the default list first (RFC 8446 §B.4, RFC 9150). */
static const char *const suites13[] = {
    "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256",
    "TLS_AES_128_CCM_SHA256", "TLS_AES_128_CCM_8_SHA256",
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static SSL_CTX *probe_ctx(void)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_method());

    if (!ctx)
        die_setup("SSL_CTX_new failed");
    return ctx;
}

static const struct group *find_group(const char *name)
{
    for (size_t i = 0; i < COUNT(groups); i++)
        if (strcasecmp(groups[i].name, name) == 0)
            return &groups[i];
    return NULL;
}

static int has_version(SSL_CTX *ctx, int version)
{
    return SSL_CTX_set_min_proto_version(ctx, version) == 1 && SSL_CTX_set_max_proto_version(ctx, version) == 1;
}

static int has_keys(const struct auth *a)
{
    EVP_PKEY_CTX *k;
    int ok;

#if OPENSSL_VERSION_NUMBER >= 0x30000000L
    k = EVP_PKEY_CTX_new_from_name(NULL, a->key, NULL);
#else
    k = a->nid ? EVP_PKEY_CTX_new_id(a->nid, NULL) : NULL;
#endif
    ok = k && EVP_PKEY_keygen_init(k) == 1;
    EVP_PKEY_CTX_free(k);
    return ok;
}

static int has_auth(SSL_CTX *ctx, const char *name)
{
#ifndef OPENSSL_NO_PSK
    if (strcmp(name, "psk") == 0)
        return 1;
#endif
    for (size_t i = 0; i < COUNT(auths); i++)
        if (strcmp(auths[i].name, name) == 0)
            return has_keys(&auths[i]) && SSL_CTX_set1_sigalgs_list(ctx, auths[i].scheme) == 1;
    return 0;
}

/* Is the suite in the context's list after it was asked for? */
static const SSL_CIPHER *find_cipher(SSL_CTX *ctx, const char *iana)
{
    STACK_OF(SSL_CIPHER) *list = SSL_CTX_get_ciphers(ctx);

    for (int i = 0; i < sk_SSL_CIPHER_num(list); i++)
        if (strcmp(SSL_CIPHER_standard_name(sk_SSL_CIPHER_value(list, i)), iana) == 0)
            return sk_SSL_CIPHER_value(list, i);
    return NULL;
}

static int is_suite13(const char *iana)
{
    return strstr(iana, "_WITH_") == NULL;
}

/* Can this suite be set? The context's lists are changed. */
static int has_suite(SSL_CTX *ctx, const char *iana)
{
    const char *name = OPENSSL_cipher_name(iana);

    if (is_suite13(iana))
        return SSL_CTX_set_ciphersuites(ctx, iana) == 1 && find_cipher(ctx, iana);
    return name && SSL_CTX_set_cipher_list(ctx, name) == 1 && find_cipher(ctx, iana);
}

/* Key exchange and authentication that a driver can set up. */
static int is_usable(const SSL_CIPHER *c)
{
    int kx = SSL_CIPHER_get_kx_nid(c), au = SSL_CIPHER_get_auth_nid(c);

    if (au != NID_auth_rsa && au != NID_auth_ecdsa && au != NID_auth_psk)
        return 0;
    return kx == NID_kx_ecdhe || kx == NID_kx_dhe || kx == NID_kx_rsa || kx == NID_kx_ecdhe_psk || kx == NID_kx_psk ||
           kx == NID_kx_dhe_psk;
}

#define MAX_LIST 256

static void probe_groups(SSL_CTX *ctx)
{
    const char *list[MAX_LIST] = {0};
    size_t n = 0;

    for (size_t i = 0; i < COUNT(groups); i++)
        if (SSL_CTX_set1_groups_list(ctx, groups[i].openssl) == 1)
            list[n++] = groups[i].name;
        else if (strstr(groups[i].name, "MLKEM"))
            info_cannot(groups[i].name, "this build has no ML-KEM; OpenSSL has it since 3.5");
    info_list("groups", list);
}

/* Adds the TLS 1.2 suites of a list to those that are there. */
static size_t add_suites(SSL_CTX *ctx, const char *which, const char **list, size_t n)
{
    STACK_OF(SSL_CIPHER) *all;

    SSL_CTX_set_cipher_list(ctx, which);
    all = SSL_CTX_get_ciphers(ctx);
    for (int i = 0; i < sk_SSL_CIPHER_num(all) && n < MAX_LIST - 1; i++) {
        const SSL_CIPHER *c = sk_SSL_CIPHER_value(all, i);
        const char *name = SSL_CIPHER_standard_name(c);
        size_t k = 0;

        while (k < n && strcmp(list[k], name) != 0)
            k++;
        if (k == n && is_usable(c))
            list[n++] = name;
    }
    return n;
}

/* TLS 1.3, then TLS 1.2 with the default list first. */
static void probe_suites(SSL_CTX *ctx)
{
    const char *list[MAX_LIST] = {0};
    size_t n = 0;

    for (size_t i = 0; i < COUNT(suites13); i++)
        if (has_suite(ctx, suites13[i]))
            list[n++] = suites13[i];
        else
            info_cannot(suites13[i], "this build does not have it");
    SSL_CTX_set_ciphersuites(ctx, "");
    n = add_suites(ctx, "DEFAULT", list, n);
    add_suites(ctx, "ALL", list, n);
    info_list("suites", list);
}

static void probe_auths(SSL_CTX *ctx)
{
    const char *list[COUNT(auths) + 2] = {0};
    size_t n = 0;

    for (size_t i = 0; i < COUNT(auths); i++)
        if (has_auth(ctx, auths[i].name))
            list[n++] = auths[i].name;
        else if (strncmp(auths[i].name, "mldsa", 5) == 0)
            info_cannot(auths[i].name, "this build has no ML-DSA; OpenSSL has it since 3.5");
        else
            info_cannot(auths[i].name, "this build does not have it");
    if (has_auth(ctx, "psk"))
        list[n++] = "psk";
    else
        info_cannot("psk", "this build has no pre-shared keys");
    info_list("auths", list);
}

static void stack_info(void)
{
    SSL_CTX *ctx = probe_ctx();
    int v12 = has_version(ctx, TLS1_2_VERSION), v13 = has_version(ctx, TLS1_3_VERSION);
    const char *versions[3] = {0};
    int n = 0;

    if (v12)
        versions[n++] = "1.2";
    if (v13)
        versions[n++] = "1.3";
    else
        info_cannot("early-data", "this build has no TLS 1.3");
    info_list("versions", versions);
    probe_groups(ctx);
    probe_suites(ctx);
    probe_auths(ctx);
    info_list("modes", (const char *const[]){"full", "resumed", v13 ? "early-data" : NULL, NULL});
    info_bool("mutual", 1);
    info_bool("hello_retry", v13);
    ERR_clear_error();
    SSL_CTX_free(ctx);
}

#endif
