/* Aligned columns of words and numbers for a terminal. */
#ifndef ATTEND_REPORT_TABLE_H
#define ATTEND_REPORT_TABLE_H

struct strbuf;

/* Append a word, made safe for a terminal and padded to `columns`. */
void table_add_word(struct strbuf *, const char *word, int columns);
/* The same, cut to `columns` if it is wider. */
void table_add_cut(struct strbuf *, const char *word, int columns);
/* The columns for words of this width in a terminal: at most a third of it (0: of any width). */
int table_cut(int columns, int width);
/* The text of a table whose words are cut: other lines that are too wide are broken. NULL when out of
 * memory. Releases `out`. */
char *table_detach(struct strbuf *out, int width);
/* The width of the widest word, in terminal columns. */
int table_width(char *const *word, int count);

#endif
