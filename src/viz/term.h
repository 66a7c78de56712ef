/* Shared by the pictures of a matrix as lines of text, for a terminal or a file. */
#ifndef ATTEND_VIZ_TERM_H
#define ATTEND_VIZ_TERM_H

struct strbuf;
struct theme;
struct matrix_view_legend;

enum term_palette {
    TERM_BLOCKS,    /* shades of block characters and numbers: readable in any file */
    TERM_TRUECOLOR, /* 24-bit background colors; every line resets its colors */
};

/* Columns that fit an ordinary terminal, for pictures without a width. Labels keep at least
 * TERM_LABEL_LEAST columns in the narrowest one. */
enum { TERM_LINE = 100, TERM_LABEL_LEAST = 4 };

void term_add_spaces(struct strbuf *, int count);
/* columns - used, at least 0. */
int term_rest(int columns, int used);
/* Space, light, medium or dark shade, or full block. */
const char *term_shade(double weight);
/* A weight in three columns: ".87", "1.0", "  0", "nan". */
void term_add_weight(struct strbuf *, double weight);
/* Set the background to the weight's color; also set a readable ink; reset to the terminal's
 * colors. */
void term_add_background(struct strbuf *, const struct theme *, double weight);
void term_add_fill(struct strbuf *, const struct theme *, double weight);
void term_add_reset(struct strbuf *);
/* The meaning of the colors and the legend's note: one line, or several of at most `width` columns
 * (0: one line). */
void term_add_legend(struct strbuf *, const struct matrix_view_legend *, const struct theme *,
                     enum term_palette, int width);

#endif
