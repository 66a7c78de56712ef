#include "train/validate.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- What is measured ---- */

struct validation_metric {
    const char *name;
    bool lower; /* is better */
    /* Of all outputs; NULL: the loss itself. */
    double (*score)(const char *const *output, const char *const *target, int count);
};

static double accuracy(const char *const *output, const char *const *target, int count)
{
    int correct = 0;
    for (int i = 0; i < count; i++)
        correct += strcmp(output[i], target[i]) == 0;
    return (double)correct / count;
}

static const struct validation_metric metrics[] = {
    {"loss", true, NULL},
    {"accuracy", false, accuracy},
};
enum { METRICS = sizeof metrics / sizeof *metrics };

const char *validation_name(int i)
{
    return i == 0 ? "auto" : i <= METRICS ? metrics[i - 1].name : NULL;
}

const struct validation_metric *validation_metric_find(const char *name,
                                                       const struct model_side *target)
{
    (void)target;
    if (!name || strcmp(name, "auto") == 0)
        name = "accuracy";
    for (int i = 0; i < METRICS; i++)
        if (strcmp(metrics[i].name, name) == 0)
            return &metrics[i];
    return NULL;
}

const char *validation_metric_name(const struct validation_metric *m) { return m->name; }

bool validation_metric_lower(const struct validation_metric *m) { return m->lower; }

bool validation_better(const struct validation_metric *m, const struct validation *new,
                       const struct validation *old)
{
    if (new->value == old->value)
        return new->loss < old->loss;
    return (new->value < old->value) == m->lower;
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
    const struct model_side *side;
    char **text; /* (pairs) */
    atomic_bool failed;
};

static void collect(void *context, const struct search *search, int b)
{
    struct outputs *out = context;
    const struct hypothesis *h = &search->finished[b * search->options.beam];
    int *tokens = calloc((size_t)h->length + 1, sizeof *tokens);
    struct strbuf text = {0};
    if (tokens) {
        search_tokens(search, h, tokens);
        model_side_join(out->side, tokens, h->length, &text);
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
    const struct crew_job job = {.net = v->updater->parts.net,
                                 .options = {.beam = 1, .max_length = 3},
                                 .source = &v->text->corpus->source,
                                 .batch_sentences = 64,
                                 .emit = collect,
                                 .context = &out};
    const enum attend_status status = crew_search(v->crew, &job, err);
    if (!status && atomic_load(&out.failed))
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for validation");
    return status;
}

/* The same few pairs every time, spread over the text. */
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
    const enum attend_status status = translate(v, text, err);
    if (!status) {
        out->value = v->metric->score
                         ? v->metric->score((const char *const *)text, v->text->target, pairs)
                         : out->loss;
        take_samples(v, text, out);
    }
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
