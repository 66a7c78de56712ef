#include "api/translation.h"

#include "api/direction.h"
#include "api/model.h"
#include "api/translate_constraints.h"
#include "base/bug.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "frames/source.h"
#include "model/ensemble.h"
#include "settings/tables.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

static enum attend_status check_shortlist(const struct attend_translator *t,
                                          struct attend_error *err)
{
    for (int i = 0; i < t->setup.nets; i++)
        if (t->setup.net[i]->decoder.hard)
            return error_set(err, ATTEND_USAGE,
                             "`shortlist` is for large vocabularies, which `attention` %s does not "
                             "take; leave it out",
                             t->setup.net[i]->decoder.attention.ops->name);
    return t->setup.shortlist ? ATTEND_OK
                              : error_set(err, ATTEND_USAGE,
                                          "`shortlist` needs a model with lists of words, which "
                                          "attend convert --src FILE --tgt FILE makes");
}

static enum attend_status take_models(struct attend_translator *t,
                                      const struct attend_model *const *models, int count,
                                      struct attend_error *err)
{
    t->model = models[0]->model;
    t->setup.tables = t->tables;
    for (int i = 0; i < count; i++) {
        const struct model *m = models[i]->model;
        if (m->outline)
            return error_set(err, ATTEND_USAGE, "the model was loaded without its weights");
        if (m->net.decoder.writes)
            return error_set(err, ATTEND_USAGE,
                             "the model writes by hand; it has no words to search, score or "
                             "explain. attend translate --output FILE.svg writes");
        if (!ensemble_agrees(m, t->model))
            return error_set(err, ATTEND_USAGE,
                             "model %d of %d has other vocabularies than the first, or another "
                             "source of frames; the models of an ensemble must share them",
                             i + 1, count);
        const enum attend_status status = seq2seq_tables_init(&t->tables[i], &m->net, err);
        if (status)
            return status;
        t->setup.net[t->setup.nets++] = &m->net;
        t->setup.shortlist = t->setup.shortlist ? t->setup.shortlist : m->shortlist;
    }
    return t->given.shortlist ? check_shortlist(t, err) : ATTEND_OK;
}

static enum attend_status check_options(const struct attend_translator_options *o,
                                        struct attend_error *err)
{
    return o->sample || o->nbest <= o->beam
               ? ATTEND_OK
               : error_set(err, ATTEND_USAGE, "`nbest` %d needs `beam` %d or more", o->nbest,
                           o->nbest);
}

enum attend_status attend_translator_new(struct attend_translator **out,
                                         const struct attend_model *const *models, int count,
                                         const struct attend_translator_options *options,
                                         struct attend_error *err)
{
    _Static_assert((int)ATTEND_ENSEMBLE <= (int)SEARCH_NETS, "room for all");
    if (count < 1 || count > ATTEND_ENSEMBLE)
        return error_set(err, ATTEND_USAGE, "an ensemble has 1 to %d models, not %d",
                         ATTEND_ENSEMBLE, count);
    struct attend_translator *t = calloc(1, sizeof *t);
    if (!t)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a translator");
    enum attend_status status = SETTINGS_TAKE(&t->given, translator_tables, options, err);
    t->completes = models[0]->model->net.decoder.copy.used && !t->given.allow_unk;
    t->given.allow_unk = t->given.allow_unk || t->completes;
    t->setup.options = t->given;
    t->batch_sentences = t->given.batch_sentences;
    const int threads = t->given.threads ? t->given.threads : threads_available();
    if (!status)
        status = check_options(&t->given, err);
    if (!status)
        status = take_models(t, models, count, err);
    if (!status)
        status = direction_set(t, t->given.from, t->given.to, err);
    t->setup.options.from = t->setup.options.to = NULL;
    t->given.from = t->given.to = NULL; /* the caller's texts may be gone later */
    if (!status)
        status = team_new(&t->team, threads, err);
    if (!status)
        status = crew_new(&t->crew, t->team, err);
    if (status) {
        attend_translator_free(t);
        return status;
    }
    *out = t;
    return ATTEND_OK;
}

enum attend_status attend_translator_search(struct attend_translator *t,
                                            const struct attend_search *s, struct attend_error *err)
{
    struct attend_translator_options options = t->given;
    options.beam = s->beam ? s->beam : options.beam;
    options.nbest = s->nbest ? s->nbest : options.nbest;
    options.max_length = s->max_length > 0 ? s->max_length : options.max_length;
    options.each_head = s->each_head || options.each_head;
    options.spans = s->spans || options.spans;
    enum attend_status status = check_options(&options, err);
    if (!status && (s->from || s->to))
        status = direction_set(t, s->from, s->to, err);
    if (status)
        return status;
    t->setup.options = options;
    t->batch_sentences = s->batch_sentences ? s->batch_sentences : t->given.batch_sentences;
    t->max_tokens = s->max_tokens;
    return ATTEND_OK;
}

