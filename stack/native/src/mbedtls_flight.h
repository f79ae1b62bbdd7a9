/* mbedtls_flight.h: what the server's messages in the clear say.
 *
 * Mbed TLS has no call that tells the group, the signature scheme, a
 * HelloRetryRequest or a resumption. But all of them stand in the server's
 * first flight, in the clear, and every byte of it passes through the I/O
 * callbacks. They keep a copy (a memcpy of some hundred bytes), and it is read
 * when the handshake is over: then the library has accepted, or made, each of
 * these messages, and both ends have proved with Finished that they are the
 * same.
 */
#ifndef SHAKEDOWN_MBEDTLS_FLIGHT_H
#define SHAKEDOWN_MBEDTLS_FLIGHT_H

/* The records of the server's first flight as they were on the wire. */
struct flight {
    size_t len;
    unsigned char data[16384]; /* what is longer loses its end */
};

/* What was found; 0 where there was nothing. */
struct hello {
    int hello_retry;
    int psk;          /* TLS 1.3: a pre-shared key was selected; which one in psk_index */
    unsigned psk_index;
    int full12;       /* TLS 1.2: it went on as only a full handshake does */
    unsigned group, scheme;
};

static void flight_add(struct flight *f, const void *data, size_t n)
{
    if (n > sizeof f->data - f->len)
        n = sizeof f->data - f->len;
    memcpy(f->data + f->len, data, n);
    f->len += n;
}

/* Reads big-endian numbers from bytes; past the end it stays there and gives 0. */
struct bytes {
    const unsigned char *p, *end;
};

static unsigned bytes_take(struct bytes *b, int n)
{
    unsigned v = 0;

    if (b->end - b->p < n) {
        b->p = b->end;
        return 0;
    }
    while (n-- > 0)
        v = v << 8 | *b->p++;
    return v;
}

/* The next n bytes, as far as they are there. */
static struct bytes bytes_part(struct bytes *b, size_t n)
{
    struct bytes part = *b;

    if (n < (size_t)(b->end - b->p))
        part.end = b->p + n;
    b->p = part.end;
    return part;
}

/* RFC 8446 4.1.3. In TLS 1.3 the extensions key_share (51) and pre_shared_key (41). */
static void hello_server(struct hello *h, struct bytes b)
{
    static const unsigned char retry[32] = { /* SHA-256 of "HelloRetryRequest" */
        0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91,
        0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
    };
    struct bytes random, part;

    bytes_take(&b, 2);
    random = bytes_part(&b, 32);
    if (random.end - random.p == sizeof retry && memcmp(random.p, retry, sizeof retry) == 0)
        h->hello_retry = 1;
    bytes_part(&b, bytes_take(&b, 1));
    bytes_take(&b, 3);
    for (part = bytes_part(&b, bytes_take(&b, 2)); part.p < part.end;) {
        unsigned type = bytes_take(&part, 2);
        struct bytes ext = bytes_part(&part, bytes_take(&part, 2));

        if (type == 51)
            h->group = bytes_take(&ext, 2);
        if (type == 41) {
            h->psk = 1;
            h->psk_index = bytes_take(&ext, 2);
        }
    }
}

/* ServerKeyExchange of TLS 1.2: RFC 8422 5.4 (named curve), 5489 (with a PSK
 * hint before it), 5246 7.4.3 (DHE: three numbers, no name). */
static void hello_key_exchange(struct hello *h, struct bytes b, const char *suite)
{
    int psk = strstr(suite, "_PSK_") != NULL;

    if (psk)
        bytes_part(&b, bytes_take(&b, 2));
    if (strncmp(suite, "TLS_ECDHE_", 10) == 0) {
        h->group = bytes_take(&b, 1) == 3 ? bytes_take(&b, 2) : 0;
        bytes_part(&b, bytes_take(&b, 1));
    } else {
        for (int i = 0; i < 3; i++)
            bytes_part(&b, bytes_take(&b, 2));
    }
    if (!psk)
        h->scheme = bytes_take(&b, 2);
}

/* Joins the payloads of handshake records at the front of the buffer. The clear
 * ends at application data or ChangeCipherSpec, except for the one that a TLS
 * 1.3 server sends after a HelloRetryRequest (RFC 8446 D.4). */
static struct bytes flight_messages(struct flight *f, const char *version)
{
    struct bytes b = {f->data, f->data + f->len}, out = {f->data, f->data};
    int tls13 = strcmp(version, "1.3") == 0;

    while (b.end - b.p >= 5) {
        unsigned type = bytes_take(&b, 3) >> 16;
        struct bytes record = bytes_part(&b, bytes_take(&b, 2));

        if (type == 20 && tls13)
            continue;
        if (type != 22)
            break;
        memmove(f->data + (out.end - out.p), record.p, (size_t)(record.end - record.p));
        out.end += record.end - record.p;
    }
    return out;
}

/* Reads the flight of a finished handshake, once. */
static struct hello flight_read(struct flight *f, const char *version, const char *suite)
{
    struct hello h = {0};
    struct bytes b = flight_messages(f, version);

    while (b.end - b.p >= 4) {
        unsigned type = bytes_take(&b, 1);
        struct bytes body = bytes_part(&b, bytes_take(&b, 3));

        if (type == 2)
            hello_server(&h, body);
        if (type == 12)
            hello_key_exchange(&h, body, suite);
        if (type == 11 || type == 12 || type == 14)
            h.full12 = 1;
    }
    f->len = 0;
    return h;
}

#endif
