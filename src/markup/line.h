/* A line taken apart: the text to translate, and the markers that go back into its translation. */
#ifndef ATTEND_MARKUP_LINE_H
#define ATTEND_MARKUP_LINE_H

#include "attend/markup.h"
#include "base/strbuf.h"
#include "markup/html.h"

enum marker_kind {
    MARKER_OPEN,  /* a start tag that has its end tag */
    MARKER_CLOSE, /* and that */
    MARKER_TAG,   /* any other tag, a comment: stands at one place, without blanks of its own */
    MARKER_KEPT,  /* a placeholder or masked text: stands like a word */
};

/* The blank that a kept marker took along, or the neighbor that it touched if it took none. */
enum marker_side {
    MARKER_TOOK_BEFORE,
    MARKER_TOOK_AFTER,
    MARKER_TOUCHES_BEFORE,
    MARKER_TOUCHES_AFTER
};

struct marker {
    enum marker_kind kind;
    size_t from, length;   /* bytes of the given line */
    struct html_tag tag;   /* of a tag */
    size_t start, end;     /* bytes of `full` that it stands for; none for a tag */
    size_t at;             /* its place in `plain` */
    enum marker_side side; /* of a kept marker */
    bool masked;           /* its bytes are those of `full`, not of the line */
    int pair;              /* the end tag of a start tag, and the reverse */
    int parent;            /* the start tag of the innermost element around it; -1: none */
};

struct attend_markup {
    bool html;
    char *given;
    struct strbuf full;  /* the line without tags and placeholders, decoded */
    struct strbuf plain; /* the text to translate: `full` without kept parts and their blanks */
    struct marker *marker;
    int count, size;
    char **term; /* (terms) required phrases */
    int terms, left_out;
    bool failed; /* out of memory */
};

enum { LINE_DEPTH = 256, LINE_MARKERS = 1 << 16 };

/* Insert a marker at an index. */
void line_insert(struct attend_markup *, int index, struct marker);
/* line_match.c: pair the tags and find the parent of every marker. */
enum attend_status line_match(struct attend_markup *, bool tolerant, struct attend_error *err);
/* line_terms.c: find terms and masked parts in `full`: add required phrases and kept markers. */
enum attend_status line_find_terms(struct attend_markup *, const struct attend_markup_options *,
                                   struct attend_error *err);

#endif
