/* A lexical shortlist: for each source word the target words that it was aligned with in training,
 * the likeliest first, and the target words that are frequent anyway.
 *
 * As bytes, it is a list for each source id and then the list of the frequent words; a list is its
 * length and its target ids; a number has 7 bits in each byte, the lowest first, and the top bit says
 * that more follow. */
#ifndef ATTEND_TEXT_SHORTLIST_H
#define ATTEND_TEXT_SHORTLIST_H

#include "attend/status.h"

#include <stddef.h>
#include <stdint.h>

struct strbuf;

enum { SHORTLIST_LONGEST = 1000 }; /* words of a list */

struct shortlist {
    int sources, targets; /* sizes of the vocabularies */
    unsigned char *bytes; /* (length) */
    size_t length;
    uint32_t *start; /* (sources + 1) where each list begins */
};

/* Copy and check the bytes, which are untrusted: bytes that are not such lists, or name words that
 * the vocabularies do not have, are ATTEND_FORMAT. Messages begin with `name`. */
enum attend_status shortlist_read(struct shortlist **out, const void *bytes, size_t length,
                                  int sources, int targets, const char *name,
                                  struct attend_error *err);
void shortlist_free(struct shortlist *);
/* Append a list of at most SHORTLIST_LONGEST words. */
void shortlist_write(struct strbuf *, const int *word, int count);
/* Write at most `most` words of the list of a source word, or all frequent words for the id
 * `sources`; returns their number. */
int shortlist_words(const struct shortlist *, int source, int most, int *word);

#endif
