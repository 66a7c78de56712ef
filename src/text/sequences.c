#include "text/sequences.h"

#include <stdlib.h>

int sequences_longest(const struct sequences *s)
{
    int longest = 0;
    for (int i = 0; i < s->count; i++)
        if (sequences_length(s, i) > longest)
            longest = sequences_length(s, i);
    return longest;
}

void sequences_release(struct sequences *s)
{
    free(s->start);
    free(s->ids);
    free(s->rows);
    *s = (struct sequences){0};
}
