/* Attention matrices as one HTML document that needs nothing else: the template web/page.html with
 * the styles, the scripts and the data in their places. */
#ifndef ATTEND_VIZ_HTML_H
#define ATTEND_VIZ_HTML_H

struct attend_look;
struct attend_matrix;
struct strbuf;

/* Adds the document. Words and titles may hold any bytes: none of them ends up as markup or as
 * script. */
void html_page(struct strbuf *out, const struct attend_matrix *, int count,
               const struct attend_look *);

#endif
