#include "attend/write.h"

#include "api/model.h"
#include "api/translation.h"
#include "base/error.h"
#include "decode/write.h"
#include "frames/source.h"
#include "frames/strokes.h"
#include "settings/tables.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 16, NUMBERS = 1 << 24 }; /* texts written together, and their numbers at most */

bool attend_model_writes(const struct attend_model *model)
{
    return model->model->net.decoder.writes;
}

void attend_writing_release(struct attend_writing *w)
{
    free(w->text);
    translation_free_words(w->source, w->source_count);
    translation_free_unknown(w->unknown, w->unknowns);
    free(w->stroke);
    free(w->weight);
    free(w->stroke_score);
    *w = (struct attend_writing){0};
}

struct attend_trace attend_writing_trace(const struct attend_writing *w)
{
    return (struct attend_trace){.title = w->text,
                                 .source = (const char *const *)w->source,
                                 .source_count = w->source_count,
                                 .count = w->count,
                                 .stroke = w->stroke,
                                 .weight = w->weight};
}

/* ---- The parts of a call ---- */

struct writing {
    const struct model *model;
    struct attend_writer_options options;
    const char *const *text;
    int count;
    struct tokenized line, hand; /* hand: the prime text */
    struct frames prime;
    struct sequences source; /* (count) tokens of the hand's text, then of the line */
    struct seq2seq_tables tables;
    struct write_setup setup;
    struct attend_writing *out;
};

static void writing_release(struct writing *w)
{
    tokenized_release(&w->line);
    tokenized_release(&w->hand);
    frames_release(&w->prime);
    seq2seq_tables_release(&w->tables);
    sequences_release(&w->source);
}

static enum attend_status check(const struct writing *w, struct attend_error *err)
{
    const struct attend_writer_options *o = &w->options;
    if (w->model->outline)
        return error_set(err, ATTEND_USAGE, "the model was loaded without its weights");
    if (!w->model->net.decoder.writes)
        return error_set(err, ATTEND_USAGE,
                         "the model translates; only one trained with `tgt_tokenizer` ink writes");
    if (w->model->source.frames)
        return error_set(err, ATTEND_USAGE, "the model reads frames; only text can be written");
    if (!o->prime != !o->prime_text)
        return error_set(err, ATTEND_USAGE, "`prime` and `prime_text` need each other");
    return ATTEND_OK;
}

/* ---- Texts and the given hand ---- */

static enum attend_status tokenize(struct writing *w, struct attend_error *err)
{
    const struct text_side *side = &w->model->source;
    const struct tokenizing how = {.tokenizer = side->tokenizer,
                                   .vocab = side->vocab,
                                   .name = "text",
                                   .most = w->options.max_tokens};
    enum attend_status status =
        tokenized_make(&w->line, &how, TOKENIZED_SOURCE, w->text, w->count, err);
    if (!status && w->options.prime)
        status = translation_tokenize(&w->hand, side, TOKENIZED_SOURCE, &w->options.prime_text, 1,
                                      "prime_text", err);
    return status;
}

static enum attend_status read_hand(struct writing *w, struct attend_error *err)
{
    const struct frame_source *ink = w->model->target.frames;
    if (!w->options.prime)
        return ATTEND_OK;
    const enum attend_status status = frame_source_read_file(ink, w->options.prime, &w->prime, err);
    if (!status)
        strokes_from_frames(ink, w->prime.value, w->prime.rows);
    return status;
}

/* The tokens of every source, with those of the given hand in front. */
static enum attend_status join_sources(struct writing *w, struct attend_error *err)
{
    const struct sequences *line = &w->line.ids, *hand = &w->hand.ids;
    const size_t before = hand->count ? hand->start[1] : 0;
    size_t at = 0;
    w->source.start = calloc((size_t)w->count + 1, sizeof *w->source.start);
    w->source.ids =
        calloc(line->start[w->count] + before * (size_t)w->count + 1, sizeof *w->source.ids);
    if (!w->source.start || !w->source.ids)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d texts", w->count);
    for (int i = 0; i < w->count; i++) {
        const size_t length = (size_t)sequences_length(line, i);
        if (before)
            memcpy(w->source.ids + at, hand->ids, before * sizeof *hand->ids);
        memcpy(w->source.ids + at + before, line->ids + line->start[i], length * sizeof *line->ids);
        w->source.start[i + 1] = at += before + length;
    }
    w->source.count = w->count;
    return ATTEND_OK;
}

/* ---- Results ---- */

