/* Work of many requests, done together by one thread. A job is a number of lines; the worker takes
 * the oldest job and with it lines of all others that go together with it, up to a batch. A job
 * that is longer than a batch goes on behind the others, so that nobody waits for more than a batch
 * and what came before.
 *
 * Nobody waits for company when there is no load. But clients that answer an answer with a question
 * come back together: when the last batch had several jobs, the worker gives the next ones a moment
 * to arrive, since one alone in a batch would keep all others waiting for as long as a full one. */
#ifndef ATTEND_SERVE_BATCHER_H
#define ATTEND_SERVE_BATCHER_H

#include "attend/status.h"

#include <stdatomic.h>
#include <stdbool.h>

struct job {
    /* ---- The owner's, set before it is added ---- */
    int lines;                      /* at least 1 */
    double deadline;                /* on the clock of base/clock.h */
    const atomic_bool *abandoned;   /* whether nobody waits for it any more; NULL: somebody does */
    void (*finished)(struct job *); /* called by the worker, once; then the job is the owner's */
    void *owner;
    /* ---- What became of it ---- */
    bool late;                 /* not done in time, or not wanted any more */
    enum attend_status status; /* of the first slice that failed, set by `run` */
    struct attend_error error;
    /* ---- The batcher's ---- */
    struct job *next;
    int taken;
};

/* Whether it is past its deadline or nobody waits for it: such a job is not begun, and `run` ends a
 * batch that has no others. Any thread may ask. */
bool job_is_over(const struct job *, double now);

/* Lines from .. from + count - 1 of a job; none of one that is late. */
struct slice {
    struct job *job;
    int from, count;
};

struct batcher_setup {
    int batch_lines; /* of a batch, at most */
    int queue_lines; /* that wait, at most */
    double gather;   /* seconds that a batch waits for company under load */
    void *context;
    bool (*together)(const struct job *, const struct job *); /* may share a batch */
    /* Do the work; failures go into the jobs. */
    void (*run)(void *context, const struct slice *, int count);
};

struct batcher;

enum attend_status batcher_new(struct batcher **out, const struct batcher_setup *,
                               struct attend_error *err);
/* False when too many lines are waiting; an empty queue takes any job. */
bool batcher_add(struct batcher *, struct job *);
/* Finish the jobs that are over and were not begun. */
void batcher_expire(struct batcher *, double now);
int batcher_waiting(struct batcher *); /* lines */
/* Finish what was added, then end. NULL is fine. */
void batcher_free(struct batcher *);

#endif
