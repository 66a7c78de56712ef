/* A network with weights far from 0, and what a search over it finds: for tests of searching. */
#ifndef ATTEND_TESTS_SEARCH_FIXTURE_H
#define ATTEND_TESTS_SEARCH_FIXTURE_H

#include "decode/crew.h"
#include "test.h"
#include "text/vocab.h"

#include <stdlib.h>

enum { FOUND_LONGEST = 64, FOUND_MOST = 8, FOUND_SOURCE = 16, FOUND_HEADS = 2 };

struct fixture {
    struct seq2seq net;
    real *values;
};

/* Words differ, and </s> is likely enough to come. */
static inline void fixture_init(struct fixture *f, const struct attend_network_options *config,
                                uint64_t seed)
{
    struct worker alone = worker_alone();
    struct compute compute = {.worker = &alone};
    assert_int_equal(seq2seq_init(&f->net, config, PACKING_RUN, NULL), ATTEND_OK);
    f->values = calloc(f->net.params.size, sizeof *f->values);
    param_bind(&f->net.params, f->values, NULL);
    assert_int_equal(param_initialize(&f->net.params, seed, NULL), ATTEND_OK);
    for (size_t i = 0; i < f->net.params.size; i++)
        f->values[i] *= (real)1.8;
    f->net.decoder.output.b.value[VOCAB_EOS] = (real)0.7;
    seq2seq_pack(&f->net, &compute);
}

static inline void fixture_release(struct fixture *f)
{
    seq2seq_release(&f->net);
    free(f->values);
}

/* What came out of a sentence. */
struct result {
    int count;
    struct found {
        struct hypothesis h;
        int token[FOUND_LONGEST];
        float score[FOUND_LONGEST + 1], share[FOUND_LONGEST + 1],
            weight[FOUND_LONGEST * FOUND_SOURCE];
        float head[FOUND_HEADS * FOUND_LONGEST * FOUND_SOURCE];
    } best[FOUND_MOST];
};

static inline void collect(void *context, const struct search *search, int b)
{
    struct result *r = (struct result *)context + search->batch.item[b];
    r->count = search->finished_count[b];
    for (int i = 0; i < r->count; i++) {
        r->best[i].h = *search_best(search, b, i);
        search_tokens(search, &r->best[i].h, r->best[i].token);
        search_scores(search, &r->best[i].h, r->best[i].score);
        if (search->setup->net[0]->decoder.attention.ops != &attention_none)
            search_weights(search, &r->best[i].h, b, r->best[i].weight);
        if (search->copies)
            search_shares(search, &r->best[i].h, r->best[i].share);
        if (search->heads)
            search_head_weights(search, &r->best[i].h, b, r->best[i].head);
    }
}

/* A result for each sentence, for the caller to free. */
static inline struct result *search_all(const struct search_setup *setup,
                                        const struct sequences *text, int batch, int threads)
{
    struct result *results = calloc((size_t)text->count, sizeof *results);
    struct team *team;
    struct crew *crew;
    const struct crew_job job = {.setup = *setup,
                                 .source = text,
                                 .batch_sentences = batch,
                                 .emit = collect,
                                 .context = results};
    assert_int_equal(team_new(&team, threads, NULL), ATTEND_OK);
    assert_int_equal(crew_new(&crew, team, NULL), ATTEND_OK);
    assert_int_equal(crew_search(crew, &job, NULL), ATTEND_OK);
    crew_free(crew);
    team_free(team);
    return results;
}

#endif
