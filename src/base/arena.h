/* A bump allocator that measures, then binds: an arena without a block only counts, so the same
 * `bind` call that later hands out the pointers first says how much they need, and the two cannot
 * disagree.
 *
 *     struct arena count = {0}, arena = {0};
 *     gru_bind(&gru, &count);                         counts; the pointers it leaves are NULL
 *     status = arena_reserve(&arena, count.used, err);
 *     gru_bind(&gru, &arena);                         points into the block
 */
#ifndef ATTEND_BASE_ARENA_H
#define ATTEND_BASE_ARENA_H

#include "attend/status.h"

#include <stddef.h>

struct arena {
    unsigned char *block; /* NULL: only count */
    size_t used, size;    /* bytes */
};

enum { ARENA_ALIGNMENT = 64 };

/* `count` items of `each` bytes, aligned, not cleared; NULL while counting. Taking more than was
 * reserved is a bug. */
void *arena_take(struct arena *, size_t each, size_t count);
/* Empty the arena and give it room for `bytes`; a block that is large enough is kept. */
enum attend_status arena_reserve(struct arena *, size_t bytes, struct attend_error *err);
void arena_release(struct arena *);

#endif
