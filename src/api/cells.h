/* Words and numbers in columns, for people who read them in a terminal. */
#ifndef ATTEND_API_CELLS_H
#define ATTEND_API_CELLS_H

struct strbuf;

/* A word made safe, and blanks until `columns` are filled. */
void cells_add_word(struct strbuf *, const char *word, int columns);
/* The widest of some words, in columns. */
int cells_width(char *const *word, int count);
/* A JSON array of words. */
void cells_add_json(struct strbuf *, char *const *word, int count);
/* A JSON array of rows of numbers, or null when there are none. */
void cells_add_matrix(struct strbuf *, const float *x, int rows, int cols);
/* A JSON array of numbers. */
void cells_add_numbers(struct strbuf *, const double *x, int count);

#endif
