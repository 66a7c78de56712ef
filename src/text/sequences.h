/* Texts as sequences of ids. */
#ifndef ATTEND_TEXT_SEQUENCES_H
#define ATTEND_TEXT_SEQUENCES_H

#include <stddef.h>

/* Sequence i is ids[start[i]] .. ids[start[i + 1] - 1], without <s> and </s>. */
struct sequences {
    int count;
    size_t *start; /* (count + 1) */
    int *ids;      /* (start[count]), never NULL */
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
