#include "api/frame_lines.h"

#include "api/model.h"
#include "attend/frames.h"
#include "base/error.h"
#include "base/path.h"
#include "frames/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Sequences ---- */

static enum attend_status begin(struct tokenized *t, const struct model *m, int count,
                                struct attend_error *err)
{
    *t = (struct tokenized){.ids.width = m->net.config.source_width};
    t->ids.start = calloc((size_t)count + 1, sizeof *t->ids.start);
    t->ids.ids = calloc(1, sizeof *t->ids.ids);
    return t->ids.start && t->ids.ids
               ? ATTEND_OK
               : error_set(err, ATTEND_NO_MEMORY, "out of memory for %d sources", count);
}

/* Append a sequence, which may be empty. */
static enum attend_status add(struct tokenized *t, const struct frames *f, struct attend_error *err)
{
    struct sequences *s = &t->ids;
    const size_t width = (size_t)s->width, before = s->start[s->count] * width;
    const size_t more = (size_t)f->rows * width;
    if (f->rows > SEQUENCES_MAX_LENGTH)
        return error_set(err, ATTEND_DATA, "has more than %d frames", SEQUENCES_MAX_LENGTH);
    if (before + more > t->size) {
        const size_t size = 2 * (before + more);
        float *rows = realloc(s->rows, size * sizeof *rows);
        if (!rows)
            return error_set(err, ATTEND_NO_MEMORY, "out of memory for frames");
        s->rows = rows;
        t->size = size;
    }
    if (more)
        memcpy(s->rows + before, f->value, more * sizeof *f->value);
    s->count++;
    s->start[s->count] = s->start[s->count - 1] + (size_t)f->rows;
    return ATTEND_OK;
}

enum attend_status frame_lines_check(const struct tokenized *t, const char *name,
                                     struct attend_error *err)
{
    for (int i = 0; i < t->ids.count; i++)
        if (t->ids.width && sequences_length(&t->ids, i) == 0)
            return error_item(err, ATTEND_DATA, name, i, "names no file");
    return ATTEND_OK;
}

/* ---- Files ---- */

enum attend_status attend_translator_files(struct attend_translator *t, const char *beside,
                                           const struct attend_frame_modules *modules,
                                           struct attend_error *err)
{
    struct frame_source *source = NULL;
    if (!t->model->source.frames)
        return ATTEND_OK;
    char *copy = beside ? strdup(beside) : NULL;
    const enum attend_status status =
        beside && !copy ? error_set(err, ATTEND_NO_MEMORY, "out of memory for a path")
                        : frame_source_copy(&source, t->model->source.frames, err);
    if (status) {
        free(copy);
        return status;
    }
    frame_source_use(source, modules);
    frame_source_free(t->frames);
    free(t->beside);
    t->frames = source;
    t->beside = copy;
    return ATTEND_OK;
}

static enum attend_status read_file(struct tokenized *out, const struct attend_translator *t,
                                    const char *line, struct attend_error *err)
{
    struct frames frames = {0};
    enum attend_status status = ATTEND_OK;
    if (*line) {
        char *path = path_beside(t->beside, line);
        status = path ? frame_source_read_file(t->frames, path, &frames, err)
                      : error_set(err, ATTEND_NO_MEMORY, "out of memory for a path");
        free(path);
    }
    if (!status)
        status = add(out, &frames, err);
    frames_release(&frames);
    return status;
}

enum attend_status frame_lines_read(struct tokenized *out, const struct attend_translator *t,
                                    const char *const *path, int count, const char *name,
                                    struct attend_error *err)
{
    struct tokenized all = {0};
    if (!t->frames)
        return error_set(err, ATTEND_USAGE,
                         "the model reads frames (%s), not text: use attend_translate_frames, or "
                         "let lines name files with attend_translator_files",
                         frame_source_reader(t->model->source.frames));
    enum attend_status status = begin(&all, t->model, count, err);
    for (int i = 0; i < count && !status; i++) {
        struct attend_error why = {.message = ""};
        status = read_file(&all, t, path[i], &why);
        if (status)
            error_item(err, status, name, i, "%s", why.message);
    }
    if (status)
        tokenized_release(&all);
    else
        *out = all;
    return status;
}

