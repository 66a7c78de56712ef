/* What the views of a matrix share when they are lines of text, for a terminal or a file. */
#ifndef ATTEND_VIZ_TERM_H
#define ATTEND_VIZ_TERM_H

struct strbuf;
struct theme;
struct view_legend;

enum term_style {
    TERM_BLOCKS,    /* shades of block characters, and numbers: readable in any file */
    TERM_TRUECOLOR, /* 24-bit background colours; lines leave no colour set at their end */
};

/* Columns that may be taken to fit a terminal. */
enum { TERM_LINE = 100 };

void term_add_spaces(struct strbuf *, int count);
/* Columns left, never below 0. */
int term_rest(int columns, int used);
/* Space, light, medium, dark shade, full block. */
const char *term_shade(double weight);
/* A weight in three columns: ".87", "1.0", "  0", "nan". */
void term_add_weight(struct strbuf *, double weight);
/* The weight's colour as background; the same with ink that reads on it; the terminal's own. */
void term_add_background(struct strbuf *, const struct theme *, double weight);
void term_add_fill(struct strbuf *, const struct theme *, double weight);
void term_add_reset(struct strbuf *);
/* A line: what the colours mean, and the note of the legend. */
void term_add_legend(struct strbuf *, const struct view_legend *, const struct theme *,
                     enum term_style);

#endif
