/* wolfssl_probe.h: names of groups and suites, what of them the wolfSSL library
 * at hand really has, and what `info` says. */
#ifndef SHAKEDOWN_WOLFSSL_PROBE_H
#define SHAKEDOWN_WOLFSSL_PROBE_H

#ifdef WOLFSSL_TLS13
#define HAS_TLS13 1
#else
#define HAS_TLS13 0
#endif

#define MAX_SUITES 192

/* How wolfssl_keylog.h comes by the secrets. */
#if defined(OPENSSL_EXTRA) && defined(HAVE_SECRET_CALLBACK)
#define KEYLOG_BY_LINES
#elif defined(OPENSSL_EXTRA) && (defined(HAVE_PK_CALLBACKS) || !defined(WOLFSSL_TLS13))
#define KEYLOG_BY_SECRETS
#else
#define KEYLOG_CANNOT "this build tells no secrets (needs OPENSSL_EXTRA, and HAVE_SECRET_CALLBACK or HAVE_PK_CALLBACKS)"
#endif

/* Groups by IANA code point: wolfSSL takes those, so that the constants of its
 * headers, whose names change from version to version, are not needed. `older`
 * is what wolfSSL up to 5.8 calls the group, where that is another name. */
static const struct group {
    int code;
    const char *name, *older;
} group_table[] = {
    {4588, "X25519MLKEM768", NULL},
    {4587, "SecP256r1MLKEM768", "P256MLKEM768"},
    {4589, "SecP384r1MLKEM1024", "P384MLKEM1024"},
    {29, "x25519", NULL},
    {23, "secp256r1", NULL},
    {24, "secp384r1", NULL},
    {25, "secp521r1", NULL},
    {30, "x448", NULL},
    {31, "brainpoolP256r1tls13", NULL},
    {32, "brainpoolP384r1tls13", NULL},
    {33, "brainpoolP512r1tls13", NULL},
    {512, "MLKEM512", NULL},
    {513, "MLKEM768", NULL},
    {514, "MLKEM1024", NULL},
    {256, "ffdhe2048", NULL},
    {257, "ffdhe3072", NULL},
    {258, "ffdhe4096", NULL},
    {259, "ffdhe6144", NULL},
    {260, "ffdhe8192", NULL},
};

#define N_GROUPS (sizeof group_table / sizeof *group_table)

static const struct group *group_by_name(const char *name)
{
    for (size_t i = 0; i < N_GROUPS; i++)
        if (strcmp(group_table[i].name, name) == 0)
            return &group_table[i];
    return NULL;
}

static const struct group *group_by_code(int code)
{
    for (size_t i = 0; i < N_GROUPS; i++)
        if (group_table[i].code == code)
            return &group_table[i];
    return NULL;
}

/* Is wolf, such as "ML_KEM_768" or "SECP256R1", another spelling of name? */
static int group_same(const char *name, const char *wolf, const char *tail)
{
    size_t n = name ? strlen(name) - strlen(tail) : 0, i = 0;

    if (!name || strlen(name) < strlen(tail) || strcmp(name + n, tail) != 0)
        return 0;
    for (; *wolf; wolf++) {
        if (*wolf == '_')
            continue;
        if (i == n || (*wolf | 0x20) != (name[i++] | 0x20))
            return 0;
    }
    return i == n;
}

/* The IANA name of what wolfSSL_get_curve_name says, or "". Brainpool curves
 * have names and code points of their own in TLS 1.3. */
static const char *group_iana(const char *wolf, int tls13)
{
    for (size_t i = 0; wolf && i < N_GROUPS; i++) {
        const struct group *g = &group_table[i];

        if (group_same(g->name, wolf, "") || group_same(g->older, wolf, "") ||
            (tls13 && group_same(g->name, wolf, "tls13")))
            return g->name;
    }
    return "";
}

/* Can a client make a key share for the group (before TLS 1.3: name it)? */
static int group_works(WOLFSSL_CTX *ctx, const struct group *g)
{
#ifdef WOLFSSL_TLS13
    int code = g->code, ok = wolfSSL_CTX_set_groups(ctx, &code, 1) == WOLFSSL_SUCCESS;
    WOLFSSL *ssl = ok ? wolfSSL_new(ctx) : NULL;

    ok = ssl && wolfSSL_UseKeyShare(ssl, (word16)code) == WOLFSSL_SUCCESS;
    wolfSSL_free(ssl);
    return ok;
#else
    return g->code <= 30 && wolfSSL_CTX_UseSupportedCurve(ctx, (word16)g->code) == WOLFSSL_SUCCESS;
#endif
}