static bool fill(struct writing *w, const struct write *run, int b)
{
    const struct write_trace *trace = &run->trace[b];
    const int item = run->batch.item[b], S = run->batch.S;
    const int before = w->hand.ids.count ? tokenized_count(&w->hand, 0) : 0;
    struct attend_writing *out = &w->out[item];
    const size_t rows = (size_t)trace->length, looks = translation_looks(w->model);
    if (!translation_words(&w->line, item, w->model->source.vocab, &out->source,
                           &out->source_count) ||
        !translation_list_unknown(&out->unknown, &out->unknowns, &w->line, item))
        return false;
    const size_t cols = (size_t)out->source_count;
    out->complete = trace->complete;
    out->count = trace->length;
    out->stroke = calloc(rows * STROKES_WIDTH + 1, sizeof *out->stroke);
    out->weight = looks ? calloc(rows * cols + 1, sizeof *out->weight) : NULL;
    if (!out->stroke || (looks && !out->weight))
        return false;
    memcpy(out->stroke, trace->stroke, rows * STROKES_WIDTH * sizeof *out->stroke);
    strokes_restore(w->model->target.frames, out->stroke, trace->length);
    for (size_t t = 0; out->weight && t < rows; t++)
        memcpy(out->weight + t * cols, trace->weight + t * (size_t)S + before,
               cols * sizeof *out->weight);
    return true;
}

/* ---- Batches ---- */

static void bind(struct write *run, struct compute *c, struct arena *arena,
                 const struct write_setup *setup, const struct batch_text *text)
{
    write_bind(run, arena, setup, text);
    gemm_scratch_bind(&c->gemm, arena);
}

static enum attend_status write_batch(struct writing *w, const int *item, int count,
                                      struct attend_error *err)
{
    const struct batch_text text = {.source = &w->source, .item = item, .count = count};
    struct arena counting = {0}, arena = {0};
    struct worker alone = worker_alone();
    struct compute compute = {.worker = &alone};
    struct write run;
    bind(&run, &compute, &counting, &w->setup, &text);
    enum attend_status status = arena_reserve(&arena, counting.used, err);
    if (!status) {
        bind(&run, &compute, &arena, &w->setup, &text);
        if (!write_run(&run, &compute, &text))
            status = error_set(err, ATTEND_STOPPED, "stopped on request");
    }
    for (int b = 0; b < count && !status; b++)
        if (!fill(w, &run, b))
            status = error_set(err, ATTEND_NO_MEMORY, "out of memory for a trace");
    arena_release(&arena);
    return status;
}

/* Whether one more text, as long as the longest, would need too much memory. */
static bool is_full(const struct writing *w, int longest, int count)
{
    const double numbers = (double)write_limit(&w->setup, longest + 1) * (longest + 4);
    return count == BATCH || (count + 1) * numbers > NUMBERS;
}

static enum attend_status write_all(struct writing *w, struct attend_error *err)
{
    int item[BATCH], count = 0, longest = 0;
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < w->count && !status; i++) {
        w->out[i].text = strdup(w->text[i]);
        if (!w->out[i].text)
            return error_set(err, ATTEND_NO_MEMORY, "out of memory for a text");
        w->out[i].complete = true;
        if (tokenized_count(&w->line, i))
            item[count++] = i;
        if (sequences_length(&w->source, i) > longest)
            longest = sequences_length(&w->source, i);
        if (count && (is_full(w, longest, count) || i == w->count - 1)) {
            status = write_batch(w, item, count, err);
            count = longest = 0;
        }
    }
    return status;
}

enum attend_status attend_write(const struct attend_model *model, const char *const *texts,
                                int count, const struct attend_writer_options *options,
                                const struct attend_stop *stop, struct attend_writing *out,
                                struct attend_error *err)
{
    struct writing w = {.model = model->model, .text = texts, .count = count, .out = out};
    enum attend_status status = SETTINGS_TAKE(&w.options, writer_tables, options, err);
    memset(out, 0, (size_t)count * sizeof *out);
    if (!status)
        status = check(&w, err);
    if (!status)
        status = tokenize(&w, err);
    if (!status)
        status = read_hand(&w, err);
    if (!status)
        status = join_sources(&w, err);
    if (!status)
        status = seq2seq_tables_init(&w.tables, &w.model->net, err);
    w.setup = (struct write_setup){.net = &w.model->net,
                                   .tables = &w.tables,
                                   .bias = w.options.bias,
                                   .seed = (uint64_t)w.options.seed,
                                   .each = w.options.max_length,
                                   .first_line = w.options.first_line,
                                   .prime = w.prime.value,
                                   .primes = w.prime.rows,
                                   .stop = stop};
    if (!status)
        status = write_all(&w, err);
    for (int i = 0; i < count && status; i++)
        attend_writing_release(&out[i]);
    writing_release(&w);
    return status;
}
