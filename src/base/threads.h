/* A team of threads for data-parallel work. One function runs on every member at once; members
 * divide the work by their number and meet at barriers. Work that ends within tens of microseconds
 * meets by spinning, idle teams sleep.
 *
 *     static void add_all(struct worker *w, void *job) { ... worker_share(w, n, 16, &from, &to);
 * ... worker_meet(w); } team_run(team, add_all, &job);
 *
 * A team of one starts no thread. */
#ifndef ATTEND_BASE_THREADS_H
#define ATTEND_BASE_THREADS_H

#include "attend/status.h"

struct team;
struct worker {
    struct team *team;
    int index, count; /* this member, and how many there are */
};
typedef void team_fn(struct worker *, void *job);

enum attend_status team_new(struct team **out, int count, struct attend_error *err);
/* Run fn on every member, the caller being member 0, and return when all have returned. Denormals
 * count as zero inside; the caller's floating-point mode is restored. */
void team_run(struct team *, team_fn *fn, void *job);
int team_size(const struct team *);
void team_free(struct team *);

/* Wait until every member is here. */
void worker_meet(struct worker *);
/* This member's part [from, to) of n items; boundaries are multiples of `block`. */
void worker_share(const struct worker *, int n, int block, int *from, int *to);
/* A team of one without a team: what tests and small work use. */
struct worker worker_alone(void);

/* What to do in round i of waiting for another thread: pause, or from some thousand rounds on let
 * others run. */
void threads_wait(int i);

/* The physical cores that the process may use, at most THREADS_MOST. */
enum { THREADS_MOST = 256 };
int threads_available(void);

#endif
