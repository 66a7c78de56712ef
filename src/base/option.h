/* Settings as rows of a table: one row gives a setting its flag, its type, its place in a struct,
 * its default, its range and its help, and so drives parsing, configuration files, --help and what
 * a model file records.
 *
 * To add a setting: add a field to the struct it belongs to and a row to that struct's table, both
 * in the layer that uses it. Nothing else changes. */
#ifndef ATTEND_BASE_OPTION_H
#define ATTEND_BASE_OPTION_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

enum option_kind {
    OPTION_FLAG,   /* bool; takes no value on a command line */
    OPTION_INT,    /* int */
    OPTION_REAL,   /* double */
    OPTION_TEXT,   /* char *, owned by the struct, NULL when not given */
    OPTION_CHOICE, /* the same, one of the names that `choices` lists */
    OPTION_LIST,   /* char **, owned, texts up to a NULL; NULL when not given. Each assignment adds
                      one, so it has no default */
};

struct option_row {
    const char *name; /* without the dashes; NULL ends a table */
    enum option_kind kind;
    bool local;           /* says nothing about the result: a path, a number of threads */
    bool flexible;        /* work that has begun may go on with another value */
    bool writes;          /* a file that is written; others that help calls FILE are read */
    size_t offset;        /* of the field in the struct */
    const char *fallback; /* the default as text; NULL: 0, false or NULL */
    double min, max;      /* of numbers, both included */
    const char *value;    /* what help calls the value: N, FILE ... */
    const char *help;
    const char *(*choices)(int i); /* the i-th name, NULL past the last; for help, also of texts
                                      that hold several names */
};

/* Tables with the structs that they describe. */
enum { OPTION_GROUPS = 8, OPTION_ROWS = 64 };
struct option_set {
    struct option_group {
        const char *title; /* for --help */
        const struct option_row *rows;
        void *base;
        bool given[OPTION_ROWS]; /* rows that option_assign has set */
    } group[OPTION_GROUPS];
    int count;
};

/* Add a group and give every field its default. */
enum attend_status option_add(struct option_set *, const char *title, const struct option_row *rows,
                              void *base, struct attend_error *err);
/* NULL when there is no such setting; *base (may be NULL) gets its struct. */
const struct option_row *option_find(const struct option_set *, const char *name, void **base);
/* Set one from text. Unknown names are answered with the nearest known one, wrong values with what
 * is allowed. */
enum attend_status option_assign(struct option_set *, const char *name, const char *text,
                                 struct attend_error *err);
/* The same for one that nobody has set; the others stay as they are. */
enum attend_status option_preset(struct option_set *, const char *name, const char *text,
                                 struct attend_error *err);
/* Whether option_assign has set it. */
bool option_given(const struct option_set *, const char *name);
/* The value as text that option_assign takes, a list with commas between its texts; what was not
 * given is "". Snprintf's return. */
int option_print(const struct option_row *, const void *base, char *out, size_t size);
/* The i-th text of a list, or, with i = 0, a text or choice; NULL when there is none. */
const char *option_text(const struct option_row *, const void *base, int i);
/* Free the texts. */
void option_release(struct option_set *);

#endif
