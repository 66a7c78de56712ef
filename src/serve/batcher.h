/* Runs the work of many requests in batches, on one thread. A job is a number of lines. A batch
 * starts with the oldest job and is filled with lines of every other job that may share a batch
 * with it. A job longer than a batch goes back to the end of the queue, so no job waits for more
 * than the jobs before it and one batch.
 *
 * Without load a batch starts at once. Under load, clients that send the next request as soon as
 * they have the reply arrive together. So when the last batch had several jobs, the worker waits a
 * moment for the next ones: a batch with a single early job would make all others wait.
 *
 * On a system without threads, batcher_add finishes the job before it returns. */
#ifndef ATTEND_SERVE_BATCHER_H
#define ATTEND_SERVE_BATCHER_H

#include "attend/status.h"

#include <stdatomic.h>
#include <stdbool.h>

struct served;

struct batch_job {
    /* ---- Set by the owner before batcher_add ---- */
    int lines;                    /* at least 1 */
    double deadline;              /* on the clock of base/clock.h */
    const atomic_bool *abandoned; /* the client is gone; NULL: cannot happen */
    /* Called once, by the worker; the job then belongs to the owner again. */
    void (*finished)(struct batch_job *);
    void *owner;
    /* ---- Results ---- */
    bool late;                 /* missed its deadline or was abandoned */
    enum attend_status status; /* of the first slice that failed, set by `run` */
    struct attend_error error;
    /* ---- Internal to the batcher ---- */
    struct batch_job *next;
    int taken;
    /* ---- Internal to the loader ---- */
    struct served *uses; /* the model that stays in memory for this job; or NULL */
};

/* Whether a job is past its deadline or abandoned. Such a job is not started, and `run` stops a
 * batch in which all jobs are over. Safe to call from any thread. */
bool job_is_over(const struct batch_job *, double now);

/* Lines from .. from + count - 1 of a job; count is 0 for a job that is late. */
struct slice {
    struct batch_job *job;
    int from, count;
};

struct batcher_setup {
    int batch_lines; /* maximum lines in a batch */
    int queue_lines; /* maximum lines in the queue */
    double gather;   /* seconds that a batch waits for more jobs under load */
    void *context;
    /* Whether two jobs may share a batch. */
    bool (*together)(const struct batch_job *, const struct batch_job *);
    /* Do the work. Errors are stored in the jobs. */
    void (*run)(void *context, const struct slice *, int count);
};

struct batcher;

enum attend_status batcher_new(struct batcher **out, const struct batcher_setup *,
                               struct attend_error *err);
/* False when the queue is full. An empty queue accepts a job of any length. */
bool batcher_add(struct batcher *, struct batch_job *);
/* The same, whatever waits: for jobs that waited elsewhere. */
void batcher_push(struct batcher *, struct batch_job *);
/* Finish queued jobs that are over before any of their lines was started. */
void batcher_expire(struct batcher *, double now);
int batcher_waiting(struct batcher *); /* lines */
/* Finish all queued jobs, then stop the worker. NULL is fine. */
void batcher_free(struct batcher *);

#endif
