/* mbedtls_early.h: 0-RTT data, in builds with MBEDTLS_SSL_EARLY_DATA (off by default). */
#ifndef SHAKEDOWN_MBEDTLS_EARLY_H
#define SHAKEDOWN_MBEDTLS_EARLY_H

#ifdef MBEDTLS_SSL_EARLY_DATA

static void conf_early(struct side *s)
{
    if (s->cfg->mode != MODE_EARLY)
        return;
    mbedtls_ssl_conf_early_data(&s->conf, MBEDTLS_SSL_EARLY_DATA_ENABLED);
    if (s->server)
        mbedtls_ssl_conf_max_early_data_size(&s->conf, MAX_APP);
}

static int early_write(struct conn *c, const unsigned char *data, size_t n)
{
    for (size_t done = 0; done < n;) {
        int r = mbedtls_ssl_write_early_data(&c->ssl, data + done, n - done);

        if (r == MBEDTLS_ERR_SSL_CANNOT_WRITE_EARLY_DATA && done == 0)
            return 0;
        if (r < 0)
            return r;
        done += (size_t)r;
    }
    return 0;
}

/* Where the session allows no early data nothing is sent; the handshake goes on.
 * Between two records the library would wait for the server's flight: held back. */
static enum step conn_early_send(struct conn *c, const void *data, size_t n)
{
    int err;

    c->hold = 1;
    err = early_write(c, data, n);
    c->hold = 0;
    c->err = err;
    return err == 0 ? DONE : FAILED;
}

/* The library writes no application data before the client's Finished (its
 * mbedtls_ssl_write ends the handshake first), so the reply goes out right after. */
static enum step conn_handshake_early(struct conn *c, const struct early_sink *sink)
{
    static unsigned char data[MAX_APP];
    int err;

    while ((err = handshake_loop(c)) == MBEDTLS_ERR_SSL_RECEIVED_EARLY_DATA) {
        int n = mbedtls_ssl_read_early_data(&c->ssl, data, sizeof data);

        if (n < 0)
            return conn_step(c, n);
        c->early = YES;
        sink->got(sink->arg, data, (size_t)n, &c->reply, &c->reply_len);
    }
    if (err == 0 && c->reply && conn_write(c, c->reply, c->reply_len) != (int)c->reply_len)
        err = c->err;
    return conn_step(c, err);
}

/* The client asks the library; the server has had the data. */
static int conn_early(struct conn *c)
{
    int status;

    if (c->side->server || c->side->cfg->mode != MODE_EARLY)
        return c->early;
    status = mbedtls_ssl_get_early_data_status(&c->ssl);
    return status == MBEDTLS_SSL_EARLY_DATA_STATUS_ACCEPTED ? YES
         : status == MBEDTLS_SSL_EARLY_DATA_STATUS_REJECTED ? NO : UNKNOWN;
}

#else

static void conf_early(struct side *s)
{
    if (s->cfg->mode == MODE_EARLY)
        die_cannot("mode", "this build has no early data (MBEDTLS_SSL_EARLY_DATA)");
}

static enum step conn_early_send(struct conn *c, const void *data, size_t n)
{
    (void)data, (void)n;
    return conn_step(c, MBEDTLS_ERR_SSL_FEATURE_UNAVAILABLE);
}

static enum step conn_handshake_early(struct conn *c, const struct early_sink *sink)
{
    (void)sink;
    return conn_step(c, handshake_loop(c));
}

static int conn_early(struct conn *c)
{
    return c->early;
}

#endif

#endif
