/* Given ink: the network reads the text and is forced to write the strokes of a file. */
#include "attend/write.h"

#include "api/model.h"
#include "api/translation.h"
#include "base/error.h"
#include "base/path.h"
#include "base/threads.h"
#include "decode/force.h"
#include "frames/source.h"
#include "frames/strokes.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct given {
    const struct model *model;
    const struct attend_given_ink *ink;
    struct tokenized text;
    struct sequences strokes; /* (count) as the model reads them */
    struct attend_writing *out;
    atomic_bool failed; /* out of memory */
};

static void given_release(struct given *g)
{
    tokenized_release(&g->text);
    sequences_release(&g->strokes);
}

static enum attend_status check(const struct given *g, struct attend_error *err)
{
    if (!g->model->net.decoder.writes)
        return error_set(err, ATTEND_USAGE,
                         "the model translates; only one trained with `tgt_tokenizer` ink writes");
    for (int i = 0; i < g->ink->count; i++)
        if (!*g->ink->paths[i])
            return error_item(err, ATTEND_DATA, "target", i, "names no file");
    return ATTEND_OK;
}

/* ---- Strokes ---- */

static enum attend_status add_strokes(struct sequences *s, const struct frames *f,
                                      struct attend_error *err)
{
    const size_t before = s->start[s->count] * STROKES_WIDTH,
                 more = (size_t)f->rows * STROKES_WIDTH;
    float *rows = realloc(s->rows, (before + more + 1) * sizeof *rows);
    if (!rows)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for strokes");
    memcpy(rows + before, f->value, more * sizeof *rows);
    s->rows = rows;
    s->count++;
    s->start[s->count] = s->start[s->count - 1] + (size_t)f->rows;
    return ATTEND_OK;
}

static enum attend_status read_ink(struct given *g, int i, struct attend_error *err)
{
    const struct frame_source *ink = g->model->target.frames;
    struct frames frames = {0};
    char *path = path_beside(g->ink->beside, g->ink->paths[i]);
    enum attend_status status = path ? frame_source_read_file(ink, path, &frames, err)
                                     : error_set(err, ATTEND_NO_MEMORY, "out of memory for a path");
    if (!status) {
        strokes_from_frames(ink, frames.value, frames.rows);
        status = add_strokes(&g->strokes, &frames, err);
    }
    frames_release(&frames);
    free(path);
    return status;
}

static enum attend_status read_all(struct given *g, struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    g->strokes.width = STROKES_WIDTH;
    g->strokes.start = calloc((size_t)g->ink->count + 1, sizeof *g->strokes.start);
    g->strokes.ids = calloc(1, sizeof *g->strokes.ids);
    if (!g->strokes.start || !g->strokes.ids)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d traces", g->ink->count);
    for (int i = 0; i < g->ink->count && !status; i++) {
        struct attend_error why = {.message = ""};
        status = read_ink(g, i, &why);
        if (status)
            error_item(err, status, "target", i, "%s", why.message);
    }
    return status;
}

/* ---- Results ---- */

static bool fill(struct given *g, const struct forced *f)
{
    struct attend_writing *out = &g->out[f->item];
    const size_t rows = (size_t)f->T - 1, looks = translation_looks(g->model);
    const float *stroke = g->strokes.rows + g->strokes.start[f->item] * STROKES_WIDTH;
    out->text = strdup(g->ink->texts[f->item]);
    out->complete = true;
    out->count = (int)rows;
    out->log_probability = f->log_probability;
    out->stroke = calloc(rows * STROKES_WIDTH + 1, sizeof *out->stroke);
    out->stroke_score = calloc(rows + 1, sizeof *out->stroke_score);
    out->weight = looks ? calloc(rows * (size_t)f->S + 1, sizeof *out->weight) : NULL;
    if (!out->text || !out->stroke || !out->stroke_score || (looks && !out->weight) ||
        !translation_words(&g->text, f->item, g->model->source.vocab, &out->source,
                           &out->source_count))
        return false;
    memcpy(out->stroke, stroke, rows * STROKES_WIDTH * sizeof *stroke);
    strokes_restore(g->model->target.frames, out->stroke, out->count);
    for (size_t t = 0; t <= rows; t++)
        out->stroke_score[t] = (float)-f->row_loss[t];
    for (size_t i = 0; looks && i < rows * (size_t)(f->heads * f->S); i++)
        out->weight[i / (size_t)(f->heads * f->S) * (size_t)f->S + i % (size_t)f->S] +=
            (float)f->weight[i] / (float)f->heads;
    return true;
}

static void emit(void *context, const struct forced *f)
{
    struct given *g = context;
    if (!fill(g, f))
        atomic_store(&g->failed, true);
}

static enum attend_status force(struct given *g, struct attend_error *err)
{
    struct team *team = NULL;
    enum attend_status status =
        team_new(&team, g->ink->threads ? g->ink->threads : threads_available(), err);
    if (!status)
        status = force_pairs(team,
                             &(struct force_job){.net = &g->model->net,
                                                 .source = &g->text.ids,
                                                 .target = &g->strokes,
                                                 .emit = emit,
                                                 .context = g,
                                                 .stop = g->ink->stop},
                             err);
    team_free(team);
    if (!status && atomic_load(&g->failed))
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for a trace");
    return status;
}

enum attend_status attend_write_given(const struct attend_model *model,
                                      const struct attend_given_ink *ink,
                                      struct attend_writing *out, struct attend_error *err)
{
    struct given g = {.model = model->model, .ink = ink, .out = out};
    memset(out, 0, (size_t)ink->count * sizeof *out);
    enum attend_status status = check(&g, err);
    if (!status)
        status = translation_tokenize(&g.text, &g.model->source, TOKENIZED_SOURCE, ink->texts,
                                      ink->count, "source", err);
    if (!status)
        status = read_all(&g, err);
    if (!status)
        status = force(&g, err);
    for (int i = 0; i < ink->count && status; i++)
        attend_writing_release(&out[i]);
    given_release(&g);
    return status;
}
