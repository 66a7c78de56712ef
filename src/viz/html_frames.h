/* Attention over frames as one self-contained HTML document: an SVG for each matrix, whose tooltips
 * say where the peaks are. */
#ifndef ATTEND_VIZ_HTML_FRAMES_H
#define ATTEND_VIZ_HTML_FRAMES_H

struct attend_matrix;
struct attend_style;
struct strbuf;

/* Adds the document; titles may contain any bytes. */
void html_frames(struct strbuf *out, const struct attend_matrix *, int count,
                 const struct attend_style *);

#endif