void attend_translator_stop(struct attend_translator *t, const struct attend_stop *stop)
{
    t->setup.stop = stop;
}

size_t attend_translator_memory(const struct attend_translator *t)
{
    size_t bytes = crew_memory(t->crew);
    for (int i = 0; i < t->setup.nets; i++)
        bytes += seq2seq_tables_memory(&t->tables[i]);
    return bytes;
}

void attend_translator_free(struct attend_translator *t)
{
    if (!t)
        return;
    crew_free(t->crew);
    team_free(t->team);
    for (int i = 0; i < SEARCH_NETS; i++)
        seq2seq_tables_release(&t->tables[i]);
    tokenized_release(&t->banned);
    frame_source_free(t->frames);
    free(t->beside);
    attend_model_free(t->own);
    free(t);
}

/* ---- One run over many lines ---- */

/* Fill in the pieces of a hypothesis and its text. */
static bool fill_words(struct attend_translation *t, const struct text_side *side,
                       const struct search *search, const struct hypothesis *h)
{
    struct translation_words words = {0};
    int *tokens = calloc((size_t)h->length + 1, sizeof *tokens);
    if (tokens) {
        search_tokens(search, h, tokens);
        for (int i = 0; i < h->length; i++) {
            const char *piece = vocab_piece(side->vocab, tokens[i]);
            translation_add_word(&words, piece, strlen(piece));
        }
        if (h->complete)
            translation_add_end(&words, side->vocab);
    }
    t->target = words.word;
    t->target_count = words.count;
    const bool good = tokens && !words.failed &&
                      translation_join(t, side->tokenizer, words.count - h->complete,
                                       search->setup->options.spans);
    free(tokens);
    return good;
}

/* Fill in the weights of each head, if the search kept them. */
static bool fill_heads(struct attend_translation *t, const struct search *search, int b,
                       const struct hypothesis *h)
{
    const size_t steps = (size_t)h->length + 1, source = (size_t)search->batch.memory_length[b];
    if (!search->heads)
        return true;
    t->head_attention = calloc((size_t)search->heads * steps * source, sizeof *t->head_attention);
    if (t->head_attention)
        search_head_weights(search, h, b, t->head_attention);
    t->heads = t->head_attention ? search->heads : 0;
    return t->head_attention;
}

/* Fill in hypothesis h of sentence b. */
static bool fill_found(struct attend_translation *t, const struct translation_run *run,
                       const struct search *search, int b, const struct hypothesis *h)
{
    const size_t steps = (size_t)h->length + 1, source = (size_t)search->batch.memory_length[b];
    const bool good = fill_words(t, &run->translator->model->target, search, h);
    /* There is a row of weights for every word. */
    BUG_ON(good && (size_t)t->target_count > steps);
    t->score = h->score;
    t->log_probability = h->log_probability;
    t->complete = h->complete;
    t->token_score = calloc(steps, sizeof *t->token_score);
    t->attention = run->looks ? calloc(steps * source, sizeof *t->attention) : NULL;
    if (t->token_score)
        search_scores(search, h, t->token_score);
    if (t->attention)
        search_weights(search, h, b, t->attention);
    t->copied = search->copies ? calloc(steps, sizeof *t->copied) : NULL;
    if (t->copied)
        search_shares(search, h, t->copied);
    return good && t->token_score && (t->attention || !run->looks) &&
           (t->copied || !search->copies) && fill_heads(t, search, b, h);
}

static bool is_new(const struct attend_translation *t, const char *text)
{
    bool new = strcmp(t->text, text) != 0;
    for (int i = 0; i < t->others && new; i++)
        new = strcmp(t->other[i].text, text) != 0;
    return new;
}

/* Fill in the next best hypotheses; no text occurs twice. */
static bool fill_others(struct attend_translation *t, const struct translation_run *run,
                        const struct search *search, int b)
{
    const int wanted = search->setup->options.nbest - 1, found = search->finished_count[b];
    if (wanted <= 0)
        return true;
    t->other = calloc((size_t)wanted, sizeof *t->other);
    for (int i = 1; t->other && i < found && t->others < wanted; i++) {
        struct attend_translation *next = &t->other[t->others];
        const bool good = fill_found(next, run, search, b, search_best(search, b, i));
        next->source_count = t->source_count;
        if (good && is_new(t, next->text)) {
            t->others++;
            continue;
        }
        next->source_count = 0;
        attend_translation_release(next);
        if (!good)
            return false;
    }
    return t->other;
}

