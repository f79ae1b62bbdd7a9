/* record.h: op record: records of one size from client to server in memory. */
#ifndef SHAKEDOWN_RECORD_H
#define SHAKEDOWN_RECORD_H

#define PIPE_CAP (512 << 10)  /* bytes */
#define BATCH_NS 50000        /* shortest time of a sample */

struct record_op {
    const struct config *cfg;
    struct pipe_buf up, down; /* client to server, server to client */
    struct conn *client, *server;
    size_t batch, record_bytes;
    uint64_t encrypt_ns, decrypt_ns; /* of the last batch */
    unsigned char plain[MAX_APP], out[MAX_APP];
};

/* A step of the op failed: the stack's words, and out. */
static void __attribute__((noreturn)) record_die(struct conn *c, const char *what)
{
    struct failure f = {0};

    conn_failure(c, &f);
    die_setup("%s: %s %s %s", what, f.reason ? f.reason : "other", f.alert, f.detail);
}

/* Steps both ends in turn until both are done. */
static void record_handshake(struct record_op *o)
{
    enum step client = AGAIN, server = AGAIN;

    for (int i = 0; i < 64 && (client == AGAIN || server == AGAIN); i++) {
        if (client == AGAIN)
            client = conn_handshake(o->client);
        if (client == FAILED)
            record_die(o->client, "client's handshake");
        if (server == AGAIN)
            server = conn_handshake(o->server);
        if (server == FAILED)
            record_die(o->server, "server's handshake");
    }
    if (client != DONE || server != DONE)
        die_setup("the handshake in memory does not end");
}

/* Writes n bytes at one end and reads them at the other. */
static void record_pass(struct record_op *o, struct conn *from, struct conn *to, size_t n)
{
    if (conn_write(from, o->plain, n) != (int)n)
        record_die(from, "write");
    for (size_t got = 0; got < n;) {
        int m = conn_read(to, o->out, sizeof o->out);

        if (m <= 0)
            record_die(to, "read");
        got += (size_t)m;
    }
}

/* Reads one record of the batch. */
static int record_read(struct record_op *o)
{
    size_t got = 0;

    while (got < o->cfg->size) {
        int n = conn_read(o->server, o->out + got, o->cfg->size - got);

        if (n <= 0)
            return 0;
        got += (size_t)n;
    }
    return 1;
}

/* Times one batch each way. Each batch has a text of its own, which must come
 * out again. */
static void record_batch(struct record_op *o)
{
    size_t n = o->cfg->size;
    uint64_t start, middle, end;
    size_t wrote = 0, read = 0;

    memset(o->plain, o->plain[0] + 1, n);
    memset(o->out, 0, n);
    start = now_ns();
    while (wrote < o->batch && conn_write(o->client, o->plain, n) == (int)n)
        wrote++;
    o->encrypt_ns = now_ns() - start;
    if (wrote < o->batch)
        record_die(o->client, "write");
    o->record_bytes = pipe_len(&o->up) / o->batch;
    middle = now_ns();
    while (read < o->batch && record_read(o))
        read++;
    end = now_ns();
    o->decrypt_ns = end - middle;
    if (read < o->batch)
        record_die(o->server, "read");
    if (memcmp(o->plain, o->out, n) != 0 || pipe_len(&o->up) != 0)
        die_setup("what was decrypted is not what was encrypted");
}

/* Doubles the batch until it lasts long enough or the pipe is full. */
static void record_calibrate(struct record_op *o)
{
    o->batch = 1;
    for (;;) {
        uint64_t shortest;

        record_batch(o);
        record_batch(o);
        shortest = o->encrypt_ns < o->decrypt_ns ? o->encrypt_ns : o->decrypt_ns;
        if (shortest >= 2 * BATCH_NS || 2 * o->batch * o->record_bytes > PIPE_CAP)
            return;
        o->batch *= 2;
    }
}

static void record_samples(const char *metric, size_t batch, const double *values, long n)
{
    json_begin("samples");
    json_text("metric", metric);
    json_text("unit", "s");
    json_int("batch", (long long)batch);
    json_name("values");
    putchar('[');
    for (long i = 0; i < n; i++)
        printf(i ? ",%.4e" : "%.4e", values[i]);
    putchar(']');
    json_end();
}

static void record_block(struct record_op *o, long n)
{
    static double encrypt[MAX_BLOCK], decrypt[MAX_BLOCK];
    uint64_t cpu = cpu_ns();

    meter_restart();
    for (long i = 0; i < n; i++) {
        record_batch(o);
        encrypt[i] = (double)o->encrypt_ns * 1e-9 / (double)o->batch;
        decrypt[i] = (double)o->decrypt_ns * 1e-9 / (double)o->batch;
    }
    cpu = cpu_ns() - cpu;
    record_samples("encrypt", o->batch, encrypt, n);
    record_samples("decrypt", o->batch, decrypt, n);
    block_print("block", n, cpu);
}

static void record_ready(struct record_op *o)
{
    struct proof client, server;

    proof_clear(&client);
    proof_clear(&server);
    conn_proof(o->client, &client);
    conn_proof(o->server, &server);
    json_begin("ready");
    json_int("pid", getpid());
    json_int("batch", (long long)o->batch);
    json_int("record_bytes", (long long)o->record_bytes);
    json_open("proof");
    proof_print("client", &client);
    proof_print("server", &server);
    json_close();
    json_end();
    json_flush();
}

static void record_open(struct record_op *o)
{
    struct transport client = {-1, &o->down, &o->up}, server = {-1, &o->up, &o->down};
    struct side *server_side = side_new(o->cfg, 1), *client_side = side_new(o->cfg, 0);

    if (!pipe_init(&o->up, PIPE_CAP) || !pipe_init(&o->down, PIPE_CAP))
        die_setup("out of memory");
    o->client = conn_new(client_side, &client);
    o->server = conn_new(server_side, &server);
    if (!o->client || !o->server)
        die_setup("out of memory");
    record_handshake(o);
    record_pass(o, o->client, o->server, o->cfg->request);
    record_pass(o, o->server, o->client, o->cfg->response);
}

static int op_record(const struct config *cfg)
{
    static struct record_op o;
    char line[sizeof lines.buf];

    o.cfg = cfg;
    record_open(&o);
    record_calibrate(&o);
    meter_idle();
    record_ready(&o);
    if (cfg->count)
        record_block(&o, cfg->count);
    else
        while (lines_wait(line, sizeof line))
            record_block(&o, lines_run(line));
    return 0;
}

#endif
