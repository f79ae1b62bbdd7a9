/* flags.h: the command line of docs/driver.md into struct config. */
#ifndef SHAKEDOWN_FLAGS_H
#define SHAKEDOWN_FLAGS_H

enum kind { TEXT, SWITCH, NUMBER, SIZE };

enum { SERVE = 1, CONNECT = 2, OP = 4, ANY = SERVE | CONNECT | OP };

/* A flag, who takes it, and where it goes. Numbers have bounds; names a list. */
static const struct flag {
    const char *name;
    int verbs;
    enum kind kind;
    size_t offset;
    long low, high;
    const char *names;
} flags[] = {
#define AT(field) offsetof(struct config, field)
    {"protocol", ANY, TEXT, AT(protocol), 0, 0, "tls,dtls,quic"},
    {"version", ANY, TEXT, AT(version), 0, 0, "1.2,1.3"},
    {"group", ANY, TEXT, AT(group), 0, 0, NULL},
    {"suite", ANY, TEXT, AT(suite), 0, 0, NULL},
    {"auth", ANY, TEXT, AT(auth), 0, 0,
     "ecdsa-p256,ecdsa-p384,ed25519,rsa-2048,rsa-3072,mldsa44,mldsa65,mldsa87,psk"},
    {"cert", ANY, TEXT, AT(cert), 0, 0, NULL},
    {"key", ANY, TEXT, AT(key), 0, 0, NULL},
    {"ca", ANY, TEXT, AT(ca), 0, 0, NULL},
    {"insecure", ANY, SWITCH, AT(insecure), 0, 0, NULL},
    {"mutual", ANY, SWITCH, AT(mutual), 0, 0, NULL},
    {"psk", ANY, TEXT, AT(psk), 0, 0, NULL},
    {"psk-identity", ANY, TEXT, AT(psk_identity), 0, 0, NULL},
    {"mode", ANY, TEXT, AT(mode), 0, 0, "full,resumed,early-data"},
    {"server-name", ANY, TEXT, AT(server_name), 0, 0, NULL},
    {"request", ANY, SIZE, AT(request), 1, MAX_APP, NULL},
    {"response", ANY, SIZE, AT(response), 1, MAX_APP, NULL},
    {"timeout", ANY, NUMBER, AT(timeout_ms), 1, 86400000, NULL},
    {"keylog", ANY, TEXT, AT(keylog), 0, 0, NULL},
    {"memory", ANY, SWITCH, AT(memory), 0, 0, NULL},
    {"fault", ANY, TEXT, AT(skip_ticket), 0, 0, "skip-ticket"},
    {"listen", SERVE, TEXT, AT(listen), 0, 0, NULL},
    {"to", CONNECT, TEXT, AT(to), 0, 0, NULL},
    {"count", CONNECT | OP, NUMBER, AT(count), 1, MAX_BLOCK, NULL},
    {"request-text", CONNECT, TEXT, AT(request_text), 0, 0, NULL},
    {"size", OP, SIZE, AT(size), 1, MAX_APP, NULL},
#undef AT
};

#define N_FLAGS (sizeof flags / sizeof *flags)

/* Position of a name in a comma separated list, or -1. */
static int list_index(const char *list, const char *name)
{
    char item[32];

    for (int i = 0; list_next(&list, item, sizeof item); i++)
        if (strcmp(item, name) == 0)
            return i;
    return -1;
}

static void __attribute__((noreturn)) unknown_flag(int verb, const char *name)
{
    char known[512] = "";
    size_t len = 0;

    for (size_t i = 0; i < N_FLAGS; i++)
        if (flags[i].verbs & verb)
            len += (size_t)snprintf(known + len, sizeof known - len, " --%s", flags[i].name);
    die_usage("unknown flag \"%s\"; there are%s", name, known);
}

static const struct flag *find_flag(int verb, const char *arg)
{
    if (strncmp(arg, "--", 2) == 0)
        for (size_t i = 0; i < N_FLAGS; i++)
            if ((flags[i].verbs & verb) && strcmp(flags[i].name, arg + 2) == 0)
                return &flags[i];
    unknown_flag(verb, arg);
}

static long parse_number(const char *flag, const char *text, long low, long high)
{
    char *end;
    long n;

    errno = 0;
    n = strtol(text, &end, 10);
    if (end == text || *end || errno || n < low || n > high)
        die_usage("%s \"%s\" is not a number from %ld to %ld", flag, text, low, high);
    return n;
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *p = c ? strchr(digits, c | 0x20) : NULL;

    return p ? (int)(p - digits) : -1;
}

