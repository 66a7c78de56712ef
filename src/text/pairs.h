/* Pairs of text in a temporary file: memory does not grow with their number, and they can be walked
 * over again and again, also when they came from standard input.
 *
 *     status = pairs_new(&pairs, "models", err);
 *     status = pairs_add(pairs, &pair, err);            once for each
 *     status = pairs_rewind(pairs, err);                once for each pass
 *     while (!(status = pairs_next(pairs, &pair, err)) && pair.source) ...
 */
#ifndef ATTEND_TEXT_PAIRS_H
#define ATTEND_TEXT_PAIRS_H

#include "attend/status.h"

#include <stddef.h>
#include <stdint.h>

struct pair {
    const char *source, *target;
    size_t source_length, target_length; /* bytes, each below 2^32 */
    size_t line;                         /* where it was read, from 1 */
};

struct pairs;

/* The file lies in `folder` without a name: it is gone with the process, however that ends. */
enum attend_status pairs_new(struct pairs **out, const char *folder, struct attend_error *err);
/* Behind the last one; the texts are copied and need no NUL. Ends a walk. A full disk is ATTEND_IO,
 * here or at the next pairs_rewind. */
enum attend_status pairs_add(struct pairs *, const struct pair *, struct attend_error *err);
size_t pairs_count(const struct pairs *);
/* Of all sources and of all targets together. */
uint64_t pairs_source_bytes(const struct pairs *);
uint64_t pairs_target_bytes(const struct pairs *);
/* Begin a walk at the first pair. */
enum attend_status pairs_rewind(struct pairs *, struct attend_error *err);
/* The next pair, in the order of adding; its texts are NUL-terminated and valid until the next
 * call. out->source is NULL past the last. */
enum attend_status pairs_next(struct pairs *, struct pair *out, struct attend_error *err);
void pairs_free(struct pairs *);

#endif
