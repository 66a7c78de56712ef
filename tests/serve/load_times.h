/* Durations of requests by route. */
#ifndef ATTEND_TESTS_LOAD_TIMES_H
#define ATTEND_TESTS_LOAD_TIMES_H

struct load_cases;

struct load_times {
    struct load_time *item; /* (room) */
    long count, room;
};

/* Exits if memory runs out. */
void load_times_init(struct load_times *t, long room);
void load_times_release(struct load_times *t);
/* Ignored when the room is full. */
void load_times_add(struct load_times *t, int route, double seconds);
/* A line `route NAME COUNT P50 P99` for each route, then for all, in milliseconds. */
void load_times_print(struct load_times *t, const struct load_cases *c);

#endif
