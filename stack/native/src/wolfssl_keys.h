/* wolfssl_keys.h: which kinds of private keys the wolfSSL library at hand reads. */
#ifndef SHAKEDOWN_WOLFSSL_KEYS_H
#define SHAKEDOWN_WOLFSSL_KEYS_H

#if defined(HAVE_DILITHIUM) && defined(__has_include)
#if __has_include(<wolfssl/wolfcrypt/dilithium.h>)
#include <wolfssl/wolfcrypt/dilithium.h>
#endif
#endif

/* A private key in the making, PKCS #8 (RFC 5958), written from its end. It has
 * the shape of a key and numbers that mean nothing: the question is only
 * whether the library reads a key of this kind and size. */
struct shape {
    size_t at;
    unsigned char der[8192];
};

static void shape_bytes(struct shape *s, const void *bytes, size_t n)
{
    s->at -= n;
    memcpy(s->der + s->at, bytes, n);
}

/* Puts tag and length before what was written since `end`. */
static void shape_head(struct shape *s, unsigned char tag, size_t end)
{
    size_t n = end - s->at;
    unsigned char head[] = {tag, 0x82, (unsigned char)(n >> 8), (unsigned char)n}, small[] = {tag, (unsigned char)n};

    if (n < 0x80)
        shape_bytes(s, small, sizeof small);
    else if (n < 0x100)
        shape_bytes(s, (unsigned char[]){tag, 0x81, (unsigned char)n}, 3);
    else
        shape_bytes(s, head, sizeof head);
}

static void shape_fill(struct shape *s, unsigned char tag, size_t n, int sign)
{
    size_t end = s->at;

    s->at -= n;
    memset(s->der + s->at, 0x11, n); /* within the ranges of ML-DSA, too */
    if (sign) {
        s->der[s->at] = 0xd1; /* the full number of bits, after a sign byte */
        shape_bytes(s, "", 1);
    }
    shape_head(s, tag, end);
}

enum key_kind { KEY_EC, KEY_RSA, KEY_RAW };

/* Some versions of wolfSSL read a key of a kind that they do not have, and say
 * nothing: so what was left out of the headers counts as not there. */
#ifdef HAVE_ECC
#define BUILT_EC 1
#else
#define BUILT_EC 0
#endif
#ifdef HAVE_ED25519
#define BUILT_ED25519 1
#else
#define BUILT_ED25519 0
#endif
#ifdef NO_RSA
#define BUILT_RSA 0
#else
#define BUILT_RSA 1
#endif
#if defined(WC_ML_DSA_44) || defined(WOLFSSL_HAVE_MLDSA) /* FIPS 204, not the round 3 of before 5.7.4 */
#define BUILT_MLDSA 1
#else
#define BUILT_MLDSA 0
#endif

/* Keys: kind, bytes, and the AlgorithmIdentifier (RFC 5480, 8017, 8410, 9881). */
static const struct key_shape {
    const char *name;
    int built;
    enum key_kind kind;
    size_t bytes;
    const char *algorithm;
    size_t algorithm_len;
} key_shapes[] = {
#define ALGORITHM(s) s, sizeof s - 1
#define MLDSA(n) ALGORITHM("\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03" n)
    {"ecdsa-p256", BUILT_EC, KEY_EC, 32,
     ALGORITHM("\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07")},
    {"ecdsa-p384", BUILT_EC, KEY_EC, 48, ALGORITHM("\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x22")},
    {"ed25519", BUILT_ED25519, KEY_RAW, 32, ALGORITHM("\x06\x03\x2b\x65\x70")},
    {"rsa-2048", BUILT_RSA, KEY_RSA, 256, ALGORITHM("\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00")},
    {"rsa-3072", BUILT_RSA, KEY_RSA, 384, ALGORITHM("\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00")},
    {"mldsa44", BUILT_MLDSA, KEY_RAW, 2560, MLDSA("\x11")},
    {"mldsa65", BUILT_MLDSA, KEY_RAW, 4032, MLDSA("\x12")},
    {"mldsa87", BUILT_MLDSA, KEY_RAW, 4896, MLDSA("\x13")},
#undef MLDSA
#undef ALGORITHM
};

#define N_KEY_SHAPES (sizeof key_shapes / sizeof *key_shapes)

/* The key itself: ECPrivateKey, RSAPrivateKey, or an OCTET STRING. */
static void shape_key(struct shape *s, const struct key_shape *k)
{
    size_t end = s->at;

    if (k->kind == KEY_RAW) {
        shape_fill(s, 0x04, k->bytes, 0);
        return;
    }
    if (k->kind == KEY_EC) {
        shape_fill(s, 0x04, k->bytes, 0);
        shape_bytes(s, "\x02\x01\x01", 3);
    } else {
        for (int i = 0; i < 5; i++) /* two primes, two exponents, the coefficient */
            shape_fill(s, 0x02, k->bytes / 2, 1);
        shape_fill(s, 0x02, k->bytes, 1);
        shape_bytes(s, "\x02\x03\x01\x00\x01", 5);
        shape_fill(s, 0x02, k->bytes, 1);
        shape_bytes(s, "\x02\x01\x00", 3);
    }
    shape_head(s, 0x30, end);
}

/* Does the library read private keys of this kind? */
static int key_works(WOLFSSL_CTX *ctx, const struct key_shape *k)
{
    static struct shape s;
    size_t end = s.at = sizeof s.der, algorithm;

    shape_key(&s, k);
    shape_head(&s, 0x04, end);
    algorithm = s.at;
    shape_bytes(&s, k->algorithm, k->algorithm_len);
    shape_head(&s, 0x30, algorithm);
    shape_bytes(&s, "\x02\x01\x00", 3);
    shape_head(&s, 0x30, end);
    return wolfSSL_CTX_use_PrivateKey_buffer(ctx, s.der + s.at, (long)(end - s.at), WOLFSSL_FILETYPE_ASN1) ==
           WOLFSSL_SUCCESS;
}

/* Can this build do an authentication of docs/driver.md? */
static int auth_works(const char *name)
{
    WOLFSSL_CTX *ctx;
    int ok = 0;

#ifndef NO_PSK
    if (strcmp(name, "psk") == 0)
        return 1;
#endif
    ctx = wolfSSL_CTX_new(wolfSSLv23_server_method());
    for (size_t i = 0; ctx && i < N_KEY_SHAPES; i++)
        if (key_shapes[i].built && strcmp(key_shapes[i].name, name) == 0)
            ok = key_works(ctx, &key_shapes[i]);
    wolfSSL_CTX_free(ctx);
    return ok;
}

#endif
