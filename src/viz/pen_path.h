/* The points of a trace, and the lines between them. */
#ifndef ATTEND_VIZ_PEN_PATH_H
#define ATTEND_VIZ_PEN_PATH_H

#include <stdbool.h>

struct attend_trace;

struct pen_path {
    double *x, *y; /* (count); x owns both */
    int count;
    double left, top, width, height; /* the smallest box around the points */
    bool failed;                     /* out of memory: there are no points */
};

/* Strokes that are not finite count as 0. */
void pen_path_init(struct pen_path *, const struct attend_trace *);
void pen_path_release(struct pen_path *);
/* The line that starts at point `from` ends before the point that this returns. */
int pen_path_line(const struct attend_trace *, int from);

#endif
