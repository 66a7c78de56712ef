/* What requests have the models do: lines to translate, or to look at with a given translation, and
 * single pieces of other work. */
#ifndef ATTEND_SERVE_WORK_H
#define ATTEND_SERVE_WORK_H

#include "serve/batcher.h"
#include "serve/catalog.h"

struct exchange;

/* Lines for one model. */
struct text_job {
    struct job job; /* first */
    struct served *served;
    struct attend_search search;
    char **line;                       /* (job.lines) */
    char **target;                     /* (job.lines) given translations; NULL: to be found */
    struct attend_wish *wish;          /* (job.lines), or NULL */
    struct attend_translation *result; /* (job.lines) */
    bool shows;                        /* the answer shows attention; otherwise no matrix is kept */
    long cells;                        /* of the matrices so far */
};
/* Cells of an answer, at most: each takes about 10 bytes of JSON. */
enum { TEXT_JOB_CELLS = 1 << 22 };

/* A job of the exchange: it has the exchange's deadline and ends with its client. */
struct job work_job(struct exchange *, int lines);

/* With room for the lines, which are to be filled in; `forced`: also for targets. NULL: out of
 * memory. Freeing it frees the lines. */
struct text_job *text_job_new(struct exchange *, struct served *, int lines, bool forced);
void text_job_free(struct text_job *);

/* A piece of other work, done alone on a thread that has nothing else. */
struct task {
    struct job job;        /* first */
    struct served *served; /* or NULL */
    /* With the model's translator, or NULL; the result is the owner's. */
    enum attend_status (*run)(struct task *, struct attend_translator *, struct attend_error *err);
    void *owner;
};

/* `work` functions of batchers; the context is the server. */
bool work_together(const struct job *, const struct job *);
bool work_alone(const struct job *, const struct job *);
void work_translate(void *server, const struct slice *, int count);
void work_task(void *server, const struct slice *, int count);
/* job->finished: the exchange that is job->owner goes on when all of its jobs are done. */
void work_finished(struct job *);
/* Answer for a job that did not succeed; false when it did. */
bool work_failed(struct exchange *, const struct job *);

#endif
