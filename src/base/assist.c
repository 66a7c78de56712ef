#include "base/assist.h"

#include "base/bug.h"
#include "base/threads.h"

#include <stdbool.h>

static int next_of(uint64_t claim) { return (int)(claim & 0xffff); }

static int parts_of(uint64_t claim) { return (int)(claim >> 16 & 0xffff); }

void assist_init(struct assist *a)
{
    atomic_init(&a->claim, 0);
    atomic_init(&a->done, 0);
    atomic_init(&a->over, false);
}

/* Do one part; returns false when no part is left. A thread that has claimed a part may read fn and
 * job: they stay valid until that part is done. */
static bool take_part(struct assist *a)
{
    uint64_t claim = atomic_load_explicit(&a->claim, memory_order_acquire);
    do {
        if (next_of(claim) >= parts_of(claim))
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&a->claim, &claim, claim + 1,
                                                    memory_order_acquire, memory_order_acquire));
    a->fn(a->job, next_of(claim));
    atomic_fetch_add_explicit(&a->done, 1, memory_order_release);
    return true;
}

void assist_run(struct assist *a, assist_fn *fn, void *job, int parts)
{
    BUG_ON(parts < 0 || parts > ASSIST_PARTS);
    const uint64_t number = (atomic_load_explicit(&a->claim, memory_order_relaxed) >> 32) + 1;
    a->fn = fn;
    a->job = job;
    atomic_store_explicit(&a->done, 0, memory_order_relaxed);
    atomic_store_explicit(&a->claim, number << 32 | (uint64_t)parts << 16, memory_order_release);
    while (take_part(a))
        ;
    for (int i = 0; atomic_load_explicit(&a->done, memory_order_acquire) < parts; i++)
        threads_wait(i);
}

void assist_stand_by(struct assist *a)
{
    for (int i = 0; !atomic_load_explicit(&a->over, memory_order_acquire); i++) {
        if (take_part(a))
            i = 0;
        else
            threads_wait(i);
    }
}

void assist_end(struct assist *a) { atomic_store_explicit(&a->over, true, memory_order_release); }
