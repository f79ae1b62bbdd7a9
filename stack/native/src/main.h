/* main.h: a driver's main, for the stack that includes it as its last line. */
#ifndef SHAKEDOWN_MAIN_H
#define SHAKEDOWN_MAIN_H

#include "driver.h"

#include "clock.h"
#include "json.h"
#include "text.h"
#include "flags.h"
#include "meter.h"
#include "deadline.h"
#include "net.h"
#include "pipe.h"
#include "lines.h"
#include "result.h"
#include "info.h"
#include "serve.h"
#include "connect.h"
#include "record.h"

int main(int argc, char **argv)
{
    static struct config cfg;
    static char out[1 << 16];
    int verb = parse_args(&cfg, argv);

    (void)argc;
    setvbuf(stdout, out, _IOFBF, sizeof out);
    signal(SIGPIPE, SIG_IGN);
    meter_start(&cfg, argv);
    if (cfg.keylog)
        keylog_open(cfg.keylog);
    switch (verb) {
    case SERVE: return serve(&cfg);
    case CONNECT: return connect_verb(&cfg);
    case OP: return op_record(&cfg);
    default: return info();
    }
}

#endif