/* ---- Frames of the caller ---- */

static enum attend_status take(struct tokenized *out, const struct attend_translator *t,
                               const struct attend_frames *given, int i, struct attend_error *err)
{
    char name[32];
    struct frames frames = {0};
    snprintf(name, sizeof name, "frames %d", i + 1);
    enum attend_status status =
        frame_source_take(t->model->source.frames, given, name, &frames, err);
    if (!status)
        status = add(out, &frames, err);
    frames_release(&frames);
    return status;
}

static enum attend_status refuse_text(struct attend_error *err)
{
    return error_set(err, ATTEND_USAGE, "the model reads text, not frames");
}

enum attend_status frame_lines_take(struct tokenized *out, const struct attend_translator *t,
                                    const struct attend_frames *frames, int count,
                                    struct attend_error *err)
{
    struct tokenized all = {0};
    if (!t->model->source.frames)
        return refuse_text(err);
    enum attend_status status = begin(&all, t->model, count, err);
    for (int i = 0; i < count && !status; i++)
        status = take(&all, t, &frames[i], i, err);
    if (status)
        tokenized_release(&all);
    else
        *out = all;
    return status;
}

enum attend_status attend_translate_frames_constrained(struct attend_translator *t,
                                                       const struct attend_frames *frames,
                                                       const struct attend_constraint *constraints,
                                                       int count, struct attend_translation *out,
                                                       struct attend_error *err)
{
    struct tokenized source = {0};
    memset(out, 0, (size_t)count * sizeof *out);
    enum attend_status status = frame_lines_take(&source, t, frames, count, err);
    if (!status)
        status = translation_search(t, &source, constraints, out, NULL, err);
    tokenized_release(&source);
    return status;
}

enum attend_status attend_translate_frames(struct attend_translator *t,
                                           const struct attend_frames *frames, int count,
                                           struct attend_translation *out, struct attend_error *err)
{
    return attend_translate_frames_constrained(t, frames, NULL, count, out, err);
}

/* ---- Files in memory ---- */

enum attend_status attend_frames_read(struct attend_frames **out, const struct attend_model *model,
                                      const struct attend_frame_file *file,
                                      const struct attend_frame_modules *modules,
                                      struct attend_error *err)
{
    struct frame_source *source = NULL;
    struct frames f = {0};
    if (!model->model->source.frames)
        return refuse_text(err);
    enum attend_status status = frame_source_copy(&source, model->model->source.frames, err);
    if (status)
        return status;
    frame_source_use(source, modules);
    frame_source_forget(source); /* they are normalized when they are used */
    status = frame_source_read(source, file->bytes, file->length, file->name, &f, err);
    frame_source_free(source);
    if (status)
        return status;
    const size_t bytes = (size_t)f.rows * (size_t)f.width * sizeof *f.value;
    struct attend_frames *frames = malloc(sizeof *frames + bytes);
    if (frames) {
        *frames = (struct attend_frames){f.rows, f.width, (const float *)(frames + 1)};
        memcpy(frames + 1, f.value, bytes);
        *out = frames;
    }
    frames_release(&f);
    return frames ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", file->name);
}

void attend_frames_free(struct attend_frames *frames) { free(frames); }

/* ---- Labels ---- */

bool frame_lines_labels(const struct model *m, int frames, char ***label, int *count)
{
    struct translation_words w = {0};
    const int columns = seq2seq_annotations(&m->net, frames);
    for (int i = 0; i < columns; i++) {
        char text[32];
        frame_source_label(m->source.frames, i << m->net.config.pyramid, text, sizeof text);
        translation_add_word(&w, text, strlen(text));
    }
    *label = w.word;
    *count = w.count;
    return !w.failed;
}
