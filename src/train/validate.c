#include "train/validate.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "metric/words.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

bool validation_better(const struct metric_ops *m, const struct validation *new,
                       const struct validation *old)
{
    if (new->value == old->value)
        return new->loss < old->loss;
    return (new->value < old->value) == (!m || m->lower_is_better);
}

static enum attend_status score(const struct validator *v, char **text, double *out,
                                struct attend_error *err)
{
    const struct valid_text *valid = v->text;
    const bool letters = valid->side->tokenizer->ops == &tokenizer_char;
    const struct metric_settings settings = {
        .rules = v->metric == &metric_ser && letters ? words_find("char") : NULL};
    double sums[METRIC_SUMS] = {0};
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < valid->corpus->source.count && !status; i++)
        status = v->metric->collect(text[i], &valid->target[i], 1, &settings, sums, err);
    *out = v->metric->score(sums, &settings);
    return status;
}

/* ---- Loss ---- */

static double mean_loss(const struct validator *v)
{
    double loss = 0, words = 0;
    for (int i = 0; i < v->plan->batches; i++) {
        const struct batch_text text = plan_batch(v->plan, v->text->corpus, i);
        loss += updater_loss(v->updater, &text);
        words += v->updater->tape.batch.target_rows;
    }
    return loss / words;
}

/* ---- Search ---- */

struct outputs {
    const struct text_side *side;
    char **text; /* (pairs) */
    atomic_bool failed;
};

static void collect(void *context, const struct search *search, int b)
{
    struct outputs *out = context;
    const struct hypothesis *h = search_best(search, b, 0);
    int *tokens = calloc((size_t)h->length + 1, sizeof *tokens);
    struct strbuf text = {0};
    if (tokens) {
        search_tokens(search, h, tokens);
        text_side_join(out->side, tokens, h->length, &text);
    }
    char *detached = strbuf_detach(&text);
    if (!tokens || !detached)
        atomic_store(&out->failed, true);
    out->text[search->batch.item[b]] = detached;
    free(tokens);
}

static enum attend_status translate(const struct validator *v, char **text,
                                    struct attend_error *err)
{
    struct outputs out = {.side = v->text->side, .text = text};
    const struct crew_job job = {.setup = {.net = {v->updater->parts.net},
                                           .nets = 1,
                                           .options = {.beam = 1, .max_length = 3}},
                                 .source = &v->text->corpus->source,
                                 .batch_sentences = 64,
                                 .emit = collect,
                                 .context = &out};
    const enum attend_status status = crew_search(v->crew, &job, err);
    if (!status && atomic_load(&out.failed))
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for validation");
    return status;
}

/* Sample outputs: the same few pairs every time, spread over the text. */
static void take_samples(const struct validator *v, char **text, struct validation *out)
{
    const int pairs = v->text->corpus->source.count;
    out->samples = pairs < ATTEND_TRAIN_SAMPLES ? pairs : ATTEND_TRAIN_SAMPLES;
    for (int i = 0; i < out->samples; i++) {
        const int at = (int)((2L * i + 1) * pairs / (2L * out->samples));
        out->output[i] = text[at];
        out->sample[i] = (struct attend_train_sample){
            .source = v->text->source[at], .target = v->text->target[at], .output = text[at]};
        text[at] = NULL;
    }
}

enum attend_status validate(const struct validator *v, struct validation *out,
                            struct attend_error *err)
{
    const int pairs = v->text->corpus->source.count;
    char **text = calloc((size_t)pairs + 1, sizeof *text);
    if (!text)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for validation");
    *out = (struct validation){.loss = mean_loss(v)};
    out->value = out->loss;
    if (v->updater->parts.net->decoder.writes) { /* strokes have no text to compare or to show */
        free(text);
        return ATTEND_OK;
    }
    enum attend_status status = translate(v, text, err);
    if (!status && v->metric)
        status = score(v, text, &out->value, err);
    if (!status)
        take_samples(v, text, out);
    for (int i = 0; i < pairs; i++)
        free(text[i]);
    free(text);
    return status;
}

void validation_release(struct validation *v)
{
    for (int i = 0; i < ATTEND_TRAIN_SAMPLES; i++)
        free(v->output[i]);
    *v = (struct validation){0};
}
