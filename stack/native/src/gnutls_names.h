/* gnutls_names.h: IANA's names and GnuTLS's own. */
#ifndef SHAKEDOWN_GNUTLS_NAMES_H
#define SHAKEDOWN_GNUTLS_NAMES_H

#include <ctype.h>

/* Equal but for letter case and separators: "X25519-MLKEM768", "X25519MLKEM768". */
static int same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, "-_");
        b += strspn(b, "-_");
        if (toupper((unsigned char)*a) != toupper((unsigned char)*b))
            return 0;
        if (*a == '\0')
            return 1;
    }
}

/* Groups as IANA spells them; GnuTLS differs in case and separators alone. */
static const char *group_iana(gnutls_group_t group)
{
    static const char *const names[] = {
        "x25519", "x448", "secp256r1", "secp384r1", "secp521r1", "secp192r1", "secp224r1",
        "ffdhe2048", "ffdhe3072", "ffdhe4096", "ffdhe6144", "ffdhe8192",
        "X25519MLKEM768", "SecP256r1MLKEM768", "SecP384r1MLKEM1024", "MLKEM512", "MLKEM768", "MLKEM1024",
    };
    const char *name = gnutls_group_get_name(group);

    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (same_name(name, names[i]))
            return names[i];
    return name;
}

/* The group of this name in this build, or GNUTLS_GROUP_INVALID. */
static gnutls_group_t group_find(const char *name)
{
    const gnutls_group_t *list = gnutls_group_list();

    while (*list && !same_name(gnutls_group_get_name(*list), name))
        list++;
    return *list;
}

/* Signature schemes: GnuTLS's name and IANA's, or NULL. */
static const char *signature_iana(gnutls_sign_algorithm_t sign)
{
    static const char *const names[][2] = {
        {"ECDSA-SECP256R1-SHA256", "ecdsa_secp256r1_sha256"}, {"ECDSA-SHA256", "ecdsa_secp256r1_sha256"},
        {"ECDSA-SECP384R1-SHA384", "ecdsa_secp384r1_sha384"}, {"ECDSA-SHA384", "ecdsa_secp384r1_sha384"},
        {"ECDSA-SECP521R1-SHA512", "ecdsa_secp521r1_sha512"}, {"ECDSA-SHA512", "ecdsa_secp521r1_sha512"},
        {"EdDSA-Ed25519", "ed25519"}, {"EdDSA-Ed448", "ed448"},
        {"RSA-PSS-RSAE-SHA256", "rsa_pss_rsae_sha256"}, {"RSA-PSS-SHA256", "rsa_pss_pss_sha256"},
        {"RSA-PSS-RSAE-SHA384", "rsa_pss_rsae_sha384"}, {"RSA-PSS-SHA384", "rsa_pss_pss_sha384"},
        {"RSA-PSS-RSAE-SHA512", "rsa_pss_rsae_sha512"}, {"RSA-PSS-SHA512", "rsa_pss_pss_sha512"},
        {"RSA-SHA256", "rsa_pkcs1_sha256"}, {"RSA-SHA384", "rsa_pkcs1_sha384"},
        {"RSA-SHA512", "rsa_pkcs1_sha512"}, {"RSA-SHA1", "rsa_pkcs1_sha1"}, {"ECDSA-SHA1", "ecdsa_sha1"},
        {"ML-DSA-44", "mldsa44"}, {"ML-DSA-65", "mldsa65"}, {"ML-DSA-87", "mldsa87"},
    };
    const char *name = gnutls_sign_get_name(sign);

    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i][0]) == 0)
            return names[i][1];
    return NULL;
}

/* A cipher suite, and what a priority string calls its parts. */
struct suite {
    char iana[56];
    int tls13, usable; /* usable: its key exchange needs no other credentials than a driver has */
    gnutls_kx_algorithm_t kx;
    gnutls_cipher_algorithm_t cipher;
    gnutls_mac_algorithm_t mac;
};

static int kx_usable(gnutls_kx_algorithm_t kx)
{
    static const gnutls_kx_algorithm_t usable[] = {
        GNUTLS_KX_ECDHE_ECDSA, GNUTLS_KX_ECDHE_RSA, GNUTLS_KX_DHE_RSA, GNUTLS_KX_RSA,
        GNUTLS_KX_ECDHE_PSK, GNUTLS_KX_DHE_PSK, GNUTLS_KX_PSK,
    };

    for (size_t i = 0; i < sizeof usable / sizeof *usable; i++)
        if (usable[i] == kx)
            return 1;
    return 0;
}

/* IANA's name of a suite of TLS 1.2 from GnuTLS's: "TLS_ECDHE_RSA_AES_128_CBC_SHA1"
 * is TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA; a few have ways of their own. */
static void suite_iana(struct suite *s, const char *name)
{
    const char *kx = gnutls_kx_get_name(s->kx), *rest = name + 5 + strlen(kx), *end = "";
    int keep = (int)strlen(rest);
    int rc4 = strncmp(rest, "ARCFOUR", 7) == 0;

    if (keep > 5 && strcmp(rest + keep - 5, "_SHA1") == 0)
        keep--;
    if (keep > 8 && strcmp(rest + keep - 8, "POLY1305") == 0)
        end = "_SHA256";
    if (s->kx == GNUTLS_KX_DHE_PSK && keep > 6 && strcmp(rest + keep - 6, "_CCM_8") == 0)
        kx = "PSK-DHE";
    snprintf(s->iana, sizeof s->iana, "TLS_%s_WITH_%s%.*s%s", kx, rc4 ? "RC4" : "", keep - 7 * rc4,
             rest + 7 * rc4, end);
    for (char *p = strchr(s->iana, '-'); p; p = strchr(p, '-'))
        *p = '_';
}

/* The suite at an index of the library's list; 0 behind its end. */
static int suite_at(size_t i, struct suite *s)
{
    unsigned char code[2];
    gnutls_protocol_t min;
    const char *name = gnutls_cipher_suite_info(i, code, &s->kx, &s->cipher, &s->mac, &min);

    if (!name)
        return 0;
    s->tls13 = min == GNUTLS_TLS1_3;
    s->usable = s->tls13 || kx_usable(s->kx);
    if (s->tls13 || !s->usable)
        snprintf(s->iana, sizeof s->iana, "%s", name);
    else
        suite_iana(s, name);
    return 1;
}

static int suite_find(const char *iana, struct suite *s)
{
    for (size_t i = 0; suite_at(i, s); i++)
        if (s->usable && strcmp(s->iana, iana) == 0)
            return 1;
    return 0;
}

#endif
