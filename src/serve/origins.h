/* Which web pages may use the server, and under which host names.
 *
 * A browser lets any page send requests to any server, even one that only this computer can reach.
 * The browser names the page (Origin) and hides the answer from pages that may not read it (CORS),
 * but the server would still do the work, so such requests are refused. A page can also point its
 * own host name at this computer (DNS rebinding). The browser then takes the page for the server's
 * own, but Host has the page's name. */
#ifndef ATTEND_SERVE_ORIGINS_H
#define ATTEND_SERVE_ORIGINS_H

#include "attend/serve.h"
#include "serve/http.h"

struct origins {
    const char *const *allowed; /* allowed origins, NULL-terminated; or NULL */
    const char *const *hosts;   /* allowed host names, the same */
    const char *listens;        /* the address to listen at */
    bool loopback;              /* only this computer can connect, so Host is checked */
};

/* Read the options, which are borrowed. ATTEND_USAGE if an allowed origin is malformed. */
enum attend_status origins_take(struct origins *, const struct attend_serve_options *,
                                struct attend_error *err);
/* Whether any origin is allowed (`*`). */
bool origins_any(const struct origins *);
/* Whether a request comes from the server's own page, an allowed one, or no page at all. */
bool origins_allow(const struct origins *, const struct http_head *);
/* Whether the server answers to this host name; `host` is the header's value or NULL. */
bool origins_know_host(const struct origins *, const char *host);

#endif
