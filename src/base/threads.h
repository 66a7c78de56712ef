/* A team of threads for data-parallel work. One function runs on all members at once; members
 * divide the work by their index and meet at barriers. Barriers spin for tens of microseconds; idle
 * teams sleep.
 *
 *     static void add_all(struct worker *w, void *job)
 *     {
 *         worker_share(w, n, 16, &from, &to);
 *         ... items from .. to - 1 ...
 *         worker_meet(w);
 *     }
 *     team_run(team, add_all, &job);
 *
 * A team of one starts no thread. */
#ifndef ATTEND_BASE_THREADS_H
#define ATTEND_BASE_THREADS_H

#include "attend/status.h"

struct team;
struct worker {
    struct team *team;
    int index, count; /* this member, and the number of members */
};
typedef void team_fn(struct worker *, void *job);

enum attend_status team_new(struct team **out, int count, struct attend_error *err);
/* Run fn on every member and return when all have returned; the caller is member 0. Inside,
 * denormals are flushed to zero; the caller's floating-point mode is restored afterwards. */
void team_run(struct team *, team_fn *fn, void *job);
int team_size(const struct team *);
void team_free(struct team *);

/* A barrier: wait until every member has arrived. */
void worker_meet(struct worker *);
/* This member's part [from, to) of n items; boundaries are multiples of `block`. */
void worker_share(const struct worker *, int n, int block, int *from, int *to);
/* A team of one that needs no team, for tests and small work. */
struct worker worker_alone(void);

/* One round of waiting for another thread: pause; after some thousand rounds, yield the
 * processor. */
void threads_wait(int i);

/* The number of physical cores that the process may use, at most THREADS_MOST. */
enum { THREADS_MOST = 256 };
int threads_available(void);
/* The number of processors that the process may use, found out faster; a core can have several. */
int threads_allowed(void);

#endif
