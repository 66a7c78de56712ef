/* Breaks a text into lines of about equal width. */
#ifndef ATTEND_DOCUMENT_WRAP_H
#define ATTEND_DOCUMENT_WRAP_H

struct strbuf;

/* Append a text in at most `lines` lines, with `end` between them: as few lines as keep each within
 * `width` columns, and of these the evenest. Lines are broken at blanks, or between characters in a
 * text that has none. */
void wrap_text(struct strbuf *out, const char *text, int lines, int width, const char *end);

#endif
