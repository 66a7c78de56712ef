/* The input of an evaluation: one or two outputs, and the references of each line. */
#ifndef ATTEND_EVAL_EVAL_INPUT_H
#define ATTEND_EVAL_EVAL_INPUT_H

#include "attend/eval.h"
#include "corpus/lines.h"

struct eval_input {
    struct lines output[2]; /* `hyp`, and `compare` */
    int outputs;
    int count;        /* lines of each */
    const char **ref; /* the references of all lines; at least one for each line */
    size_t *start;    /* (count + 1) where the references of each line begin */
    int references;   /* number of references of every line; 0: it varies */
    struct lines *file;
    int files;

    /* An evaluation that asks for its output. */
    char **answered;      /* (count) the given outputs, or NULL; instead of output[0] */
    struct lines sources; /* `src` */
    const char **source;  /* (count) or NULL: not known */
    char **joined;        /* (count) sources with their features; or NULL */
    size_t *number;       /* (count) the line of each item in its file; NULL: from 1 on */
};

/* The output o of a line. */
const char *eval_input_output(const struct eval_input *, int o, int line);
/* The number of a line in its file, from 1. */
size_t eval_input_number(const struct eval_input *, int line);

/* Read the files that the options name. */
enum attend_status eval_input_read(struct eval_input *, const struct attend_eval_options *,
                                   struct attend_error *err);
/* Read sources and references. Outputs are given later. */
enum attend_status eval_input_ask(struct eval_input *, const struct attend_eval_options *,
                                  struct attend_error *err);
/* Read the sources of an input whose outputs were read. */
enum attend_status eval_input_sources(struct eval_input *, const struct attend_eval_options *,
                                      struct attend_error *err);
/* eval_table.c: read the table `test`: sources and references, and how many there are. */
enum attend_status eval_table_read(struct eval_input *, const struct attend_eval_options *,
                                   struct attend_error *err);

/* For readers: make room for `most` references in all, after `count` is set; add a reference to the
 * last line or the one after it. If a line has several references, empty ones are left out. */
enum attend_status eval_input_room(struct eval_input *, size_t most, struct attend_error *err);
void eval_input_add(struct eval_input *, int line, const char *text);
void eval_input_release(struct eval_input *);

#endif
