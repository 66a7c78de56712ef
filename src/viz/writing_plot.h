/* Traces of a pen as a picture, one below the other, each scaled to the height of a line. */
#ifndef ATTEND_VIZ_WRITING_PLOT_H
#define ATTEND_VIZ_WRITING_PLOT_H

struct attend_style;
struct attend_trace;
struct display_list;

/* Initializes the list. */
void writing_draw(struct display_list *, const struct attend_trace *, int count,
                  const struct attend_style *);

#endif