static void parse_psk(struct config *cfg, const char *hex)
{
    size_t n = strlen(hex);

    if (n == 0 || n % 2 || n / 2 > sizeof cfg->psk)
        die_usage("--psk takes 1 to %zu bytes in hex", sizeof cfg->psk);
    for (size_t i = 0; i < n; i++) {
        int d = hex_digit(hex[i]);

        if (d < 0)
            die_usage("--psk: \"%c\" is not a hex digit", hex[i]);
        cfg->psk[i / 2] = (unsigned char)(cfg->psk[i / 2] << 4 | d);
    }
    cfg->psk_len = n / 2;
}

/* Stores the value of one flag. */
static void set_flag(struct config *cfg, const struct flag *f, const char *value)
{
    char *at = (char *)cfg + f->offset;

    if (f->names && list_index(f->names, value) < 0)
        die_usage("unknown --%s \"%s\"; there are %s", f->name, value, f->names);
    if (f->kind == NUMBER)
        *(long *)at = parse_number(f->name, value, f->low, f->high);
    else if (f->kind == SIZE)
        *(size_t *)at = (size_t)parse_number(f->name, value, f->low, f->high);
    else if (f->offset == offsetof(struct config, psk))
        parse_psk(cfg, value);
    else if (f->offset == offsetof(struct config, mode))
        cfg->mode = (enum mode)list_index(f->names, value);
    else if (f->offset == offsetof(struct config, skip_ticket))
        cfg->skip_ticket = 1;
    else
        *(const char **)at = value;
}

static void parse_flags(struct config *cfg, int verb, char **args)
{
    for (; *args; args++) {
        const struct flag *f = find_flag(verb, *args);

        if (f->kind == SWITCH) {
            *(int *)((char *)cfg + f->offset) = 1;
            continue;
        }
        if (args[1] == NULL)
            die_usage("--%s needs a value", f->name);
        set_flag(cfg, f, *++args);
    }
}

/* What must be given together. */
static void check_flags(const struct config *cfg, int verb)
{
    int psk = cfg->psk_len > 0;

    if (cfg->auth && strcmp(cfg->auth, "psk") == 0 && !psk)
        die_usage("--auth psk needs --psk");
    if (psk && !cfg->psk_identity)
        die_usage("--psk needs --psk-identity");
    if (!cfg->cert != !cfg->key)
        die_usage("--cert and --key go together");
    if (verb == SERVE && !cfg->listen)
        die_usage("serve needs --listen");
    if (verb == CONNECT && !cfg->to)
        die_usage("connect needs --to");
    if (verb == OP && !cfg->size)
        die_usage("op record needs --size");
    if (verb != CONNECT && !cfg->cert && !psk)
        die_usage("%s needs --cert and --key, or --psk", cfg->verb);
    if (verb != SERVE && !cfg->ca && !cfg->insecure && !psk)
        die_usage("%s needs --ca, or --insecure", cfg->verb);
    if (cfg->mutual && (!cfg->cert || (verb != CONNECT && !cfg->ca)))
        die_usage("--mutual needs --cert, --key and --ca");
}

/* Parses main's arguments; wrong use ends the program with exit status 2. */
static int parse_args(struct config *cfg, char **argv)
{
    static const char verbs[] = "info,serve,connect,op";
    int verb, skip = 2;

    *cfg = (struct config){.protocol = "tls", .server_name = "localhost", .request = 32, .response = 32,
                           .timeout_ms = 10000};
    verb = argv[0] && argv[1] ? list_index(verbs, argv[1]) : -1;
    if (verb < 0)
        die_usage("verb missing or unknown; there are %s", verbs);
    cfg->verb = argv[1];
    if (verb == 0) {
        if (argv[2])
            die_usage("info takes no flags");
        return 0;
    }
    verb = 1 << (verb - 1);
    if (verb == OP) {
        if (!argv[2] || strcmp(argv[2], "record") != 0)
            die_usage("op \"%s\" is unknown; there is record", argv[2] ? argv[2] : "");
        cfg->op = argv[2];
        skip = 3;
    }
    parse_flags(cfg, verb, argv + skip);
    check_flags(cfg, verb);
    if (strcmp(cfg->protocol, "tls") != 0)
        die_cannot("protocol", "this driver speaks tls only");
    return verb;
}

#endif
