/* Helping hands: one thread of a team works, the others stand by and take parts of its jobs, which
 * end within microseconds. Parts are claimed one by one, so that a helper that is late, because its
 * core is busy elsewhere, holds nobody up.
 *
 *     members 1 ..: assist_stand_by(&assist);
 *     member 0:     ... assist_run(&assist, part, job, 12); ... assist_end(&assist);
 */
#ifndef ATTEND_BASE_ASSIST_H
#define ATTEND_BASE_ASSIST_H

#include <stdatomic.h>
#include <stdint.h>

typedef void assist_fn(void *job, int part);

enum { ASSIST_PARTS = 0xffff }; /* of one job, at most */

struct assist {
    /* The job's number, its parts, and the next part that nobody has claimed, in 32, 16 and 16
     * bits: one word, so that nobody claims a part of a job that is over. */
    _Atomic uint64_t claim;
    atomic_int done; /* parts */
    atomic_bool over;
    assist_fn *fn;
    void *job;
};

void assist_init(struct assist *);
/* Call fn for parts 0 .. parts - 1, each once, on any thread; returns when all have returned. */
void assist_run(struct assist *, assist_fn *fn, void *job, int parts);
/* Take parts until the end. */
void assist_stand_by(struct assist *);
void assist_end(struct assist *);

#endif
