/* Turns links between words of a training pair (Pharaoh format) into links between pieces: each piece
 * of one word with each piece of the other. Words are counted as attend align --words counts them
 * (text/fold.h). Sure and possible links count the same. */
#ifndef ATTEND_CORPUS_LINK_FOLD_H
#define ATTEND_CORPUS_LINK_FOLD_H

#include "attend/status.h"
#include "base/strbuf.h"
#include "metric/links.h"

#include <stdbool.h>

struct text_pair;
struct tokenizer;

/* The spellings of the pieces of one side, each with a NUL. */
struct link_pieces {
    struct strbuf spelling;
    int count;
};
void link_pieces_clear(struct link_pieces *);
void link_pieces_add(struct link_pieces *, const char *text, size_t length);

/* The links of the pairs; the pointer is borrowed. */
struct link_file {
    const char *name; /* NULL: there are none */
    size_t before;    /* lines of the text that have no line in the file: the header of a table */
};

struct link_fold {
    struct links words;
    int *link; /* (count, 2) positions in source and target, in the order of the targets */
    int count, size;
};

/* Replace f->link by the links of a pair, whose pieces are given. Source positions begin after `tags`. A line that is not
 * in the format, and a link beyond the pair, are ATTEND_DATA. */
enum attend_status link_fold(struct link_fold *f, const struct link_file *,
                             const struct text_pair *, const struct tokenizer *const tokenizer[2],
                             const struct link_pieces *const pieces[2], int tags,
                             struct attend_error *err);
void link_fold_release(struct link_fold *);

#endif
