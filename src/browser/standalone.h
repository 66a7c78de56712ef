/* A page of web/ as a single file, with the engine inside: it opens from a folder, offline, and loads
 * nothing. Write the page as if it were served, with a <link rel="stylesheet" href="x.css"> for each
 * style and <script type="module" src="x.js"></script>, each on its own line. The scripts come with
 * all that they import (modules.h), and the policy of the page names the only script and the only
 * style that may run.
 *
 * In the page, web/inside.js has the other ends: given() returns `data`, part(name) the bytes of a
 * part, startWorker() a worker that runs `worker`. engineInside() is the engine in such a worker,
 * from the part attend.wasm: the objects of web/engine.js, whose methods return promises. */
#ifndef ATTEND_BROWSER_STANDALONE_H
#define ATTEND_BROWSER_STANDALONE_H

#include <stddef.h>

struct strbuf;

/* Any bytes; in the page they are compressed. */
struct standalone_part {
    const char *name; /* the id of its element */
    const void *bytes;
    size_t size;
};

struct standalone {
    const char *page;   /* a file of web/, such as "app.html" */
    const char *title;  /* any bytes; NULL: the page has its own */
    const char *data;   /* JSON; NULL: null */
    const char *worker; /* the script of workers; NULL: "worker.js", which has the engine */
    const struct standalone_part *part;
    int parts;
};

#define STANDALONE_ENGINE "attend.wasm" /* the name of the part that engineInside reads */

void standalone_add(struct strbuf *, const struct standalone *);

#endif
