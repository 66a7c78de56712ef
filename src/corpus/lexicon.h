/* A lexicon: a table from source texts to target texts, read from lines of `source<TAB>target`. If
 * a source occurs more than once, its first line counts. */
#ifndef ATTEND_CORPUS_LEXICON_H
#define ATTEND_CORPUS_LEXICON_H

#include "attend/status.h"
#include "text/piece_table.h"

/* All zero is an empty lexicon. */
struct lexicon {
    struct piece_table source;
    struct strbuf target; /* the targets one after the other, each with a NUL */
    size_t *start;        /* (source.count) target i begins at target.text + start[i] */
    int size;             /* capacity of `start` */
};

/* Read a file (corpus/reader.h). Empty lines are skipped, and blanks around both sides are removed.
 * A line without exactly one tab, or with an empty side, is ATTEND_DATA. */
enum attend_status lexicon_load(struct lexicon *out, const char *path, struct attend_error *err);
/* The target of a text, without the blanks around it; NULL when the lexicon does not have it. */
const char *lexicon_find(const struct lexicon *, const char *text);
void lexicon_release(struct lexicon *);

#endif
