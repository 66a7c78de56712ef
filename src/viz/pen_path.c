#include "viz/pen_path.h"

#include "attend/plot.h"

#include <math.h>
#include <stdlib.h>

static double number(float x) { return isfinite(x) ? (double)x : 0; }

static void measure(struct pen_path *p)
{
    double right = p->count ? p->x[0] : 0, bottom = p->count ? p->y[0] : 0;
    p->left = right;
    p->top = bottom;
    for (int i = 0; i < p->count; i++) {
        p->left = fmin(p->left, p->x[i]);
        p->top = fmin(p->top, p->y[i]);
        right = fmax(right, p->x[i]);
        bottom = fmax(bottom, p->y[i]);
    }
    p->width = right - p->left;
    p->height = bottom - p->top;
}

void pen_path_init(struct pen_path *p, const struct attend_trace *trace)
{
    double x = 0, y = 0;
    *p = (struct pen_path){.x = calloc((size_t)trace->count + 1, 2 * sizeof *p->x)};
    p->failed = !p->x;
    if (p->failed)
        return;
    p->count = trace->count;
    p->y = p->x + trace->count;
    for (int i = 0; i < p->count; i++) {
        p->x[i] = x += number(trace->stroke[3 * i]);
        p->y[i] = y += number(trace->stroke[3 * i + 1]);
    }
    measure(p);
}

void pen_path_release(struct pen_path *p) { free(p->x); }

int pen_path_line(const struct attend_trace *trace, int from)
{
    while (from < trace->count && !(trace->stroke[3 * from + 2] > 0.5f))
        from++;
    return from < trace->count ? from + 1 : trace->count;
}