/* Fill in the source words, one for each token that the model read. */
static bool fill_source(struct attend_translation *t, const struct translation_run *run, int item,
                        int seen)
{
    const struct model *m = run->translator->model;
    const bool good = translation_source(run->source, item, m, &t->source, &t->source_count);
    BUG_ON(good && t->source_count != seen);
    t->frames = m->source.frames;
    t->tags = run->source->tags;
    t->unseen = translation_unseen(m, t->source_count);
    return good && translation_unknown(t, run->source, item) &&
           (!run->translator->setup.options.spans ||
            translation_spans(run->source, item, &t->source_span));
}

/* Keep the ids of a line's best hypothesis, if the caller wants them. */
static bool keep_best(const struct translation_run *run, const struct search *search, int item,
                      const struct hypothesis *h)
{
    if (!run->best)
        return true;
    struct sequences *best = &run->best[item];
    best->start = calloc(2, sizeof *best->start);
    best->ids = calloc((size_t)h->length + 1, sizeof *best->ids);
    if (!best->start || !best->ids)
        return false;
    search_tokens(search, h, best->ids);
    best->start[1] = (size_t)h->length;
    best->count = 1;
    return true;
}

static void emit_found(void *context, const struct search *search, int b)
{
    struct translation_run *run = context;
    const int item = search->batch.item[b];
    const struct hypothesis *first = search_best(search, b, 0);
    struct attend_translation *t = &run->out[item];
    if (!fill_source(t, run, item, search->batch.memory_length[b]) ||
        !fill_found(t, run, search, b, first) || !fill_others(t, run, search, b) ||
        !keep_best(run, search, item, first))
        atomic_store(&run->failed, true);
}

/* Fill in the translation of a line without words. */
static bool fill_empty(struct attend_translation *out, const struct sequences *source)
{
    for (int i = 0; i < source->count; i++)
        if (sequences_length(source, i) == 0) {
            out[i].text = strdup("");
            out[i].complete = true;
            if (!out[i].text)
                return false;
        }
    return true;
}

enum attend_status attend_translator_ban(struct attend_translator *t, const char *const *phrases,
                                         int count, struct attend_error *err)
{
    struct tokenized banned = {0};
    const enum attend_status status = translation_tokenize(
        &banned, &t->model->target, TOKENIZED_TEXT, phrases, count, "banned phrase", err);
    if (status)
        return status;
    tokenized_release(&t->banned);
    t->banned = banned;
    t->setup.banned = &t->banned.ids;
    return ATTEND_OK;
}

/* ---- Translating ---- */

static enum attend_status search(struct translation_run *run,
                                 const struct search_constraint *constraints,
                                 struct attend_error *err)
{
    struct attend_translator *t = run->translator;
    const int count = run->source->ids.count;
    struct search_setup setup = t->setup;
    setup.first_line = t->lines;
    setup.constraints = constraints;
    if (!fill_empty(run->out, &run->source->ids))
        atomic_store(&run->failed, true);
    enum attend_status status =
        crew_search(t->crew,
                    &(struct crew_job){.setup = setup,
                                       .source = &run->source->ids,
                                       .batch_sentences = t->batch_sentences,
                                       .emit = emit_found,
                                       .context = run},
                    err);
    t->lines += count;
    for (int i = 0; i < count && t->completes && !status && !run->failed; i++)
        status = unknown_replace(&run->out[i], t->model, NULL, err);
    return translation_finish(run, count, status, err);
}

enum attend_status translation_search(struct attend_translator *t, const struct tokenized *source,
                                      const struct attend_constraint *constraints,
                                      struct attend_translation *out, struct sequences *best,
                                      struct attend_error *err)
{
    const int count = source->ids.count;
    struct translation_run run = {.translator = t,
                                  .source = source,
                                  .out = out,
                                  .best = best,
                                  .looks = translation_looks(t->model)};
    struct translate_constraints w = {0};
    memset(out, 0, (size_t)count * sizeof *out);
    enum attend_status status = translate_constraints_make(&w, t->model, source, constraints, err);
    if (!status)
        status = search(&run, w.constraint, err);
    translate_constraints_release(&w, count);
    return status;
}

enum attend_status attend_translate_constrained(struct attend_translator *t,
                                                const char *const *lines,
                                                const struct attend_constraint *constraints,
                                                int count, struct attend_translation *out,
                                                struct attend_error *err)
{
    struct tokenized source = {0};
    memset(out, 0, (size_t)count * sizeof *out);
    enum attend_status status =
        direction_tokenize(&source, t, lines, constraints, count, "input", err);
    if (!status)
        status = translation_search(t, &source, constraints, out, NULL, err);
    tokenized_release(&source);
    return status;
}

enum attend_status attend_translate(struct attend_translator *t, const char *const *lines,
                                    int count, struct attend_translation *out,
                                    struct attend_error *err)
{
    return attend_translate_constrained(t, lines, NULL, count, out, err);
}
