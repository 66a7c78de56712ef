/* Attention matrices as one self-contained HTML document: the template web/page.html, filled with
 * styles, scripts and data. */
#ifndef ATTEND_VIZ_HTML_H
#define ATTEND_VIZ_HTML_H

struct attend_style;
struct attend_matrix;
struct strbuf;

/* Adds the document. Words and titles may contain any bytes; none of them becomes markup or
 * script. */
void html_page(struct strbuf *out, const struct attend_matrix *, int count,
               const struct attend_style *);

#endif
