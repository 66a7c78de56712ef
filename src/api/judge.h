/* What `attend eval` judges: one or two outputs and, for each line of them, its references. */
#ifndef ATTEND_API_JUDGE_H
#define ATTEND_API_JUDGE_H

#include "api/options.h"
#include "text/lines.h"

struct judge {
    struct lines output[2]; /* what is judged, and what it is compared with */
    int outputs;
    int count;        /* lines of each */
    const char **ref; /* the references of one line after the other; at least one each */
    size_t *start;    /* (count + 1) where each line's begin */
    int references;   /* of every line; 0: it varies */
    struct lines *file;
    int files;
};

/* Read the files that the settings name. */
enum attend_status judge_read(struct judge *, const struct eval_options *,
                              struct attend_error *err);
void judge_release(struct judge *);

/* What messages call a file. */
const char *judge_name(const char *path);
/* ATTEND_DATA unless a has as many lines as b. */
enum attend_status judge_same_count(const char *a, int n, const char *b, int m,
                                    struct attend_error *err);

#endif
