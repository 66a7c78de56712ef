#include "attend/translate.h"

#include "api/model.h"
#include "api/options.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "decode/crew.h"
#include "decode/force.h"
#include "text/lines.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct attend_translator {
    const struct model *model;
    struct search_options search;
    int batch_sentences;
    struct team *team;
    struct crew *crew;
};

enum attend_status attend_translator_new(struct attend_translator **out,
                                         const struct attend_model *model,
                                         const struct attend_options *options,
                                         struct attend_error *err)
{
    struct attend_translator *t = calloc(1, sizeof *t);
    if (!t)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a translator");
    t->model = model->model;
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

static void free_words(char **words, int count)
{
    for (int i = 0; words && i < count; i++)
        free(words[i]);
    free(words);
}

void attend_translation_release(struct attend_translation *t)
{
    free_words(t->source, t->source_count);
    free_words(t->target, t->target_count);
    free(t->text);
    free(t->attention);
    *t = (struct attend_translation){0};
}

/* ---- Words as the model saw them: the pieces of the line itself, so that unknown ones keep their
 * spelling ---- */

struct words {
    char **word;
    int count, size;
    bool failed;
};

static void add_word(void *context, const char *piece, size_t length)
{
    struct words *w = context;
    if (w->count == w->size) {
        const int size = w->size ? 2 * w->size : 16;
        char **more = realloc(w->word, (size_t)size * sizeof *more);
        w->failed = w->failed || !more;
        if (!more)
            return;
        w->word = more;
        w->size = size;
    }
    char *copy = strndup(piece, length);
    w->failed = w->failed || !copy;
    if (copy)
        w->word[w->count++] = copy;
}

static void add_end(struct words *w, const struct vocab *vocab)
{
    const char *end = vocab_piece(vocab, VOCAB_EOS);
    add_word(w, end, strlen(end));
}

/* The words of a line with </s>; false when memory ran out. */
static bool split_line(const struct model_side *side, const char *line, char ***word, int *count)
{
    struct words w = {0};
    if (!tokenizer_split(side->tokenizer, line, strlen(line), add_word, &w))
        w.failed = true;
    add_end(&w, side->vocab);
    *word = w.word;
    *count = w.count;
    return !w.failed;
}

/* Words past the positions that location attention knows. */
static int unseen(const struct model *m, int source_count)
{
    const struct attention *attention = &m->net.decoder.attention;
    const int past = source_count - attention->dims.positions;
    return attention->ops == &attention_location && past > 0 ? past : 0;
}

/* ---- One run over many lines ---- */

struct run {
    struct attend_translator *translator;
    const char *const *source, *const *target; /* target: only when forced */
    struct attend_translation *out;
    bool looks; /* the model has attention to show */
    atomic_bool failed;
};

static bool looks(const struct model *m) { return m->net.decoder.attention.ops != &attention_none; }

/* Pieces of a hypothesis as words, its text, and its weights. */
static bool fill_found(struct attend_translation *t, const struct model_side *side,
                       const struct search *search, int b, bool show)
{
    const struct hypothesis *h = &search->finished[b * search->options.beam];
    struct words words = {0};
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
            add_word(&words, piece, strlen(piece));
        }
        tokenizer_join(side->tokenizer, &text, (const char *const *)words.word, words.count);
        if (h->complete)
            add_end(&words, side->vocab);
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
    struct run *run = context;
    const struct model *m = run->translator->model;
    const int item = search->batch.item[b];
    struct attend_translation *t = &run->out[item];
    if (!split_line(&m->source, run->source[item], &t->source, &t->source_count) ||
        !fill_found(t, &m->target, search, b, run->looks))
        atomic_store(&run->failed, true);
    t->unseen = unseen(m, t->source_count);
}

/* Heads averaged. */
static bool copy_weights(struct attend_translation *t, const struct forced *f)
{
    t->attention = calloc((size_t)f->T * (size_t)f->S, sizeof *t->attention);
    for (int i = 0; t->attention && i < f->T; i++)
        for (int j = 0; j < f->heads * f->S; j++)
            t->attention[i * f->S + j % f->S] +=
                (float)f->weight[i * f->heads * f->S + j] / (float)f->heads;
    return t->attention;
}

