/* A team that searches many sentences and hands out the hypotheses of each as they are found.
 *
 * Sentences are sorted by length into batches. Every member takes the next batch and searches it
 * alone, so members never wait for each other. If there is only one batch, the other members stand
 * by and share its products. The result of a sentence does not depend on its batch or on the number
 * of members. */
#ifndef ATTEND_DECODE_CREW_H
#define ATTEND_DECODE_CREW_H

#include "base/threads.h"
#include "decode/search.h"

struct crew;

/* The team is borrowed and must outlive the crew. */
enum attend_status crew_new(struct crew **out, struct team *, struct attend_error *err);
void crew_free(struct crew *);
/* The bytes that its members keep from batch to batch. */
size_t crew_memory(const struct crew *);

struct crew_job {
    struct search_setup setup;
    const struct sequences *source; /* empty sequences are skipped */
    int batch_sentences;            /* upper limit of a batch */
    /* Called by the member that has searched sentence b of search->batch; calls for different
     * sentences may overlap. */
    void (*emit)(void *context, const struct search *search, int b);
    void *context;
};
enum attend_status crew_search(struct crew *, const struct crew_job *, struct attend_error *err);

#endif
