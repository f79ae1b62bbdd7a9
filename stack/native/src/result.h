/* result.h: one handshake as it was, and its line. */
#ifndef SHAKEDOWN_RESULT_H
#define SHAKEDOWN_RESULT_H

/* Marks are nanoseconds of now_ns, 0 where they were not reached. */
struct result {
    uint64_t dial, connected, start, accepted, complete, request, response;
    int port, ok, prime;
    struct proof proof;
    struct failure failure;
};

#define MAX_RESULTS (2 * MAX_BLOCK) /* each handshake may need a prime one */

static struct result results[MAX_RESULTS];
static size_t n_results;

/* Touches all of it now, so that no page fault falls into a block. */
static void results_init(void)
{
    memset(results, 0xff, sizeof results);
}

static struct result *results_add(void)
{
    struct result *r = &results[n_results++];

    memset(r, 0, sizeof *r);
    return r;
}

static void proof_clear(struct proof *p)
{
    memset(p, 0, sizeof *p);
    p->early = p->psk = p->hello_retry = p->verified = p->mutual = UNKNOWN;
}

static const char *proof_mode(const struct proof *p)
{
    return p->early == YES ? "early-data" : p->resumed == YES ? "resumed" : "full";
}

static void proof_print(const char *name, const struct proof *p)
{
    json_open(name);
    json_text_if("version", p->version);
    json_text_if("suite", p->suite);
    json_text_if("group", p->group);
    json_text_if("signature", p->signature);
    json_text("mode", proof_mode(p));
    if (p->early != UNKNOWN)
        json_text("early", p->early ? "accepted" : "rejected");
    json_tri("psk", p->psk);
    json_tri("hello_retry", p->hello_retry);
    json_tri("verified", p->verified);
    json_tri("mutual", p->mutual);
    json_close();
}

static void failure_print(const struct failure *f)
{
    json_text("reason", f->reason ? f->reason : "other");
    json_text_if("alert", f->alert);
    json_text_if("from", f->from);
    json_text_if("detail", f->detail);
}

static void mark_print(const char *name, uint64_t ns)
{
    if (ns)
        json_int(name, (long long)ns);
}

static void result_print(const char *side, const struct result *r)
{
    json_begin("handshake");
    json_text("side", side);
    if (r->port)
        json_int("port", r->port);
    json_bool("ok", r->ok);
    if (r->prime)
        json_bool("prime", 1);
    if (!r->ok)
        failure_print(&r->failure);
    mark_print("dial", r->dial);
    mark_print("connected", r->connected);
    mark_print("start", r->start);
    mark_print("accepted", r->accepted);
    mark_print("complete", r->complete);
    mark_print("request", r->request);
    mark_print("response", r->response);
    if (r->ok)
        proof_print("proof", &r->proof);
    json_end();
}

/* The handshake did not come to its end: why, by the stack or by our clock. */
static void result_fail(struct result *r, struct conn *c)
{
    if (deadline.passed)
        fail(&r->failure, "timeout", NULL, NULL, "not over after %llu ms",
             (unsigned long long)(deadline.span / 1000000u));
    else if (c)
        conn_failure(c, &r->failure);
    else
        fail(&r->failure, "other", NULL, NULL, "out of memory");
}

/* The last line of a block or report. */
static void block_print(const char *kind, long count, uint64_t cpu)
{
    struct memory m = meter_read();

    json_begin(kind);
    json_int("count", count);
    json_seconds("cpu", cpu);
    json_open("memory");
    json_text("what", m.what);
    json_int("idle", m.idle);
    json_int("peak", m.peak);
    json_close();
    json_end();
    json_flush();
}

#endif
