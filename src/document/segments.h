/* A text cut into segments: those to translate, one line or sentence each, and those that stay as
 * they are, which are line ends and, in HTML, blocks. Joined again, the segments give the text,
 * except for lines of only blanks. */
#ifndef ATTEND_DOCUMENT_SEGMENTS_H
#define ATTEND_DOCUMENT_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "attend/status.h"

struct attend_splitting;

/* Initialize to zero. `failed` is set when memory runs out. */
struct segments {
    struct segment {
        char *text; /* if it is to be translated: plain text without a line end and not only blanks,
                     * or HTML with inline tags */
        bool asks;  /* to be translated */
        int start;  /* code points before it in the given text */
    } * item;
    int count, size;
    int asking; /* segments to be translated */
    int points; /* code points of the given text so far */
    bool failed;
};

/* Cut plain text into lines. A line of only blanks becomes empty, as in attend translate. */
void segments_cut_text(struct segments *, const char *text);
/* Cut HTML. Tags of blocks (markup/html.h), scripts, styles and the blanks around a run of text
 * stay; inline tags and comments are part of the run. */
void segments_cut_html(struct segments *, const char *text);
/* Append a copy of a segment; nothing if it is empty. */
void segments_add(struct segments *, const char *text, size_t length, bool asks);
/* segments_split.c: divide each segment to translate into its sentences (attend_split), with what is
 * between them as segments that stay. `html`: as document/inline_tags.h does it. On failure nothing
 * changes. */
enum attend_status segments_split(struct segments *, bool html, const struct attend_splitting *,
                                  struct attend_error *err);
void segments_release(struct segments *);

#endif
