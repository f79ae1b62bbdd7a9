/* driver.h: what every native driver shares (protocol: docs/driver.md).
 *
 * A stack's file NAME.c includes this header, defines the hooks declared at
 * the end of it as static functions, and includes "main.h" as its last line.
 * Everything is one translation unit, so the hooks are called directly.
 */
#ifndef SHAKEDOWN_DRIVER_H
#define SHAKEDOWN_DRIVER_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_APP 16384   /* longest request or response, bytes */
#define MAX_BLOCK 4096  /* most handshakes in one block */

enum mode { MODE_FULL, MODE_RESUMED, MODE_EARLY };

/* The flags, parsed. Strings are NULL where the flag was not given. */
struct config {
    const char *verb, *op;
    const char *protocol, *version, *group, *suite, *auth;
    const char *cert, *key, *ca;
    int insecure, mutual;
    unsigned char psk[64];
    size_t psk_len;
    const char *psk_identity;
    enum mode mode;
    const char *server_name;
    const char *listen, *to;
    long count;
    size_t request, response;
    const char *request_text;
    long timeout_ms;
    const char *keylog;
    int memory;
    int skip_ticket; /* --fault skip-ticket */
    size_t size;     /* op record */
};

enum tri { UNKNOWN = -1, NO = 0, YES = 1 };

/* What the stack says happened. Empty strings and UNKNOWN are left out. */
struct proof {
    char version[4];
    char suite[56], group[32], signature[40];
    int resumed;                      /* session or ticket accepted */
    int early;                        /* UNKNOWN: not offered; NO: rejected; YES: accepted */
    int psk, hello_retry, verified, mutual; /* enum tri */
};

/* Why it failed: reason and from are literals of docs/driver.md. */
struct failure {
    const char *reason;
    const char *from;    /* "local", "peer" or NULL */
    char alert[32];      /* RFC 8446 name or "" */
    char detail[160];
};

/* Bytes in memory between the two ends of `op record`. */
struct pipe_buf {
    unsigned char *data;
    size_t cap, head, tail;
};
size_t pipe_put(struct pipe_buf *p, const void *data, size_t n); /* n, or 0 when it does not fit */
size_t pipe_get(struct pipe_buf *p, void *data, size_t n);       /* up to n; 0 when empty */

/* How a connection moves bytes: a socket (fd >= 0), or two pipes (fd == -1). */
struct transport {
    int fd;
    struct pipe_buf *in, *out;
};

/* Set-up failures end the program with an error line and exit status 1. */
void die_cannot(const char *what, const char *fmt, ...) __attribute__((noreturn, format(printf, 2, 3)));
void die_setup(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Walks a comma separated list: copies the next name into buf, returns 0 at the end. */
int list_next(const char **list, char *buf, size_t size);

/* RFC 8446 name of an alert code, or "unknown_N" in a static buffer. */
const char *alert_name(int code);

/* Fills a failure; detail may be NULL. */
void fail(struct failure *f, const char *reason, const char *from, const char *alert, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* Appends one line to the key log (mode 0600), for stacks with a callback. */
void keylog_line(const char *line);

/* JSON of `info`: name → list of strings, and reasons under "cannot". */
void info_list(const char *name, const char *const *items); /* NULL terminated */
void info_cannot(const char *name, const char *reason);
void info_bool(const char *name, int value);

/* ---- hooks: what a stack defines -------------------------------------- */

struct side; /* one end's context: certificates, versions, groups, sessions */
struct conn; /* one connection */

/* Result of a step. AGAIN appears only on memory transports. */
enum step { FAILED = -1, DONE = 0, AGAIN = 1 };

/* Name as in flags ("openssl") and versions as loaded and as compiled. */
static const char *stack_name(void);
static const char *stack_version(void); /* "3.0.19" */
static const char *stack_library(void); /* the library's own words */
static const char *stack_headers(void);

/* Calls info_list for versions, groups, suites, auths, modes; info_bool for
 * mutual and hello_retry; info_cannot. Everything is probed. */
static void stack_info(void);

/* Makes a context from the flags; what the build lacks is die_cannot. */
static struct side *side_new(const struct config *cfg, int server);

/* Opens a connection object on a transport. A client side in mode resumed or
 * early-data offers its saved session. NULL when out of memory. */
static struct conn *conn_new(struct side *s, const struct transport *t);

/* The whole handshake; on a memory transport AGAIN when it needs the peer.
 * The client's handshake in early-data mode finishes what conn_early_send began. */
static enum step conn_handshake(struct conn *c);

/* Client, early-data mode: starts the handshake and sends n bytes as 0-RTT data. */
static enum step conn_early_send(struct conn *c, const void *data, size_t n);

/* Server, early-data mode: whole handshake; calls early_got(arg, data, n) for
 * early data as it comes, and, when the callback answers with a response
 * (*reply, *reply_len set), sends that before the client's Finished. A stack
 * that cannot passes reply NULL, and the response follows the handshake. */
struct early_sink {
    void *arg;
    void (*got)(void *arg, const void *data, size_t n, const void **reply, size_t *reply_len);
};
static enum step conn_handshake_early(struct conn *c, const struct early_sink *sink);

/* Application data. write: all n bytes or FAILED. read: bytes, 0 when the peer
 * closed, -1 failed, -2 AGAIN (memory transports). Post-handshake messages
 * (tickets, key updates) are dealt with inside read. */
static int conn_write(struct conn *c, const void *data, size_t n);
static int conn_read(struct conn *c, void *data, size_t n);

/* After a failed step: reason, alert, the stack's words. */
static void conn_failure(struct conn *c, struct failure *f);

/* After the response. In early-data mode also right after the handshake, where
 * it is in the timed path: it must be cheap. */
static void conn_proof(struct conn *c, struct proof *p);

/* Client: keeps this connection's newest session for the next one. */
static void conn_save_session(struct conn *c);
/* Client: is a session at hand that can be offered? Forgets single-use ones already offered. */
static int side_has_session(struct side *s);

/* Optional, with `#define STACK_DRAINS` before driver.h is included. Client,
 * early-data mode, after the response: sends close_notify and reads to the
 * peer's end. A server that answers early data before the client's Finished
 * issues its tickets after that answer; without this step the next handshake
 * has no session and needs a prime one. conn_save_session comes after it. */
#ifdef STACK_DRAINS
static void conn_drain(struct conn *c);
#endif

/* Sends close_notify (does not wait for the peer's) and frees the connection;
 * the socket is closed by the caller. notify = 0 after a failure. */
static void conn_free(struct conn *c, int notify);

/* Is this stack's allocation seen by the heap counter of meter.h? Nearly all: yes. */
#ifndef STACK_MEMORY
#define STACK_MEMORY "heap"
#endif

#endif
