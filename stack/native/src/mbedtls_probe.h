/* mbedtls_probe.h: the verb info: what this build can do is tried out.
 *
 * Each probe is a handshake over memory in a child process, so that whatever
 * ends a set-up ends the child alone.
 */
#ifndef SHAKEDOWN_MBEDTLS_PROBE_H
#define SHAKEDOWN_MBEDTLS_PROBE_H

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mbedtls_probe_certs.h"

#define MAX_LIST 256

/* What a child leaves to its parent: the proofs, once all went well. */
struct probed {
    int ok;
    struct proof client, server;
};

static struct probed *probed;

/* A list of names for info_list. */
struct name_list {
    const char *items[MAX_LIST + 1];
    size_t n;
};

static int name_in(const struct name_list *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->items[i], name) == 0)
            return 1;
    return 0;
}

static void name_add(struct name_list *list, const char *name)
{
    if (!name_in(list, name) && list->n < MAX_LIST)
        list->items[list->n++] = strdup(name);
}

/* The flags of a probe; auth names the certificate. */
static struct config probe_config(const char *auth, const char *version)
{
    static const struct {
        const char *auth, *cert, *key;
    } certs[] = {
        {"ecdsa-p256", probe_p256_cert, probe_p256_key},
        {"ecdsa-p384", probe_p384_cert, probe_p384_key},
        {"rsa-2048", probe_rsa_cert, probe_rsa_key},
    };
    struct config cfg = {.version = version, .auth = auth, .server_name = "localhost", .psk_identity = "probe"};

    for (size_t i = 0; i < sizeof certs / sizeof *certs; i++)
        if (strcmp(auth, certs[i].auth) == 0) {
            cfg.cert = cfg.ca = certs[i].cert;
            cfg.key = certs[i].key;
        }
    cfg.psk_len = cfg.cert ? 0 : 32;
    return cfg;
}

struct probe_pair {
    struct conn *client, *server;
    struct pipe_buf up, down;
    unsigned char up_bytes[1 << 16], down_bytes[1 << 16];
};

static void probe_early_got(void *arg, const void *data, size_t n, const void **reply, size_t *reply_len)
{
    (void)arg, (void)data, (void)n, (void)reply, (void)reply_len;
}

/* One handshake, then a byte each way, which brings the ticket along. */
static int probe_handshake(struct probe_pair *p, int early)
{
    const struct early_sink sink = {NULL, probe_early_got};
    enum step client = AGAIN, server = AGAIN;
    char byte = 'p';

    if (early && conn_early_send(p->client, &byte, 1) != DONE)
        return 0;
    for (int i = 0; i < 64 && (client == AGAIN || server == AGAIN); i++) {
        if (client == AGAIN)
            client = conn_handshake(p->client);
        if (server == AGAIN)
            server = early ? conn_handshake_early(p->server, &sink) : conn_handshake(p->server);
        if (client == FAILED || server == FAILED)
            return 0;
    }
    return client == DONE && server == DONE && conn_write(p->client, &byte, 1) == 1 &&
           conn_read(p->server, &byte, 1) == 1 && conn_write(p->server, &byte, 1) == 1 &&
           conn_read(p->client, &byte, 1) == 1;
}

/* In the child: as many handshakes as the mode needs; the last one counts. */
static void probe_run(const struct config *client, const struct config *server)
{
    static struct probe_pair p;
    struct side *cs = side_new(client, 0), *ss = side_new(server, 1);
    struct transport up = {-1, &p.down, &p.up}, down = {-1, &p.up, &p.down};

    for (int i = client->mode == MODE_FULL; i < 2; i++) {
        int early = client->mode == MODE_EARLY && i == 1;

        p.up = (struct pipe_buf){.data = p.up_bytes, .cap = sizeof p.up_bytes};
        p.down = (struct pipe_buf){.data = p.down_bytes, .cap = sizeof p.down_bytes};
        p.client = conn_new(cs, &up);
        p.server = conn_new(ss, &down);
        if (!p.client || !p.server || !probe_handshake(&p, early))
            return;
        conn_proof(p.client, &probed->client);
        conn_proof(p.server, &probed->server);
        conn_save_session(p.client);
        conn_free(p.client, 0);
        conn_free(p.server, 0);
    }
    probed->ok = 1;
}