static void emit_forced(void *context, const struct forced *f)
{
    struct run *run = context;
    const struct model *m = run->translator->model;
    struct attend_translation *t = &run->out[f->item];
    t->text = strdup(run->target[f->item]);
    t->log_probability = f->log_probability;
    t->score = f->log_probability / pow(f->T, run->translator->search.length_penalty);
    t->complete = true;
    if (!t->text || !split_line(&m->source, run->source[f->item], &t->source, &t->source_count) ||
        !split_line(&m->target, run->target[f->item], &t->target, &t->target_count) ||
        !copy_weights(t, f))
        atomic_store(&run->failed, true);
}

/* Lines to ids; a line that is not UTF-8 is an error that names it. */
static enum attend_status encode(struct sequences *out, const struct model_side *side,
                                 const char *const *text, int count, const char *name,
                                 struct attend_error *err)
{
    struct strbuf all = {0};
    struct lines lines = {0};
    for (int i = 0; i < count; i++)
        strbuf_addf(&all, "%s\n", text[i]);
    enum attend_status status = strbuf_status(&all, err);
    if (!status)
        status = lines_parse(&lines, all.text ? all.text : "", all.length, name, err);
    if (!status && lines.count != count)
        status = error_set(err, ATTEND_DATA, "%s: a line holds a line end", name);
    if (!status)
        status = sequences_encode(out, &lines,
                                  &(struct corpus_side){side->tokenizer, side->vocab, name}, err);
    lines_release(&lines);
    strbuf_release(&all);
    return status;
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

static enum attend_status finish(const struct run *run, int count, enum attend_status status,
                                 struct attend_error *err)
{
    if (!status && atomic_load(&run->failed))
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for %d translations", count);
    for (int i = 0; i < count && status; i++)
        attend_translation_release(&run->out[i]);
    return status;
}

enum attend_status attend_translate(struct attend_translator *t, const char *const *lines,
                                    int count, struct attend_translation *out,
                                    struct attend_error *err)
{
    struct run run = {.translator = t, .source = lines, .out = out, .looks = looks(t->model)};
    struct sequences source = {0};
    memset(out, 0, (size_t)count * sizeof *out);
    enum attend_status status = encode(&source, &t->model->source, lines, count, "input", err);
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
    return finish(&run, count, status, err);
}

enum attend_status attend_force(struct attend_translator *t, const char *const *sources,
                                const char *const *targets, int count,
                                struct attend_translation *out, struct attend_error *err)
{
    struct run run = {.translator = t,
                      .source = sources,
                      .target = targets,
                      .out = out,
                      .looks = looks(t->model)};
    struct sequences source = {0}, target = {0};
    memset(out, 0, (size_t)count * sizeof *out);
    enum attend_status status = encode(&source, &t->model->source, sources, count, "source", err);
    if (!status)
        status = encode(&target, &t->model->target, targets, count, "target", err);
    if (!status)
        status = force_pairs(t->team,
                             &(struct force_job){.net = &t->model->net,
                                                 .source = &source,
                                                 .target = &target,
                                                 .emit = emit_forced,
                                                 .context = &run},
                             err);
    sequences_release(&source);
    sequences_release(&target);
    return finish(&run, count, status, err);
}

char *attend_translation_links(const struct attend_translation *t)
{
    struct strbuf out = {0};
    for (int i = 0; t->attention && i < t->target_count - t->complete; i++) {
        const float *row = t->attention + (size_t)i * (size_t)t->source_count;
        int most = 0;
        for (int j = 1; j < t->source_count; j++)
            most = row[j] > row[most] ? j : most;
        if (most < t->source_count - 1)
            strbuf_addf(&out, "%s%d-%d", out.length ? " " : "", most, i);
    }
    return strbuf_detach(&out);
}
