#include "train/validate.h"

#include <stdatomic.h>

static double mean_loss(struct updater *u, const struct corpus *corpus, const struct plan *plan)
{
    double loss = 0, words = 0;
    for (int i = 0; i < plan->batches; i++) {
        const struct batch_text text = plan_batch(plan, corpus, i);
        loss += updater_loss(u, &text);
        words += u->tape.batch.target_rows;
    }
    return loss / words;
}

struct tally {
    const struct corpus *corpus;
    atomic_int correct;
};

static void compare(void *context, const struct search *search, int b)
{
    struct tally *tally = context;
    const struct sequences *target = &tally->corpus->target;
    const int item = search->batch.item[b];
    if (search_says(search, &search->finished[b * search->options.beam],
                    target->ids + target->start[item], sequences_length(target, item)))
        atomic_fetch_add(&tally->correct, 1);
}

enum attend_status validate(struct updater *u, struct crew *crew, const struct corpus *corpus,
                            const struct plan *plan, struct validation *out,
                            struct attend_error *err)
{
    struct tally tally = {.corpus = corpus};
    const struct crew_job job = {.net = u->net,
                                 .options = {.beam = 1, .max_length = 3},
                                 .source = &corpus->source,
                                 .batch_sentences = 64,
                                 .emit = compare,
                                 .context = &tally};
    out->loss = mean_loss(u, corpus, plan);
    const enum attend_status status = crew_search(crew, &job, err);
    out->accuracy = (double)tally.correct / corpus->source.count;
    return status;
}
