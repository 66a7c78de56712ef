/* Serving models over HTTP: the API of LibreTranslate, attention as JSON, and a web page.
 *
 * The library does everything except HTTP itself, so that it needs no HTTP library. HTTP is in the
 * module attend-serve.so, which a server loads with dlopen or links. The module has one function,
 * attend_http. */
#ifndef ATTEND_SERVE_H
#define ATTEND_SERVE_H

#include "attend/document.h"
#include "attend/frames.h"
#include "attend/translate.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An implementation of HTTP. */
struct attend_http;
/** The implementation over libmicrohttpd. It is in attend-serve.so, not in libattend. */
ATTEND_API const struct attend_http *attend_http(void);
typedef const struct attend_http *attend_http_fn(void);

struct attend_serve_options;

/** Callbacks for log messages. Each gets one line without its end, and each may be NULL. Calls come
 * from several threads, but never two at once. */
struct attend_serve_hooks {
    void (*note)(void *context, const char *text);   /**< an event: started, models reloaded ... */
    void (*access)(void *context, const char *line); /**< one JSON object per request */
    void *context;
    /** Splits texts into sentences; NULL: a line is one sentence. It must outlive the server. */
    const struct attend_sentences *sentences;
    /** The modules for a reader of frames (attend/frames.h), for models that read files: called
     * when such a model is loaded, and when a file is to be read. They must outlive the server.
     * NULL, or a NULL result: none, so sound and images other than PGM cannot be read. */
    const struct attend_frame_modules *(*frames)(void *context, const char *reader);
    /** Asked at the start of every reload for the options from now on, which the caller may have read
     * again; NULL: as before. Both must stay valid until the next call or the end of the server.
     * Returns false, after telling why, if they cannot be read: the reload fails. What cannot change
     * while the server runs keeps its value, and a note says so. */
    bool (*reread)(void *context, const struct attend_serve_options **options,
                   const struct attend_translator_options **translator);
    void *reserved[4];
};

/** Required: models. Lists end with NULL. */
struct attend_serve_options {
    size_t size;
    const char *const *models; /**< model files */
    const char *const *names;  /**< their names for clients; NULL: their file names */
    const char *host;          /**< address to listen on; "0.0.0.0": all */
    int port;                  /**< 0: any free port */
    const char *api_keys;      /**< file of API keys; NULL: no key is needed */
    int rate;                  /**< requests per minute of one client or key; 0: any number */
    bool behind_proxy;         /**< take the client's address from X-Forwarded-For */
    const char *const *allow_origins; /**< origins of web pages that may use the server; or NULL */
    const char *const *allow_hosts;   /**< host names that requests may use; or NULL */
    const char *api_title;            /**< title in /spec */
    int max_body;                     /**< bytes of a request's body */
    int max_characters;               /**< characters of all texts of a request */
    int max_line, max_lines;          /**< characters of a line, and lines of a request */
    int max_alternatives;             /**< alternatives that a request may ask for */
    int max_explain;  /**< characters of a text to explain; the cost is limited to that of
                        max_explain / 4 tokens on each side */
    int queue;        /**< lines that may wait; beyond that, clients are told to retry later */
    int connections;  /**< open connections; others wait */
    double timeout;   /**< seconds from the first byte of a request to its translation, and again
                        to the last byte of the answer */
    bool whole_lines; /**< a line is one sentence, unless a request says otherwise */
    const char *const *glossaries; /**< files of terms (attend/markup.h) for /translate, in the
                                      order of `models`; a single one is for all; "": none */
    const char *masks;   /**< what /translate keeps as it is, such as "urls,numbers"; or NULL */
    int max_frames;      /**< frames of a file, for models that read frames */
    size_t memory_limit; /**< bytes of the models in memory: they are loaded on first use, and idle
                            ones make room; 0: all are always in memory */
};
ATTEND_DEFAULTS(serve)

struct attend_server;

/** Load the models; the server does not listen yet. `translator` sets the search; NULL: the
 * defaults. Options, translator and hooks must outlive the server. */
ATTEND_API enum attend_status attend_server_open(struct attend_server **out,
                                                 const struct attend_serve_options *options,
                                                 const struct attend_translator_options *translator,
                                                 const struct attend_serve_hooks *hooks,
                                                 struct attend_error *err);
/** Serve until attend_server_stop is called. Then no new requests are accepted, the accepted ones
 * are answered, and the function returns. */
ATTEND_API enum attend_status attend_server_run(struct attend_server *server,
                                                const struct attend_http *http,
                                                struct attend_error *err);
/** Make attend_server_run return; if it has not started yet, it will return at once. May be called
 * from a signal handler. */
ATTEND_API void attend_server_stop(struct attend_server *server);
/** Reload the models and the API keys. Requests in progress finish with the old ones. If something
 * cannot be loaded, the old version stays and a note says so. May be called from a signal
 * handler. */
ATTEND_API void attend_server_reload(struct attend_server *server);
ATTEND_API void attend_server_close(struct attend_server *server);

#ifdef __cplusplus
}
#endif

#endif
