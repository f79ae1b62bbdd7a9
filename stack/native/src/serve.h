/* serve.h: the verb serve: connections in the order they arrive, then reports. */
#ifndef SHAKEDOWN_SERVE_H
#define SHAKEDOWN_SERVE_H

#include <poll.h>

struct server {
    const struct config *cfg;
    struct side *side;
    int listener;
    long count;       /* connections since the last report */
    uint64_t cpu;     /* when that was */
    size_t got;       /* bytes of the request so far */
    int answered;     /* the response went out as 0.5-RTT data */
    struct result *r; /* the connection at hand */
    unsigned char request[MAX_APP], response[MAX_APP];
};

/* Application data came: the first marks the request. */
static void serve_got(struct server *s, size_t n)
{
    if (s->r->request == 0)
        s->r->request = now_ns();
    s->got += n;
}

static void serve_early(void *arg, const void *data, size_t n, const void **reply, size_t *reply_len)
{
    struct server *s = arg;

    (void)data;
    serve_got(s, n);
    if (!reply || s->got < s->cfg->request || s->answered)
        return;
    s->answered = 1;
    *reply = s->response;
    *reply_len = s->cfg->response;
}

static int serve_handshake(struct server *s, struct conn *c)
{
    struct early_sink sink = {s, serve_early};
    enum step step = s->cfg->mode == MODE_EARLY ? conn_handshake_early(c, &sink) : conn_handshake(c);

    s->r->complete = now_ns();
    if (step != DONE)
        s->r->complete = 0;
    return step == DONE;
}

/* Reads the request whole and answers, as far as 0-RTT has not. */
static int serve_answer(struct server *s, struct conn *c)
{
    while (s->got < s->cfg->request) {
        int n = conn_read(c, s->request, sizeof s->request);

        if (n <= 0)
            return 0;
        serve_got(s, (size_t)n);
    }
    return s->answered || conn_write(c, s->response, s->cfg->response) == (int)s->cfg->response;
}

/* One connection from the handshake to the client's end. */
static void serve_connection(struct server *s, struct transport t)
{
    struct result *r = s->r;
    struct conn *c = conn_new(s->side, &t);

    r->ok = c && serve_handshake(s, c) && serve_answer(s, c);
    if (!r->ok)
        result_fail(r, c);
    if (r->ok) {
        proof_clear(&r->proof);
        conn_proof(c, &r->proof);
        while (conn_read(c, s->request, sizeof s->request) > 0)
            ;
    }
    if (c)
        conn_free(c, r->ok);
}

static void serve_accept(struct server *s)
{
    struct sockaddr_storage peer;
    socklen_t len = sizeof peer;
    struct transport t;
    uint64_t accepted;

    deadline_wake();
    t = (struct transport){.fd = accept4(s->listener, (struct sockaddr *)&peer, &len, SOCK_CLOEXEC)};
    accepted = now_ns();
    if (t.fd < 0)
        return; /* it went away again */
    deadline_arm(accepted);
    deadline_watch(t.fd, 0);
    s->r = results_add();
    s->r->accepted = accepted;
    s->r->port = net_port(&peer);
    s->got = 0;
    s->answered = 0;
    serve_connection(s, t);
    deadline_watch(-1, 0);
    close(t.fd);
    s->count++;
}

static void serve_print(void)
{
    for (size_t i = 0; i < n_results; i++)
        result_print("server", &results[i]);
    n_results = 0;
}

static void serve_report(struct server *s)
{
    uint64_t cpu = cpu_ns();

    serve_print();
    block_print("report", s->count, cpu - s->cpu);
    s->count = 0;
    meter_restart();
    s->cpu = cpu_ns();
}

static void serve_command(struct server *s, const char *line)
{
    if (strcmp(line, "report") != 0)
        die_usage("unknown command \"%s\"; there is report", line);
    serve_report(s);
}

static void serve_ready(struct server *s)
{
    char address[NI_MAXHOST + NI_MAXSERV + 4];

    net_name(s->listener, address, sizeof address);
    json_begin("ready");
    json_text("address", address);
    json_int("pid", getpid());
    json_end();
    json_flush();
}

/* Serves all that are pending, then commands, until standard input ends. */
static void serve_loop(struct server *s)
{
    struct pollfd fds[] = {{.fd = s->listener, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
    char line[sizeof lines.buf];

    for (;;) {
        if (poll(fds, 2, -1) < 0) {
            deadline_rest(); /* a tick while idle */
            continue;
        }
        if (fds[0].revents) {
            serve_accept(s);
            if (n_results == MAX_RESULTS)
                serve_print(); /* nobody asked for long: make room */
            continue;
        }
        if (!lines_fill())
            return;
        while (lines_take(line, sizeof line))
            serve_command(s, line);
    }
}

static int serve(const struct config *cfg)
{
    static struct server s;

    s.cfg = cfg;
    s.side = side_new(cfg, 1);
    s.listener = net_listen(cfg->listen);
    memset(s.response, 'r', sizeof s.response);
    results_init();
    deadline_init(cfg->timeout_ms);
    meter_idle();
    serve_ready(&s);
    s.cpu = cpu_ns();
    serve_loop(&s);
    return 0;
}

#endif
