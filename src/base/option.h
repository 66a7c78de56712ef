/* Options by name: what the rows of attend/settings.h do.
 *
 * To add an option: a field at the end of the struct it belongs to, and a row in that struct's
 * table. Help, completion, manual pages, configuration files, range checks and what a model file
 * records follow the row. */
#ifndef ATTEND_BASE_OPTION_H
#define ATTEND_BASE_OPTION_H

#include "attend/settings.h"

enum { OPTION_GROUPS = 10, OPTION_ROWS = 64 };

struct option_text; /* one text that a struct points to */

struct attend_settings {
    struct option_group {
        const char *title;
        const struct attend_setting *rows;
        void *base;
        bool given[OPTION_ROWS];           /* rows that option_assign has set */
        bool closed[OPTION_ROWS];          /* lists that the next option_assign replaces */
        const char *fallback[OPTION_ROWS]; /* defaults that are not the row's; or NULL */
    } group[OPTION_GROUPS];
    int count;
    struct option_text *texts;
    const char *const *folders; /* of the models that settings name; NULL: they are files */
};

/* ---- One struct ---- */

/* Give every field of the rows its default. Needs no memory. */
void option_defaults(const struct attend_setting *rows, void *base);
/* ATTEND_USAGE when a number is out of its range or a choice is not among its names. Choices become
 * the names that the table has. */
enum attend_status option_check(const struct attend_setting *rows, void *base,
                                struct attend_error *err);
/* The value as text that option_assign takes, a list with commas between its texts; what was not
 * given is "". Snprintf's return. */
int option_print(const struct attend_setting *, const void *base, char *out, size_t size);
/* Copy the value of one struct to another; texts and lists stay where they are. */
void option_copy(const struct attend_setting *, void *to, const void *from);
/* The i-th text of a list, or, with i = 0, a text or choice; NULL when there is none. */
const char *option_text(const struct attend_setting *, const void *base, int i);

/* ---- Several structs ---- */

/* Add a group and give every field its default. */
void option_add(struct attend_settings *, const char *title, const struct attend_setting *rows,
                void *base);
/* The same for a struct that has its values already. */
void option_bind(struct attend_settings *, const struct attend_setting *rows, void *base);
/* NULL when there is no such setting; *group (may be NULL) gets its place. */
const struct attend_setting *option_find(const struct attend_settings *, const char *name,
                                         int *group);
/* Set one from text. Unknown names are answered with the nearest known one, wrong values with what
 * is allowed. */
enum attend_status option_assign(struct attend_settings *, const char *name, const char *text,
                                 struct attend_error *err);
/* From here on, setting a list replaces what it has so far. */
void option_close_lists(struct attend_settings *);
/* The same as option_assign for one that nobody has set; the others stay as they are. */
enum attend_status option_preset(struct attend_settings *, const char *name, const char *text,
                                 struct attend_error *err);
/* Free the texts and lists that the structs point to. */
void option_release(struct attend_settings *);

/* The nearest of the names that next() gives, until NULL, or NULL when none is near. */
const char *option_nearest(const char *name, const char *(*next)(void *context), void *context);

#endif
