#include "corpus/corpus.h"

#include <stdlib.h>

void corpus_release(struct corpus *c)
{
    sequences_release(&c->source);
    sequences_release(&c->target);
    sequences_release(&c->links);
    free(c->line);
    *c = (struct corpus){0};
}
