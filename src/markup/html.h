/* The tags and character references of HTML and XML. Texts are NUL-terminated and may hold any
 * bytes. */
#ifndef ATTEND_MARKUP_HTML_H
#define ATTEND_MARKUP_HTML_H

#include <stdbool.h>
#include <stddef.h>

struct strbuf;

enum html_kind {
    HTML_TEXT,  /* the `<` is text */
    HTML_OPEN,  /* <b> */
    HTML_CLOSE, /* </b> */
    HTML_VOID,  /* <br>, <x/>, a comment, or a whole element whose content is not for translation:
                 * a script, a style, translate="no" */
};

struct html_tag {
    enum html_kind kind;
    size_t length; /* bytes, to the end of the text if the tag does not end */
    bool ends;     /* has its > or, if it is a whole element, its end tag */
    bool shows;    /* a whole element with text that stays */
    bool block;    /* separates sentences: <p>, <td>, <br>, a script ... */
    const char *name;
    size_t name_length;
};

/* The tag at `text`, which starts with `<`. */
struct html_tag html_scan(const char *text);
/* Whether two tags have the same name. */
bool html_same_name(const struct html_tag *, const struct html_tag *);
/* Append the character of the reference at `text`, which starts with `&`. Returns the reference's
 * length, or 0 if it is not one. */
size_t html_decode(struct strbuf *out, const char *text);
/* Append text with `&`, `<` and `>` escaped. */
void html_escape(struct strbuf *out, const char *text, size_t length);

#endif
