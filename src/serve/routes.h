/* What is served where: one row for each method and path.
 *
 * To add one: write its first half, which answers or leaves work and jobs behind, and, if it waits
 * for jobs, its second half, which answers from them or leaves further jobs; declare them here and
 * add a row in routes.c. Help for clients (/spec), metrics, 404, 405, HEAD and OPTIONS follow the
 * table. */
#ifndef ATTEND_SERVE_ROUTES_H
#define ATTEND_SERVE_ROUTES_H

#include "serve/params.h"
#include "serve/server.h"

typedef void route_begin_fn(struct exchange *, const struct params *);
typedef void route_finish_fn(struct exchange *);
/* Hands the jobs that begin left to their batchers; false when one is full. */
typedef bool route_submit_fn(struct exchange *);

struct route {
    const char *method, *path;
    bool guarded; /* asks for a key, if there are any, and counts against the rate */
    route_begin_fn *begin;
    route_submit_fn *submit; /* NULL: it never waits */
    route_finish_fn *finish;
    const char *summary; /* for /spec */
    const char *fields;  /* of its body, for /spec: names with spaces between, * behind those needed
                          */
};

/* The i-th row; NULL past the last. */
const struct route *route_at(int i);
const char *route_path(int i);
/* -1 when it is none of the table's. */
int route_number(const struct route *);

/* The first half: finds the row, checks who asks, and begins; when the answer's code is still 0,
 * there are jobs to submit. */
void routes_begin(struct exchange *);

/* ---- The halves, by file ---- */

route_begin_fn translate_begin, detect_begin, attention_begin, opennmt_begin, explain_begin,
    picture_begin;
route_submit_fn translate_submit, detect_submit, attention_submit, opennmt_submit, explain_submit,
    picture_submit;
route_finish_fn translate_finish, detect_finish, attention_finish, opennmt_finish, explain_finish,
    picture_finish;
/* info_routes.c */
route_begin_fn languages_begin, models_begin, settings_begin, health_begin, spec_begin,
    metrics_begin, no_suggestions_begin, no_files_begin, opennmt_models_begin;
/* page.c: the files of web/ by name; false when there is no such file. */
route_begin_fn page_begin;
bool page_file(struct exchange *);

/* ---- What several share ---- */

/* The model that a request names by `model`, or its first; NULL after answering that there is none.
 */
struct served *routes_model(struct exchange *, const struct params *);
/* Whether a text keeps within the limits; false after answering. Adds to what the log says. */
bool routes_check_text(struct exchange *, const char *text);
/* Characters of valid UTF-8. */
long routes_characters(const char *text);
/* Hand one job over. */
bool routes_submit_text(struct exchange *, struct job *);
bool routes_submit_task(struct exchange *, struct job *);
bool routes_submit_detection(struct exchange *, struct job *);

#endif
