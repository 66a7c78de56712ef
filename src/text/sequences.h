/* Sequences of tokens, or of frames. */
#ifndef ATTEND_TEXT_SEQUENCES_H
#define ATTEND_TEXT_SEQUENCES_H

#include <stddef.h>

/* Sequence i has the elements start[i] .. start[i + 1] - 1. An element is a token of `ids`, without
 * <s> and </s>, or, if width is not 0, a frame: a row of `width` numbers. Nothing ends a sequence of
 * frames; its length does. */
struct sequences {
    int count;
    size_t *start; /* (count + 1) */
    int *ids;      /* (start[count]), never NULL; with frames it is not read */
    int width;     /* numbers in a frame; 0: tokens */
    float *rows;   /* (start[count], width) frames; NULL for tokens */
};

/* The longest sequence: lengths fit an `int`, and a file without line ends is refused. */
enum { SEQUENCES_MAX_LENGTH = 1 << 20 };

static inline int sequences_length(const struct sequences *s, int i)
{
    return (int)(s->start[i + 1] - s->start[i]);
}

/* Length of the longest sequence; 0 when there is none. */
int sequences_longest(const struct sequences *);
void sequences_release(struct sequences *);

#endif