/* Tries it; the proofs are in *probed. */
static int probe_two(const struct config *client, const struct config *server)
{
    int status, null;
    pid_t pid;

    memset(probed, 0, sizeof *probed);
    pid = fork();
    if (pid == 0) {
        null = open("/dev/null", O_WRONLY);
        dup2(null, 1);
        dup2(null, 2);
        probe_run(client, server);
        _exit(0);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return probed->ok;
}

static int probe(struct config cfg)
{
    return probe_two(&cfg, &cfg);
}

static void info_versions(void)
{
    struct name_list list = {.n = 0};

    if (probe(probe_config("ecdsa-p256", "1.2")))
        name_add(&list, "1.2");
    if (probe(probe_config("ecdsa-p256", "1.3")))
        name_add(&list, "1.3");
    else
        info_cannot("1.3", "this build has no TLS 1.3");
    info_list("versions", list.items);
}

static void group_try(struct name_list *list, const char *name)
{
    static const char *const versions[] = {"1.3", "1.2"};

    for (size_t i = 0; i < 2; i++) {
        struct config cfg = probe_config("ecdsa-p256", versions[i]);

        cfg.group = name;
        if (probe(cfg) && strcmp(probed->client.group, name) == 0)
            name_add(list, name);
    }
}

/* The library's default order first, then what has to be asked for. Large FFDHE
 * groups take seconds: ffdhe2048 stands for those of the default list. */
static void info_groups(void)
{
    struct name_list list = {.n = 0};
    mbedtls_ssl_config conf;

    mbedtls_ssl_config_init(&conf);
    check(mbedtls_ssl_config_defaults(&conf, MBEDTLS_SSL_IS_CLIENT, MBEDTLS_SSL_TRANSPORT_STREAM,
                                      MBEDTLS_SSL_PRESET_DEFAULT), "defaults");
    for (const group_t *g = compat_default_groups(&conf); *g; g++) {
        const char *name = group_name(compat_group_code(*g));

        if (compat_group_code(*g) <= 256)
            group_try(&list, name);
        else if (list.n && strcmp(list.items[list.n - 1], "ffdhe2048") >= 0)
            name_add(&list, name);
    }
    for (size_t i = 0; group_names[i].code && group_names[i].code < 256; i++)
        group_try(&list, group_names[i].name);
    info_list("groups", list.items);
    info_cannot("X25519MLKEM768", "Mbed TLS has no ML-KEM");
    mbedtls_ssl_config_free(&conf);
}

static int suite_try(const char *own, const char *iana)
{
    const char *auth = strstr(own, "-PSK-") ? "psk" : strstr(own, "-RSA-") ? "rsa-2048" : "ecdsa-p256";
    struct config cfg = probe_config(auth, strncmp(own, "TLS1-3-", 7) == 0 ? "1.3" : "1.2");

    cfg.suite = iana;
    cfg.group = "secp256r1"; /* the default may be a slow one */
    return probe(cfg) && strcmp(probed->client.suite, iana) == 0;
}

/* The library's list has over a hundred suites: one is taken as working without
 * trying it when its key exchange and its cipher have both worked in others.
 * Static ECDH is left out: it needs certificates made for key agreement. */
static void info_suites(void)
{
    struct name_list list = {.n = 0}, exchanges = {.n = 0}, ciphers = {.n = 0};
    char exchange[64], name[64];

    for (const int *id = mbedtls_ssl_list_ciphersuites(); *id; id++) {
        const char *own = mbedtls_ssl_get_ciphersuite_name(*id), *with = strstr(own, "-WITH-");
        const char *cipher = with ? with + 6 : own;

        if (strncmp(own, "TLS-ECDH-", 9) == 0)
            continue;
        snprintf(exchange, sizeof exchange, "%.*s", (int)(cipher - own), own);
        suite_name(own, name, sizeof name);
        if ((!name_in(&exchanges, exchange) || !name_in(&ciphers, cipher)) && !suite_try(own, name))
            continue;
        name_add(&exchanges, exchange);
        name_add(&ciphers, cipher);
        name_add(&list, name);
    }
    info_list("suites", list.items);
}

/* RSA of 2048 bits stands for 3072: the code is the same. */
static void info_auths(void)
{
    static const char *const tried[] = {"ecdsa-p256", "ecdsa-p384", "rsa-2048", "psk"};
    struct name_list list = {.n = 0};

    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        if (!probe(probe_config(tried[i], NULL)))
            continue;
        name_add(&list, tried[i]);
        if (strcmp(tried[i], "rsa-2048") == 0)
            name_add(&list, "rsa-3072");
    }
    info_list("auths", list.items);
    info_cannot("ed25519", "Mbed TLS has no Ed25519");
    info_cannot("mldsa44", "Mbed TLS has no ML-DSA");
    info_cannot("mldsa65", "Mbed TLS has no ML-DSA");
    info_cannot("mldsa87", "Mbed TLS has no ML-DSA");
}

static void info_modes(void)
{
    struct config cfg = probe_config("ecdsa-p256", NULL);
    struct name_list list = {.n = 0};

    if (probe(cfg))
        name_add(&list, "full");
    cfg.mode = MODE_RESUMED;
    if (probe(cfg) && probed->client.resumed && probed->server.resumed)
        name_add(&list, "resumed");
    cfg.mode = MODE_EARLY;
    if (probe(cfg) && probed->client.early == YES && probed->server.early == YES)
        name_add(&list, "early-data");
    else
        info_cannot("early-data", "this build has no early data (MBEDTLS_SSL_EARLY_DATA)");
    info_list("modes", list.items);
}

static void info_abilities(void)
{
    struct config cfg = probe_config("ecdsa-p256", NULL), client = probe_config("ecdsa-p256", "1.3"), server = client;
    int retry;

    cfg.mutual = 1;
    info_bool("mutual", probe(cfg) && probed->client.mutual == YES && probed->server.verified == YES);
    client.group = "secp384r1,secp256r1";
    server.group = "secp256r1";
    retry = probe_two(&client, &server) && probed->client.hello_retry == YES && probed->server.hello_retry == YES;
    info_bool("hello_retry", retry);
    if (!retry)
        info_cannot("hello-retry", "HelloRetryRequest needs TLS 1.3");
}

static void stack_info(void)
{
    probed = mmap(NULL, sizeof *probed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (probed == MAP_FAILED)
        die_setup("mmap: %s", strerror(errno));
    info_versions();
    info_groups();
    info_suites();
    info_auths();
    info_modes();
    info_abilities();
}

#endif
