/* The requests of a load test with the answers they must get.
 *
 * A file of cases has one line per case, separated by tabs:
 *     route weight method path code field body answer
 * A route is sampled by its weight, then one of its cases. `field` is a header line or empty.
 * `answer` is the body that must come, or @FILE; of a HEAD request it is the body that GET would
 * have. */
#ifndef ATTEND_TESTS_LOAD_CASES_H
#define ATTEND_TESTS_LOAD_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOAD_ROUTES = 64, LOAD_NAME = 32 };

struct load_case {
    int route;
    bool head;
    int code;
    char *keep, *close; /* the complete request, with and without keep-alive */
    char *answer;
    size_t size; /* size of the answer in bytes */
};

struct load_route {
    char name[LOAD_NAME];
    int weight;
    int *item; /* (count) its cases */
    int count;
};

struct load_cases {
    struct load_case *item; /* (count) */
    int count;
    struct load_route route[LOAD_ROUTES];
    int routes, weight; /* weight: the sum over all routes */
};

/* Exits with a message if the file is invalid. `port` goes into the Host field. */
void load_cases_read(struct load_cases *out, const char *path, int port);
void load_cases_free(struct load_cases *c);

/* `random` is any number. */
const struct load_case *load_cases_sample(const struct load_cases *c, uint64_t random);

/* The offset at which two bodies differ; -1 if they do not. In JSON, numbers may differ by 1e-4
 * times the larger of 1 and their size, and the number after "milliseconds" is ignored. */
long load_difference(const char *got, const char *wanted);

#endif
