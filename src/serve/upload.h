/* A file that a request brings for a model that reads frames. Before the route begins, the file is
 * decoded on a thread of its own. Then the route goes on as with a text, and finds frames here
 * instead.
 *
 * Nothing here opens a file: the name that a client gives only begins messages. */
#ifndef ATTEND_SERVE_UPLOAD_H
#define ATTEND_SERVE_UPLOAD_H

#include "attend/frames.h"
#include "serve/params.h"
#include "serve/work.h"

struct attend_server;
struct attend_frames_view;
struct exchange;
struct json_writer;

struct upload {
    struct task task;
    struct params params;  /* of the request, until its route has begun */
    struct served *served; /* held; reads the file */
    const char *name;      /* borrowed from the params */
    const void *bytes;     /* the same */
    size_t length;
    struct attend_frames *frames; /* NULL until they are decoded */
    size_t held;                  /* their bytes, which are counted in server->held */
    bool crowded_out;             /* frames of other requests have used up the memory */
    bool begun;                   /* decoding is over */
};

/* Load the modules that the models of a catalog need, and note those that are missing. */
void upload_prepare(struct attend_server *, const struct catalog *);

/* Whether the request brings a file for a model. */
bool upload_given(const struct params *);
/* Take the parameters over and leave the file to be decoded; or answer. */
void upload_take(struct exchange *, struct params *);
/* Whether the exchange has a file that is not decoded yet. */
bool upload_waits(const struct exchange *);
bool upload_submit(struct exchange *);
/* The file is decoded, or refused: begin the route, or answer. */
void upload_begin_route(struct exchange *);
/* NULL is fine. */
void upload_free(struct upload *);

/* ---- For routes ---- */

/* The columns of attention of the upload. */
int upload_columns(const struct upload *);
/* What pictures show of it. */
enum attend_status upload_view(struct attend_frames_view **out, const struct upload *,
                               struct attend_error *err);
/* Add the member `frames`: what the frames are, and the position of each column of attention. With
 * `values` also what a page needs to draw them, if they are not too many. */
void upload_put(struct json_writer *, const struct upload *, bool values);

#endif
