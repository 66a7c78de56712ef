/* A text cut into what is to be translated, line by line, and what stays as it is: line ends, and
 * in HTML everything but running text. Put together again, the pieces are the text. */
#ifndef ATTEND_SERVE_PIECES_H
#define ATTEND_SERVE_PIECES_H

#include <stdbool.h>
#include <stddef.h>

struct strbuf;

/* All zero is empty; `failed` when memory ran out. */
struct pieces {
    struct piece {
        char *text; /* one to translate holds no line end, and more than blanks */
        bool asks;  /* to be translated */
    } * item;
    int count, size;
    int asking; /* pieces that ask */
    bool failed;
};

/* Lines of plain text; one of blanks alone becomes empty, as attend translate has it. */
void pieces_cut_text(struct pieces *, const char *text);
/* HTML: tags, comments, scripts and styles stay; references to characters in text are resolved, and
 * blanks around a run of text stay. */
void pieces_cut_html(struct pieces *, const char *text);
/* Append a translation in place of a piece of HTML: `&`, `<` and `>` escaped. */
void pieces_escape_html(struct strbuf *, const char *text);
void pieces_release(struct pieces *);

#endif
