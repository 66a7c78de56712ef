/* Which web pages may use the server, and by which names it may be called.
 *
 * A browser lets any page send requests to any server, also to one that only this computer can
 * reach. It says whose page it is (Origin), and keeps answers from pages that are not allowed to
 * read them (CORS); but work would be done for them nonetheless, so that they are refused. A page
 * can also have its own name point to this computer (DNS rebinding), after which the browser takes
 * it for the server's own: then Host has that name. */
#ifndef ATTEND_SERVE_ORIGINS_H
#define ATTEND_SERVE_ORIGINS_H

#include "attend/option.h"
#include "serve/http.h"

struct origins {
    const char *const *allowed; /* of --allow-origin, NULL behind the last; or NULL */
    const char *const *hosts;   /* of --allow-host, the same */
    const char *listens;        /* --host */
    bool loopback;              /* only this computer reaches it: names are checked */
};

/* The settings; ATTEND_USAGE when one of --allow-origin is no origin. They are borrowed. */
enum attend_status origins_take(struct origins *, const struct attend_options *,
                                struct attend_error *err);
/* Whether --allow-origin has `*`. */
bool origins_any(const struct origins *);
/* Whether a request comes from no page, the server's own or one that is allowed. */
bool origins_allow(const struct origins *, const struct http_head *);
/* Whether the server goes by this name; host: as in the header, or NULL. */
bool origins_know_host(const struct origins *, const char *host);

#endif
