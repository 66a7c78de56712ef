/* Models behind HTTP: the API that LibreTranslate's clients speak, attention as data, and a page.
 *
 * The library does everything but HTTP itself, so that it links no HTTP library: that is the module
 * attend-serve.so, which is loaded with dlopen (or linked) by those who serve. It has one function,
 * `const struct attend_http *attend_http(void)`. */
#ifndef ATTEND_SERVE_H
#define ATTEND_SERVE_H

#include "attend/option.h"
#include "attend/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How requests come in and answers go out. */
struct attend_http;
/** Of attend-serve.so, over libmicrohttpd; it is not in libattend. */
ATTEND_API const struct attend_http *attend_http(void);
typedef const struct attend_http *attend_http_fn(void);

/** What a server tells, one line without its end at a time. Each may be NULL; calls come from
 * several threads, never two at once. */
struct attend_serve_hooks {
    void (*note)(void *context, const char *text);   /**< what happened: started, loaded anew */
    void (*access)(void *context, const char *line); /**< JSON, one for each request */
    void *context;
};

struct attend_server;

/** Load the models with the settings of attend_options_new("serve", ...), which must outlive the
 * server, as the hooks must. Nothing is heard yet. */
ATTEND_API enum attend_status attend_server_open(struct attend_server **out,
                                                 const struct attend_options *options,
                                                 const struct attend_serve_hooks *hooks,
                                                 struct attend_error *err);
/** Serve until attend_server_stop; then nothing new is accepted, what was accepted is answered, and
 * this returns. */
ATTEND_API enum attend_status attend_server_run(struct attend_server *server,
                                                const struct attend_http *http,
                                                struct attend_error *err);
/** End attend_server_run, now or as soon as it runs. A signal handler may call it. */
ATTEND_API void attend_server_stop(struct attend_server *server);
/** Load models and API keys anew; requests that were begun end with the old ones. What cannot be
 * loaded stays as it was, and a note says so. A signal handler may call it. */
ATTEND_API void attend_server_reload(struct attend_server *server);
/** NULL is fine. */
ATTEND_API void attend_server_close(struct attend_server *server);

#ifdef __cplusplus
}
#endif

#endif
