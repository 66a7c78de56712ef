#include "attend/explain.h"

#include "api/direction.h"
#include "api/frame_lines.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "explain/encoder_heads.h"
#include "text/fold.h"

#include <stdlib.h>
#include <string.h>

/* ---- The source ---- */

static enum attend_status read_source(struct tokenized *out, struct attend_translator *t,
                                      const struct attend_self_attention_job *job,
                                      struct attend_error *err)
{
    const enum attend_status status =
        job->frames ? frame_lines_take(out, t, job->frames, 1, err)
                    : direction_tokenize(out, t, &job->source, NULL, 1, "input", err);
    const int tokens = status || out->ids.width ? 0 : tokenized_count(out, 0);
    return status || tokens <= ATTEND_EXPLAIN_LONGEST
               ? status
               : error_set(err, ATTEND_USAGE,
                           "the source has %d tokens; self-attention of up to %d can be shown",
                           tokens, ATTEND_EXPLAIN_LONGEST);
}

/* ---- Groups: what one row and one column of the result stand for ---- */

struct groups {
    struct translation_words name; /* (n) */
    int *group;                    /* (S) */
    bool *silent;                  /* (S) blanks between words, which get no row */
};

static void release_groups(struct groups *g)
{
    free(g->group);
    free(g->silent);
}

/* Spans of `each` labels, named by the first. */
static void group_spans(struct groups *g, char *const *label, int count)
{
    const int each = (count + ATTEND_SELF_SPANS - 1) / ATTEND_SELF_SPANS;
    for (int i = 0; i < count; i++) {
        g->group[i] = i / each;
        if (i % each == 0)
            translation_add_word(&g->name, label[i], strlen(label[i]));
    }
}

static void group_tokens(struct groups *g, char *const *token, int count)
{
    for (int i = 0; i < count; i++) {
        g->group[i] = i;
        translation_add_word(&g->name, token[i], strlen(token[i]));
    }
}

static void group_words(struct groups *g, const struct tokenizer *tokenizer, char *const *token,
                        int count, int tags)
{
    struct strbuf text = {0};
    struct fold f = {.tokenizer = tokenizer,
                     .piece = (const char *const *)token,
                     .count = count,
                     .ended = true,
                     .tags = tags};
    g->name.failed = !fold_init(&f);
    for (int at = 0, i = 0; !g->name.failed && i < f.words; i++) {
        strbuf_clear(&text);
        fold_spell(&f, &at, &text);
        translation_add_word(&g->name, text.text ? text.text : "", text.length);
    }
    for (int i = 0; !g->name.failed && i < count; i++) {
        g->group[i] = f.word[i];
        g->silent[i] = f.blank[i];
    }
    g->name.failed = g->name.failed || text.failed;
    strbuf_release(&text);
    fold_release(&f);
}

static enum attend_status make_groups(struct groups *g, const struct model *m,
                                      const struct tokenized *source, bool words,
                                      struct attend_error *err)
{
    char **label = NULL;
    int count = 0;
    bool good = translation_source(source, 0, m, &label, &count);
    g->group = calloc((size_t)count + 1, sizeof *g->group);
    g->silent = calloc((size_t)count + 1, sizeof *g->silent);
    good = good && g->group && g->silent;
    if (good && m->source.frames)
        group_spans(g, label, count);
    else if (good && words)
        group_words(g, m->source.tokenizer, label, count, source->tags);
    else if (good)
        group_tokens(g, label, count);
    translation_free_words(label, count);
    return good && !g->name.failed ? ATTEND_OK
                                   : error_set(err, ATTEND_NO_MEMORY, "out of memory for a source");
}

/* ---- The weights ---- */

static enum attend_status check_encoder(const struct model *m, struct attend_error *err)
{
    return encoder_heads_known(&m->net)
               ? ATTEND_OK
               : error_set(err, ATTEND_USAGE,
                           "the model's encoder is %s: only a transformer encoder has "
                           "self-attention to show",
                           m->net.encoder.ops->name);
}

static enum attend_status check_weights(const struct model *m, int count, double most,
                                        struct attend_error *err)
{
    const struct encoder_transformer *e = &m->net.encoder.transformer;
    const double weights = (double)(e->layers * e->layer[0].heads) * count * count;
    return most == 0 || weights <= most
               ? ATTEND_OK
               : error_set(err, ATTEND_USAGE,
                           "%d words have %.0f weights of self-attention, and the limit is %.0f",
                           count, weights, most);
}

/* Moves the names and the weights into the result. */
static enum attend_status finish(struct attend_self_attention *out, struct groups *g,
                                 struct encoder_heads *heads)
{
    out->layers = heads->layers;
    out->heads = heads->heads;
    out->count = g->name.count;
    out->word = g->name.word;
    out->weight = heads->weight;
    g->name = (struct translation_words){0};
    heads->weight = NULL;
    return ATTEND_OK;
}

static enum attend_status read_heads(struct attend_self_attention *out,
                                     const struct attend_translator *t,
                                     const struct attend_self_attention_job *job,
                                     const struct tokenized *source, struct attend_error *err)
{
    struct groups g = {0};
    struct encoder_heads heads = {0};
    enum attend_status status = make_groups(&g, t->model, source, job->words, err);
    if (!status)
        status = check_weights(t->model, g.name.count, job->max_weights, err);
    if (!status)
        status = encoder_heads_run(&heads,
                                   &(struct encoder_heads_job){.net = &t->model->net,
                                                               .source = &source->ids,
                                                               .group = g.group,
                                                               .silent = g.silent,
                                                               .stop = t->setup.stop},
                                   err);
    if (!status)
        status = finish(out, &g, &heads);
    encoder_heads_release(&heads);
    translation_free_words(g.name.word, g.name.count);
    release_groups(&g);
    return status;
}

enum attend_status attend_self_attention_new(struct attend_self_attention **out,
                                             struct attend_translator *t,
                                             const struct attend_self_attention_job *job,
                                             struct attend_error *err)
{
    struct tokenized source = {0};
    struct attend_self_attention *s = calloc(1, sizeof *s);
    enum attend_status status =
        s ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "out of memory for self-attention");
    if (!status)
        status = check_encoder(t->model, err);
    if (!status)
        status = read_source(&source, t, job, err);
    if (!status) {
        s->frames = t->model->source.frames;
        if (tokenized_count(&source, 0) > 0)
            status = read_heads(s, t, job, &source, err);
    }
    tokenized_release(&source);
    if (status)
        attend_self_attention_free(s);
    else
        *out = s;
    return status;
}

void attend_self_attention_free(struct attend_self_attention *s)
{
    if (!s)
        return;
    translation_free_words(s->word, s->count);
    free(s->weight);
    free(s);
}
