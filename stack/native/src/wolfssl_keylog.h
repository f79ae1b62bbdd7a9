/* wolfssl_keylog.h: the secrets of a connection for --keylog, in the NSS key log
 * format. A build that has wolfSSL's own key log callback uses that one. Another
 * tells its secrets through what it asks: TLS 1.3 lets a callback make each
 * derivation (RFC 8446 §7.1), and in TLS 1.2 the master secret can be read while
 * the handshake lasts. Nothing of this is installed without --keylog. */
#ifndef SHAKEDOWN_WOLFSSL_KEYLOG_H
#define SHAKEDOWN_WOLFSSL_KEYLOG_H

#ifdef KEYLOG_BY_LINES
static void keylog_copy(const WOLFSSL *ssl, const char *line)
{
    char copy[512];

    (void)ssl;
    snprintf(copy, sizeof copy, "%.*s", (int)strcspn(line, "\n"), line);
    keylog_line(copy);
}
#endif

#ifdef KEYLOG_BY_SECRETS
#define KEYLOG_RANDOM 32 /* bytes of a client random */

static void keylog_hex(char *line, size_t size, const unsigned char *data, size_t n)
{
    size_t at = strlen(line);

    for (size_t i = 0; i < n && at + 3 <= size; i++, at += 2)
        snprintf(line + at, size - at, "%02x", data[i]);
}

static void keylog_secret(const char *label, const unsigned char random[KEYLOG_RANDOM], const unsigned char *secret,
                          size_t n)
{
    char line[256];

    snprintf(line, sizeof line, "%s ", label);
    keylog_hex(line, sizeof line, random, KEYLOG_RANDOM);
    snprintf(line + strlen(line), sizeof line - strlen(line), " ");
    keylog_hex(line, sizeof line, secret, n);
    keylog_line(line);
}

/* TLS 1.2: each side tells the master secret when the ChangeCipherSpec of the
 * other comes, in full handshakes and in resumed ones. */
static void keylog_message(int sent, int version, int type, const void *data, size_t n, WOLFSSL *ssl, void *arg)
{
    unsigned char *master, *server, *client;
    unsigned int master_len, server_len, client_len;

    on_message(sent, version, type, data, n, ssl, arg);
    if (sent || type != 20 || wolfSSL_version(ssl) != TLS1_2_VERSION)
        return;
    if (wolfSSL_get_keys(ssl, &master, &master_len, &server, &server_len, &client, &client_len) == WOLFSSL_SUCCESS)
        keylog_secret("CLIENT_RANDOM", client, master, master_len);
}

#ifdef WOLFSSL_TLS13
/* The side that was made last. A derivation is not told whose it is (as its end
 * it is always told the client's), but one connection is open at a time, and the
 * two ends of `op record` have the same client random. */
static const struct side *keylog_side;

/* The secrets of RFC 8446 §7.1 that have a name in a key log. */
static const struct { const char *derivation, *name; } keylog_labels[] = {
    {"c e traffic", "CLIENT_EARLY_TRAFFIC_SECRET"},
    {"c hs traffic", "CLIENT_HANDSHAKE_TRAFFIC_SECRET"},
    {"s hs traffic", "SERVER_HANDSHAKE_TRAFFIC_SECRET"},
    {"c ap traffic", "CLIENT_TRAFFIC_SECRET_0"},
    {"s ap traffic", "SERVER_TRAFFIC_SECRET_0"},
    {"e exp master", "EARLY_EXPORTER_SECRET"},
    {"exp master", "EXPORTER_SECRET"},
};

static void keylog_derived(const WOLFSSL *ssl, const byte *label, size_t label_len, const byte *secret, size_t n)
{
    unsigned char random[KEYLOG_RANDOM];

    for (size_t i = 0; i < sizeof keylog_labels / sizeof *keylog_labels; i++) {
        const char *derivation = keylog_labels[i].derivation;

        if (strlen(derivation) == label_len && memcmp(derivation, label, label_len) == 0 &&
            wolfSSL_get_client_random(ssl, random, sizeof random) == sizeof random)
            keylog_secret(keylog_labels[i].name, random, secret, n);
    }
}

/* HKDF-Expand-Label as wolfSSL does it without a callback. */
static int keylog_derive(byte *okm, word32 okm_len, const byte *prk, word32 prk_len, const byte *protocol,
                         word32 protocol_len, const byte *label, word32 label_len, const byte *info, word32 info_len,
                         int digest, int end)
{
    int ret = wc_Tls13_HKDF_Expand_Label(okm, okm_len, prk, prk_len, protocol, protocol_len, label, label_len, info,
                                         info_len, digest);

    (void)end;
    if (ret == 0)
        keylog_derived(keylog_side->conn.ssl, label, label_len, okm, okm_len);
    return ret;
}
#endif
#endif

static void side_keylog(struct side *s)
{
    if (!s->cfg->keylog)
        return;
#if defined(KEYLOG_BY_LINES)
    wolfSSL_CTX_set_keylog_callback(s->ctx, keylog_copy);
#elif defined(KEYLOG_BY_SECRETS)
    wolfSSL_CTX_set_msg_callback(s->ctx, keylog_message);
#ifdef WOLFSSL_TLS13
    keylog_side = s;
    wolfSSL_CTX_SetHKDFExpandLabelCb(s->ctx, keylog_derive);
#endif
#else
    die_cannot("keylog", "%s", KEYLOG_CANNOT);
#endif
}

#endif
