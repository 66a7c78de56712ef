/* A display list as a complete SVG document. Text stays text: readers can search and copy it, and
 * it is drawn in their own fonts. The same list gives the same bytes in every locale. */
#ifndef ATTEND_VIZ_SVG_H
#define ATTEND_VIZ_SVG_H

struct display_list;
struct strbuf;

/* Adds to `out`. A failed list adds nothing and makes `out` fail too. */
void svg_write(struct strbuf *out, const struct display_list *);

#endif
