/* Pairs of text in a temporary file. Memory does not grow with their number, and they can be read
 * several times, even when they came from standard input.
 *
 *     status = pairs_new(&pairs, "models", err);
 *     status = pairs_add(pairs, &pair, err);            once for each
 *     status = pairs_rewind(pairs, err);                once for each pass
 *     while (!(status = pairs_next(pairs, &pair, err)) && pair.source) ...
 */
#ifndef ATTEND_CORPUS_PAIRS_H
#define ATTEND_CORPUS_PAIRS_H

#include "attend/status.h"
#include "text/languages.h"

#include <stddef.h>
#include <stdint.h>

struct text_pair {
    const char *source, *target;
    size_t source_length, target_length; /* bytes, each below 2^32 */
    size_t line;                         /* line number in the input, from 1 */
    struct language_pair languages;      /* with `language_columns` */
    const char *links;                   /* with `guide`: its line for this pair */
    size_t links_length;                 /* bytes, below 2^32; 0 without `guide` */
};

struct pairs;

/* The file is in `folder` and has no name, so it is gone when the process ends for any reason. */
enum attend_status pairs_new(struct pairs **out, const char *folder, struct attend_error *err);
/* Append a pair. The texts are copied and need no NUL. After it, pairs_next needs a pairs_rewind. A
 * full disk is ATTEND_IO, here or at the next pairs_rewind. */
enum attend_status pairs_add(struct pairs *, const struct text_pair *, struct attend_error *err);
size_t pairs_count(const struct pairs *);
/* The bytes of all sources, and of all targets. */
uint64_t pairs_source_bytes(const struct pairs *);
uint64_t pairs_target_bytes(const struct pairs *);
/* Go back to the first pair. */
enum attend_status pairs_rewind(struct pairs *, struct attend_error *err);
/* The next pair, in the order of pairs_add. Its texts are NUL-terminated and valid until the next
 * call. out->source is NULL after the last. */
enum attend_status pairs_next(struct pairs *, struct text_pair *out, struct attend_error *err);
void pairs_free(struct pairs *);

#endif
