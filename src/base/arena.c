#include "base/arena.h"

#include "base/bug.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Large blocks ask for huge pages: the kernel takes longer to map them in small pages than we take to
 * fill them. The end of a block gets one only if it fills half of it. */
#if defined(MADV_HUGEPAGE) && !defined(__wasm__)
static const size_t HUGE_FROM = (size_t)4 << 20;
#else
static const size_t HUGE_FROM = SIZE_MAX;
#undef MADV_HUGEPAGE
#define MADV_HUGEPAGE 0
#endif
enum { HUGE_PAGE = 1 << 21 };

/* Sizes are checked against a quarter of the address space, so that sums of them cannot wrap. */
static const size_t LIMIT = SIZE_MAX / 4;

void *arena_take(struct arena *a, size_t each, size_t count)
{
    BUG_ON(each && count > LIMIT / each);
    const size_t bytes = (each * count + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    BUG_ON(a->used > LIMIT - bytes);
    unsigned char *at = a->block ? a->block + a->used : NULL;
    a->used += bytes;
    BUG_ON(a->block && a->used > a->size);
    return at;
}

enum attend_status arena_reserve(struct arena *a, size_t bytes, struct attend_error *err)
{
    a->used = 0;
    if (a->block && a->size >= bytes)
        return ATTEND_OK;
    arena_release(a);
    const bool huge = bytes >= HUGE_FROM;
    const size_t unit = huge && bytes % HUGE_PAGE > HUGE_PAGE / 2 ? HUGE_PAGE : ARENA_ALIGNMENT;
    const size_t size = (bytes + unit) / unit * unit;
    void *block;
    if (posix_memalign(&block, huge ? HUGE_PAGE : ARENA_ALIGNMENT, size))
        return error_set(err, ATTEND_NO_MEMORY, "out of memory: cannot allocate %zu MB",
                         bytes >> 20);
    if (huge) /* only a hint: failure is harmless */
        madvise(block, size / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
    a->block = block;
    a->size = size;
    return ATTEND_OK;
}

void arena_release(struct arena *a)
{
    free(a->block);
    *a = (struct arena){0};
}
