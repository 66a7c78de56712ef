/* Text as sequences of ids: one side, or pairs of lines to train on. */
#ifndef ATTEND_TEXT_CORPUS_H
#define ATTEND_TEXT_CORPUS_H

#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

struct lines;
struct tokenizer;
struct vocab;

/* Sequence i is ids[start[i]] .. ids[start[i + 1] - 1], without <s> and </s>. */
struct sequences {
    int count;
    size_t *start; /* (count + 1) */
    int *ids;      /* (start[count]), never NULL */
};

/* No sequence is longer, so that lengths are `int` and a file without line ends is found out. */
enum { SEQUENCES_MAX_LENGTH = 1 << 20 };

/* How the lines of a file become ids; all borrowed. */
struct corpus_side {
    const struct tokenizer *tokenizer;
    const struct vocab *vocab;
    const char *name; /* of the file, for messages */
};

/* One pair, all borrowed. */
struct pair_ids {
    const int *source, *target;
    int source_length, target_length;
    int line; /* number from 1 in its file */
};

struct corpus_rule {
    struct corpus_side source, target;
    int max_length; /* pieces on either side of a pair, at most; 0 = no limit of the user's */
};

struct corpus {
    struct sequences source, target; /* of one count */
    int *line;                       /* (count) line number from 1 of each pair in the files */
    int skipped;                     /* pairs left out: a side was empty or too long */
    int skipped_long;                /* those of them that were too long */
    int first_skipped;               /* line number from 1; 0 when none was */
};

static inline int sequences_length(const struct sequences *s, int i)
{
    return (int)(s->start[i + 1] - s->start[i]);
}

/* Of the longest sequence; 0 when there is none. */
int sequences_longest(const struct sequences *);
void sequences_release(struct sequences *);

/* Lines as a walk (text/tokenizer.h), one file after the other; all borrowed. */
struct corpus_walk {
    const struct lines *lines[2]; /* the second may be NULL */
    int step;                     /* every step-th line; 0: every one */
    int file, at;                 /* the line that comes next */
};
/* For struct tokenizer_walk; the context is a struct corpus_walk. */
bool corpus_next(void *context, const char **text, size_t *length);

/* Line i of one file and line i of the other are a pair. ATTEND_DATA when the files are not of one
 * length or no pair can be used. */
enum attend_status corpus_load(struct corpus *out, const struct lines *source,
                               const struct lines *target, const struct corpus_rule *,
                               struct attend_error *err);
void corpus_release(struct corpus *);

#endif
