/* The work that requests leave for the models: lines to translate or to score, and other single
 * tasks. */
#ifndef ATTEND_SERVE_WORK_H
#define ATTEND_SERVE_WORK_H

#include "serve/batcher.h"
#include "serve/catalog.h"

struct exchange;

/* Lines for one model. */
struct text_job {
    struct batch_job job; /* must be first */
    struct served *served;
    struct attend_search search;
    char **line;                        /* (job.lines) */
    const struct attend_frames *frames; /* instead of the only line; borrowed; NULL: text */
    char **target; /* (job.lines) given translations to score; NULL: translate */
    struct attend_constraint *constraint; /* (job.lines), or NULL */
    struct attend_markup **markup;        /* (job.lines) goes back into the results; or NULL */
    struct attend_translation *result;    /* (job.lines) */
    bool shows;                           /* keep the attention matrices for the answer */
    long cells;                           /* cells of all matrices so far */
};
/* Maximum cells of an answer: each takes about 10 bytes of JSON. */
enum { TEXT_JOB_CELLS = 1 << 22 };

/* A job of the exchange, with its deadline; the job is dropped when the client leaves. */
struct batch_job work_job(struct exchange *, int lines);

/* Allocates room for the lines, which the caller fills in; `forced`: also for targets. NULL: out of
 * memory. text_job_free frees the lines too. */
struct text_job *text_job_new(struct exchange *, struct served *, int lines, bool forced);
void text_job_free(struct text_job *);

struct task;
typedef enum attend_status task_run_fn(struct task *, struct attend_translator *,
                                       struct attend_error *err);

/* A single task, run alone on a thread for such tasks. */
struct task {
    struct batch_job job;  /* must be first */
    struct served *served; /* in memory while the task runs; or NULL */
    /* Runs with the model's translator; NULL without a model, and for one that writes by hand. The
     * owner keeps the result. */
    task_run_fn *run;
    void *owner;
};

/* The `together` and `run` functions of batchers; their context is the server. */
bool work_together(const struct batch_job *, const struct batch_job *);
bool work_alone(const struct batch_job *, const struct batch_job *);
void work_translate(void *server, const struct slice *, int count);
void work_task(void *server, const struct slice *, int count);
/* If the job failed, answer with its error and return true. */
bool work_failed(struct exchange *, const struct batch_job *);

#endif
