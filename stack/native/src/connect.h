/* connect.h: the verb connect: blocks of handshakes, one after another. */
#ifndef SHAKEDOWN_CONNECT_H
#define SHAKEDOWN_CONNECT_H

struct client {
    const struct config *cfg;
    struct side *side;
    struct addrinfo *to;
    const void *request;
    size_t request_len, response_len;
    int primed;         /* a prime handshake was made (for --fault skip-ticket) */
    uint64_t prime_cpu; /* of the prime handshakes of this block */
    unsigned char text[MAX_APP], buf[MAX_APP];
};

/* Handshake and request; in early-data mode the request goes first, and once
 * more when it was rejected. */
static int connect_ask(struct client *s, struct conn *c, struct result *r, int early)
{
    if (early && conn_early_send(c, s->request, s->request_len) != DONE)
        return 0;
    if (conn_handshake(c) != DONE)
        return 0;
    r->complete = now_ns();
    if (early) {
        conn_proof(c, &r->proof);
        if (r->proof.early == YES)
            return 1;
    }
    return conn_write(c, s->request, s->request_len) == (int)s->request_len;
}

/* The response whole; its first byte is the last mark. */
static int connect_answer(struct client *s, struct conn *c, struct result *r)
{
    for (size_t got = 0; got < s->response_len;) {
        int n = conn_read(c, s->buf, sizeof s->buf);

        if (n <= 0)
            return 0;
        if (got == 0)
            r->response = now_ns();
        got += (size_t)n;
    }
    return 1;
}

/* All that the stack does on a connected socket. */
static void connect_exchange(struct client *s, struct result *r, const struct transport *t, int early)
{
    int skip = s->cfg->skip_ticket;
    struct conn *c;

    proof_clear(&r->proof);
    r->start = now_ns();
    c = conn_new(s->side, t);
    r->ok = c && connect_ask(s, c, r, early);
    if (r->ok && skip)
        conn_save_session(c);
    r->ok = r->ok && connect_answer(s, c, r);
    if (!r->ok) {
        result_fail(r, c);
    } else {
        proof_clear(&r->proof);
        conn_proof(c, &r->proof);
#ifdef STACK_DRAINS
        if (early)
            conn_drain(c);
#endif
        if (s->cfg->mode != MODE_FULL && !skip)
            conn_save_session(c);
    }
    if (c)
        conn_free(c, r->ok);
}

/* One handshake from dial to close. */
static struct result *connect_once(struct client *s, int early)
{
    struct result *r = results_add();
    struct transport t = {.fd = -1};

    r->dial = now_ns();
    deadline_arm(r->dial);
    t.fd = net_dial(s->to);
    if (t.fd < 0) {
        int err = errno;

        if (deadline.passed)
            result_fail(r, NULL);
        else
            net_failure(&r->failure, err);
        return r;
    }
    r->connected = now_ns();
    connect_exchange(s, r, &t, early);
    deadline_watch(-1, 0);
    r->port = net_local_port(t.fd);
    close(t.fd);
    return r;
}

/* A full handshake for its session; 0 when there is none afterwards. */
static int connect_prime(struct client *s)
{
    uint64_t cpu = cpu_ns();
    struct result *r = connect_once(s, 0), *next;

    r->prime = s->primed = 1;
    s->prime_cpu += cpu_ns() - cpu;
    if (s->cfg->skip_ticket || side_has_session(s->side))
        return 1;
    next = results_add();
    if (r->ok)
        fail(&next->failure, "no-session", NULL, NULL, "the full handshake before left no session to resume");
    else
        fail(&next->failure, "no-session", NULL, NULL, "the full handshake before failed: %s", r->failure.reason);
    return 0;
}

/* Does the next handshake need a prime one? */
static int connect_unprimed(struct client *s)
{
    if (s->cfg->mode == MODE_FULL)
        return 0;
    return s->cfg->skip_ticket ? !s->primed : !side_has_session(s->side);
}

static void connect_print(int prime)
{
    for (size_t i = 0; i < n_results; i++)
        if (results[i].prime == prime)
            result_print("client", &results[i]);
}

static void connect_block(struct client *s, long n)
{
    uint64_t cpu;

    n_results = 0;
    s->prime_cpu = 0;
    meter_restart();
    deadline_wake();
    cpu = cpu_ns();
    for (long i = 0; i < n; i++)
        if (!connect_unprimed(s) || connect_prime(s))
            connect_once(s, s->cfg->mode == MODE_EARLY && side_has_session(s->side));
    cpu = cpu_ns() - cpu - s->prime_cpu;
    deadline_rest();
    connect_print(1);
    connect_print(0);
    block_print("block", n, cpu);
}

static void connect_request(struct client *s)
{
    const char *text = s->cfg->request_text;

    memset(s->text, 'q', sizeof s->text);
    s->request = text ? (const void *)text : s->text;
    s->request_len = text ? strlen(text) : s->cfg->request;
    s->response_len = text ? 1 : s->cfg->response;
    if (s->request_len == 0 || s->request_len > MAX_APP)
        die_usage("--request-text takes 1 to %d bytes", MAX_APP);
}

static void print_ready(void)
{
    json_begin("ready");
    json_int("pid", getpid());
    json_end();
    json_flush();
}

static int connect_verb(const struct config *cfg)
{
    static struct client s;
    char line[sizeof lines.buf];

    s.cfg = cfg;
    connect_request(&s);
    s.side = side_new(cfg, 0);
    s.to = net_resolve(cfg->to, 0);
    results_init();
    deadline_init(cfg->timeout_ms);
    meter_idle();
    print_ready();
    if (cfg->count)
        connect_block(&s, cfg->count);
    else
        while (lines_wait(line, sizeof line))
            connect_block(&s, lines_run(line));
    return 0;
}

#endif
