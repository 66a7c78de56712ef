#include "load_times.h"

#include "load_cases.h"

#include <stdio.h>
#include <stdlib.h>

struct load_time {
    int route;
    float milliseconds;
};

void load_times_init(struct load_times *t, long room)
{
    *t = (struct load_times){.item = calloc((size_t)room, sizeof(struct load_time)), .room = room};
    if (!t->item)
        exit(2);
}

void load_times_release(struct load_times *t) { free(t->item); }

void load_times_add(struct load_times *t, int route, double seconds)
{
    if (t->count < t->room)
        t->item[t->count++] = (struct load_time){route, (float)(1e3 * seconds)};
}

static int by_time(const void *a, const void *b)
{
    const struct load_time *x = a, *y = b;
    return (x->milliseconds > y->milliseconds) - (x->milliseconds < y->milliseconds);
}

/* The times are sorted; route -1 means all routes. */
static void print_route(const struct load_times *t, int route, const char *name)
{
    long count = 0, at = 0;
    double p50 = 0, p99 = 0;
    for (long i = 0; i < t->count; i++)
        count += route < 0 || t->item[i].route == route;
    for (long i = 0; i < t->count; i++) {
        const struct load_time *x = &t->item[i];
        if (route >= 0 && x->route != route)
            continue;
        p50 = at <= count / 2 ? (double)x->milliseconds : p50;
        p99 = at <= count * 99 / 100 ? (double)x->milliseconds : p99;
        at++;
    }
    printf("route %s %ld %.2f %.2f\n", name, count, p50, p99);
}

void load_times_print(struct load_times *t, const struct load_cases *c)
{
    qsort(t->item, (size_t)t->count, sizeof *t->item, by_time);
    for (int i = 0; i < c->routes; i++)
        print_route(t, i, c->route[i].name);
    print_route(t, -1, "all");
}
