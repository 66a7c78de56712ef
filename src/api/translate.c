#include "api/translation.h"

#include "api/model.h"
#include "api/options.h"
#include "base/bug.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

enum attend_status attend_translator_new(struct attend_translator **out,
                                         const struct attend_model *const *models, int count,
                                         const struct attend_options *options,
                                         struct attend_error *err)
{
    BUG_ON(count != 1);
    struct attend_translator *t = calloc(1, sizeof *t);
    if (!t)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a translator");
    t->model = models[0]->model;
    t->search = options->search;
    t->batch_sentences = options->translate.batch_sentences;
    const int threads =
        options->translate.threads ? options->translate.threads : threads_available();
    enum attend_status status = team_new(&t->team, threads, err);
    if (!status)
        status = crew_new(&t->crew, t->team, err);
    if (status) {
        attend_translator_free(t);
        return status;
    }
    *out = t;
    return ATTEND_OK;
}

void attend_translator_free(struct attend_translator *t)
{
    if (!t)
        return;
    crew_free(t->crew);
    team_free(t->team);
    free(t);
}

/* ---- One run over many lines ---- */

/* Pieces of a hypothesis as words, its text, and its weights. */
static bool fill_found(struct attend_translation *t, const struct model_side *side,
                       const struct search *search, int b, bool show)
{
    const struct hypothesis *h = &search->finished[b * search->options.beam];
    struct translation_words words = {0};
    struct strbuf text = {0};
    int *tokens = calloc((size_t)h->length + 1, sizeof *tokens);
    if (show)
        t->attention =
            calloc((size_t)(h->length + 1) * (size_t)t->source_count, sizeof *t->attention);
    if (t->attention)
        search_weights(search, h, b, t->attention);
    if (tokens) {
        search_tokens(search, h, tokens);
        for (int i = 0; i < h->length; i++) {
            const char *piece = vocab_piece(side->vocab, tokens[i]);
            translation_add_word(&words, piece, strlen(piece));
        }
        tokenizer_join(side->tokenizer, &text, (const char *const *)words.word, words.count);
        if (h->complete)
            translation_add_end(&words, side->vocab);
    }
    const bool good = tokens && (t->attention || !show) && !words.failed && !text.failed;
    free(tokens);
    t->text = strbuf_detach(&text);
    t->target = words.word;
    t->target_count = words.count;
    t->score = h->score;
    t->log_probability = h->log_probability;
    t->complete = h->complete;
    return good && t->text;
}

static void emit_found(void *context, const struct search *search, int b)
{
    struct translation_run *run = context;
    const struct model *m = run->translator->model;
    const int item = search->batch.item[b];
    struct attend_translation *t = &run->out[item];
    if (!translation_split(&m->source, run->source[item], &t->source, &t->source_count) ||
        !fill_found(t, &m->target, search, b, run->looks))
        atomic_store(&run->failed, true);
    t->unseen = translation_unseen(m, t->source_count);
}

/* What a line without words gets. */
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

enum attend_status attend_translate(struct attend_translator *t, const char *const *lines,
                                    int count, struct attend_translation *out,
                                    struct attend_error *err)
{
    struct translation_run run = {
        .translator = t, .source = lines, .out = out, .looks = translation_looks(t->model)};
    struct sequences source = {0};
    memset(out, 0, (size_t)count * sizeof *out);
    enum attend_status status =
        translation_encode(&source, &t->model->source, lines, count, "input", err);
    if (!status && !fill_empty(out, &source))
        atomic_store(&run.failed, true);
    if (!status)
        status = crew_search(t->crew,
                             &(struct crew_job){.net = &t->model->net,
                                                .options = t->search,
                                                .source = &source,
                                                .batch_sentences = t->batch_sentences,
                                                .emit = emit_found,
                                                .context = &run},
                             err);
    sequences_release(&source);
    return translation_finish(&run, count, status, err);
}
