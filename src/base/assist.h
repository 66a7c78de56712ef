/* Short jobs, of microseconds, shared with idle threads: member 0 of a team works, the other
 * members stand by and take parts of its jobs. Threads claim parts one at a time, so a helper whose
 * core is busy elsewhere delays nobody.
 *
 *     members 1 ..: assist_stand_by(&assist);
 *     member 0:     ... assist_run(&assist, part, job, 12); ... assist_end(&assist); */
#ifndef ATTEND_BASE_ASSIST_H
#define ATTEND_BASE_ASSIST_H

#include <stdatomic.h>
#include <stdint.h>

typedef void assist_fn(void *job, int part);

enum { ASSIST_PARTS = 0xffff }; /* most parts of one job */

struct assist {
    /* The number of the job, the number of its parts and the next unclaimed part, in 32, 16 and 16
     * bits. They share one word so that no thread can claim a part of a finished job. */
    _Atomic uint64_t claim;
    atomic_int done; /* parts of this job that are done */
    atomic_bool over;
    assist_fn *fn;
    void *job;
};

void assist_init(struct assist *);
/* Call fn once for each part 0 .. parts - 1, on any thread. Returns when all parts are done. */
void assist_run(struct assist *, assist_fn *fn, void *job, int parts);
/* Take parts of jobs until assist_end is called. */
void assist_stand_by(struct assist *);
void assist_end(struct assist *);

#endif