/* IANA name of a suite of this build; "" for what has no such name, is not
 * authenticated by a key that can be asked for, or does not work. */
static const char *suite_iana(WOLFSSL_CTX *ctx, int first, int second)
{
    const char *name = wolfSSL_get_cipher_name_iana_from_suite((unsigned char)first, (unsigned char)second);

    if (!name || strncmp(name, "TLS_", 4) != 0 || strstr(name, "_OLD_") || strstr(name, "_anon_"))
        return "";
    return wolfSSL_CTX_set_cipher_list(ctx, name) == WOLFSSL_SUCCESS ? name : "";
}

/* What a client offers that was told nothing: the stack's default order. */
struct hello {
    size_t n;
    unsigned char data[4096];
};

static int hello_send(WOLFSSL *ssl, char *buf, int n, void *arg)
{
    struct hello *h = arg;

    (void)ssl;
    if ((size_t)n > sizeof h->data - h->n)
        return WOLFSSL_CBIO_ERR_GENERAL;
    memcpy(h->data + h->n, buf, (size_t)n);
    h->n += (size_t)n;
    return n;
}

static int hello_receive(WOLFSSL *ssl, char *buf, int n, void *arg)
{
    (void)ssl, (void)buf, (void)n, (void)arg;
    return WOLFSSL_CBIO_ERR_WANT_READ;
}

static void hello_make(struct hello *h)
{
    WOLFSSL_CTX *ctx = wolfSSL_CTX_new(wolfSSLv23_client_method());
    WOLFSSL *ssl = ctx ? wolfSSL_new(ctx) : NULL;

    h->n = 0;
    if (ssl) {
        wolfSSL_SSLSetIOSend(ssl, hello_send);
        wolfSSL_SSLSetIORecv(ssl, hello_receive);
        wolfSSL_SetIOWriteCtx(ssl, h);
        wolfSSL_connect(ssl);
    }
    wolfSSL_free(ssl);
    wolfSSL_CTX_free(ctx);
}

/* Reads a length of 1 or 2 bytes at *at and steps over it; 0 past the end. */
static size_t hello_length(const struct hello *h, size_t *at, int bytes)
{
    size_t n = 0;

    for (; bytes > 0; bytes--, ++*at)
        n = n << 8 | (*at < h->n ? h->data[*at] : 0);
    return *at + n <= h->n ? n : 0;
}

/* The suites of a ClientHello (RFC 8446 §4.1.2), two bytes each. Its `after` is
 * where they end. */
static const unsigned char *hello_suites(const struct hello *h, size_t *n, size_t *after)
{
    size_t at = 5 + 4 + 2 + 32, session = hello_length(h, &at, 1);

    at += session;
    *n = hello_length(h, &at, 2) / 2;
    *after = at + 2 * *n;
    return h->data + at;
}

/* Its supported_groups (RFC 8446 §4.2.7), two bytes each. */
static const unsigned char *hello_groups(const struct hello *h, size_t *n)
{
    size_t at, end, length;

    hello_suites(h, n, &at);
    *n = 0;
    length = hello_length(h, &at, 1); /* compression methods */
    at += length;
    length = hello_length(h, &at, 2);
    for (end = at + length; at + 4 <= end; at += length) {
        size_t type = (size_t)h->data[at] << 8 | h->data[at + 1];

        at += 2;
        length = hello_length(h, &at, 2);
        if (type != 10)
            continue;
        *n = hello_length(h, &at, 2) / 2;
        return h->data + at;
    }
    return NULL;
}

/* Adds a name that is not in the list yet; the last place stays NULL. */
static void name_add(const char **list, size_t size, const char *name)
{
    size_t n = 0;

    for (; list[n]; n++)
        if (strcmp(list[n], name) == 0)
            return;
    if (*name && n + 1 < size)
        list[n] = name;
}

/* Fills list with the suites of this build: first those that are offered by
 * default, in that order, then the rest by code point. */
