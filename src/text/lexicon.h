/* A lexicon: texts and what each becomes, from lines of `source<TAB>target`. Of several lines with
 * one source the first counts. */
#ifndef ATTEND_TEXT_LEXICON_H
#define ATTEND_TEXT_LEXICON_H

#include "attend/status.h"
#include "text/piece_table.h"

/* All zero is an empty lexicon. */
struct lexicon {
    struct piece_table source;
    struct strbuf target; /* the targets one after the other, each with a NUL */
    size_t *start;        /* (source.count) target i begins at target.text + start[i] */
    int size;             /* how many `start` has room for */
};

/* A file as text/reader.h takes it; empty lines are passed over, blanks around both sides are not
 * part of them. A line without exactly one tab, or with an empty side, is ATTEND_DATA. */
enum attend_status lexicon_load(struct lexicon *out, const char *path, struct attend_error *err);
/* What a text, but for blanks around it, becomes; NULL when it is not there. */
const char *lexicon_find(const struct lexicon *, const char *text);
void lexicon_release(struct lexicon *);

#endif
