/* The table of routes: one row for each method and path.
 *
 * To add a route, write its begin function, which either answers or leaves work and jobs. If it
 * leaves jobs, also write its finish function, which answers from their results or leaves further
 * jobs. Declare both here and add a row in routes.c. /spec, metrics, 404, 405, HEAD and OPTIONS
 * follow from the table. */
#ifndef ATTEND_SERVE_ROUTES_H
#define ATTEND_SERVE_ROUTES_H

#include "serve/params.h"
#include "serve/server.h"

typedef void route_begin_fn(struct exchange *, const struct params *);
typedef void route_finish_fn(struct exchange *);
/* Hand the jobs that begin left to their batchers; false if a queue is full. */
typedef bool route_submit_fn(struct exchange *);

struct route {
    const char *method, *path;
    bool guarded; /* requires a key, if the server has keys, and counts against the rate limit */
    bool uploads; /* takes a file for a model that reads frames (upload.h) */
    route_begin_fn *begin;
    route_submit_fn *submit; /* NULL: the route never waits */
    route_finish_fn *finish;
    const char *summary; /* for /spec */
    /* names of the body's fields for /spec, separated by spaces; * marks a required one */
    const char *fields;
};

/* The i-th row; NULL past the last. */
const struct route *route_at(int i);
const char *route_path(int i);
/* -1 if it is not in the table. */
int route_number(const struct route *);

/* Find the route, check the client, and call begin; if there is an upload, once it is decoded. If
 * the answer's code is still 0 afterwards, there are jobs to submit. */
void routes_begin(struct exchange *);
/* Hand these jobs to their batchers; false if a queue is full. */
bool routes_submit(struct exchange *);

/* ---- Handlers, by file ---- */

route_begin_fn translate_begin, detect_begin, attention_begin, opennmt_begin, explain_begin,
    self_attention_begin, picture_begin, file_begin, download_begin, write_begin;
route_submit_fn translate_submit, detect_submit, attention_submit, opennmt_submit, explain_submit,
    picture_submit, file_submit, write_submit;
route_finish_fn translate_finish, detect_finish, attention_finish, opennmt_finish, explain_finish,
    picture_finish, file_finish, write_finish;
/* info_routes.c */
route_begin_fn languages_begin, models_begin, settings_begin, health_begin, spec_begin,
    metrics_begin, no_suggestions_begin, opennmt_models_begin;
/* ready_route.c */
route_begin_fn ready_begin;
/* vocabulary_route.c */
route_begin_fn vocabulary_begin;
/* page.c: the files of web/ by name. page_file returns false if there is no such file. */
route_begin_fn page_begin;
bool page_file(struct exchange *);

/* ---- Shared by several routes ---- */

/* Answer "Invalid request: <sentence>"; false. */
bool routes_refuse(struct exchange *, const char *sentence);
/* The model that the request names in `model`, or the first that translates text; NULL after answering
 * that there is no such model. If it has several pairs of languages, `source` and the parameter called `target`
 * choose one. */
struct served *routes_model(struct exchange *, const struct params *, const char *target);
/* The same, or else the model for `source` and `target_language`; or the model of the upload. NULL
 * after answering, also when the model does not translate text and there is no upload. */
struct served *routes_pair(struct exchange *, const struct params *);
/* What a route asks of a model, and what it answers if the server has none, or if the request names
 * another: "Invalid request: <none>", "Invalid request: <name> <other>". */
struct routes_wish {
    bool (*fits)(const struct served *);
    const char *none, *other;
};
/* The model that the request names in `model`, or the first that fits; NULL after answering. */
struct served *routes_model_for(struct exchange *, const struct params *,
                                const struct routes_wish *);
/* Whether a model translates text; false after answering what it does instead. */
bool routes_check_model(struct exchange *, const struct served *);
/* Whether a text is within the limits; false after answering. Also counts the text for the log. */
bool routes_check_text(struct exchange *, const char *text);
/* The same, whatever the length of its lines, for a text that will be split. */
bool routes_check_all(struct exchange *, const char *text);
/* Whether texts of this request are split into sentences. */
bool routes_split(const struct exchange *, const struct params *);
/* The number of characters in valid UTF-8. */
long routes_characters(const char *text);
/* Hand one job to its batcher, as soon as its model is in memory; false if a queue is full. A text
 * is a struct text_job, the others are a struct task. */
bool routes_submit_text(struct exchange *, struct batch_job *);
bool routes_submit_task(struct exchange *, struct batch_job *);
bool routes_submit_detection(struct exchange *, struct batch_job *);
bool routes_submit_upload(struct exchange *, struct batch_job *);

#endif