static void suite_list(const char *list[MAX_SUITES])
{
    WOLFSSL_CTX *scratch = wolfSSL_CTX_new(wolfSSLv23_client_method());
    static struct hello hello;
    const unsigned char *p;
    size_t n, after;

    memset(list, 0, MAX_SUITES * sizeof *list);
    hello_make(&hello);
    p = hello_suites(&hello, &n, &after);
    for (size_t i = 0; scratch && i < n; i++)
        name_add(list, MAX_SUITES, suite_iana(scratch, p[2 * i], p[2 * i + 1]));
    for (int i = 0; scratch && i < 0x10000; i++)
        name_add(list, MAX_SUITES, suite_iana(scratch, i >> 8, i & 0xff));
    wolfSSL_CTX_free(scratch);
}

static int suite_tls13(const char *name)
{
    return strstr(name, "_WITH_") == NULL;
}

static void info_versions(void)
{
    const char *items[3] = {NULL};
    size_t n = 0;

#ifndef WOLFSSL_NO_TLS12
    items[n++] = "1.2";
#else
    info_cannot("1.2", "this build has no TLS 1.2 (WOLFSSL_NO_TLS12)");
#endif
#ifdef WOLFSSL_TLS13
    items[n++] = "1.3";
#else
    info_cannot("1.3", "this build has no TLS 1.3 (WOLFSSL_TLS13)");
#endif
    items[n] = NULL;
    info_list("versions", items);
}

/* Fills list with the groups of this build, in the same manner. */
static size_t group_list(const char *list[N_GROUPS + 1])
{
    WOLFSSL_CTX *scratch = wolfSSL_CTX_new(wolfSSLv23_client_method());
    static struct hello hello;
    const unsigned char *p;
    size_t n;

    memset(list, 0, (N_GROUPS + 1) * sizeof *list);
    hello_make(&hello);
    p = hello_groups(&hello, &n);
    for (size_t i = 0; scratch && i < n; i++) {
        const struct group *g = group_by_code(p[2 * i] << 8 | p[2 * i + 1]);

        if (g && group_works(scratch, g))
            name_add(list, N_GROUPS + 1, g->name);
    }
    for (size_t i = 0; scratch && i < N_GROUPS; i++)
        if (group_works(scratch, &group_table[i]))
            name_add(list, N_GROUPS + 1, group_table[i].name);
    wolfSSL_CTX_free(scratch);
    for (n = 0; list[n]; n++)
        ;
    return n;
}

static size_t info_groups(void)
{
    const char *list[N_GROUPS + 1];
    size_t n = group_list(list);

    info_list("groups", list);
    for (size_t i = 0; i < 3; i++) { /* the hybrids */
        size_t j = 0;

        while (j < n && list[j] != group_table[i].name)
            j++;
        if (j == n)
            info_cannot(group_table[i].name,
                        "this build has no such hybrid (configure --enable-mlkem --enable-curve25519)");
    }
    return n;
}

static void info_auths(void)
{
    const char *items[N_KEY_SHAPES + 2] = {NULL};
    size_t n = 0;

    for (size_t i = 0; i < N_KEY_SHAPES; i++)
        if (auth_works(key_shapes[i].name))
            items[n++] = key_shapes[i].name;
        else
            info_cannot(key_shapes[i].name, "this build reads no such private key");
    if (auth_works("psk"))
        items[n++] = "psk";
    else
        info_cannot("psk", "this build has no pre-shared keys (NO_PSK)");
    info_list("auths", items);
}

static void info_modes(void)
{
    const char *items[4] = {"full"};
    size_t n = 1;

#if defined(HAVE_SESSION_TICKET) || !defined(NO_SESSION_CACHE)
    items[n++] = "resumed";
#else
    info_cannot("resumed", "this build has neither session tickets nor a session cache");
#endif
#if defined(WOLFSSL_EARLY_DATA) && defined(HAVE_SESSION_TICKET)
    items[n++] = "early-data";
#else
    info_cannot("early-data", "this build has no early data (configure --enable-earlydata)");
#endif
    items[n] = NULL;
    info_list("modes", items);
}

static void stack_info(void)
{
    const char *suites[MAX_SUITES];
    size_t groups;

    wolfSSL_Init();
    info_versions();
    groups = info_groups();
    suite_list(suites);
    info_list("suites", suites);
    info_auths();
    info_modes();
#ifdef WOLFSSL_NO_CLIENT_AUTH
    info_bool("mutual", 0);
#else
    info_bool("mutual", 1);
#endif
    info_bool("hello_retry", HAS_TLS13 && groups > 1);
#ifdef KEYLOG_CANNOT
    info_cannot("keylog", KEYLOG_CANNOT);
#endif
}

#endif
