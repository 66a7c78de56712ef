/* A bump allocator that is used twice. An arena without a block only counts bytes. The first `bind`
 * call measures what a layer needs; the second call, on a reserved arena, hands out the pointers.
 * Both calls run the same code, so they cannot disagree.
 *
 *     struct arena count = {0}, arena = {0};
 *     gru_bind(&gru, &count);                         counts; the pointers it leaves are NULL
 *     status = arena_reserve(&arena, count.used, err);
 *     gru_bind(&gru, &arena);                         points into the block */
#ifndef ATTEND_BASE_ARENA_H
#define ATTEND_BASE_ARENA_H

#include "attend/status.h"

#include <stddef.h>

struct arena {
    unsigned char *block; /* NULL: only count */
    size_t used, size;    /* bytes */
};

enum { ARENA_ALIGNMENT = 64 };

/* Allocate `count` items of `each` bytes, aligned and not cleared. Returns NULL while counting.
 * Taking more than was reserved is a bug. */
void *arena_take(struct arena *, size_t each, size_t count);
/* Empty the arena and make room for `bytes`. A block that is large enough is reused. */
enum attend_status arena_reserve(struct arena *, size_t bytes, struct attend_error *err);
void arena_release(struct arena *);

#endif
