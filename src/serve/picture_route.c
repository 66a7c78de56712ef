/* POST /picture: a matrix as SVG, drawn as by attend plot. If there is an upload, it is the source of
 * the matrix; without a matrix, it is that of the upload's translation. */
#include "serve/routes.h"

#include "attend/matrix.h"
#include "base/error.h"
#include "serve/upload.h"
#include "serve/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 400, CELLS_MAX = 40000 };
/* Maximum bytes of all cell names: each cell has the names of its two words. */
enum { NAMES_MAX = 1 << 23 };

struct picture_work {
    struct task task;
    struct attend_matrices list;
    enum attend_view view;
    bool dark;
    char *title, *svg;
    struct text_job *job;        /* translates the upload; NULL: the matrix is given */
    bool translated;             /* the job is done */
    const struct upload *upload; /* or NULL */
};

static void free_work(void *context)
{
    struct picture_work *w = context;
    attend_matrices_release(&w->list);
    attend_text_free(w->svg);
    text_job_free(w->job);
    free(w->title);
    free(w);
}

/* Draw the matrices, over what the frames of the upload show. */
static enum attend_status draw(struct picture_work *w, const struct attend_frames_view *view,
                               struct attend_error *err)
{
    struct attend_matrix of_upload = {0};
    const struct attend_matrix *matrix = w->list.item;
    int count = w->list.count;
    if (w->upload) {
        of_upload = w->job ? attend_matrix_of(w->job->result, 0, -1) : w->list.item[0];
        of_upload.frames = view;
        matrix = &of_upload;
        count = 1;
    }
    struct attend_picture *picture = attend_picture_matrices(
        matrix, count, &(struct attend_style){.title = w->title, .view = w->view, .dark = w->dark});
    w->svg = picture ? attend_picture_svg(picture) : NULL;
    attend_picture_free(picture);
    return w->svg ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "out of memory for a picture");
}

static enum attend_status run(struct task *task, struct attend_translator *translator,
                              struct attend_error *err)
{
    struct picture_work *w = task->owner;
    struct attend_frames_view *view = NULL;
    (void)translator;
    enum attend_status status = w->upload ? upload_view(&view, w->upload, err) : ATTEND_OK;
    if (!status)
        status = draw(w, view, err);
    attend_frames_view_free(view);
    return status;
}

/* ---- The matrix ---- */

static bool read_row(float *out, const struct json *row, int count)
{
    if (json_length(row) != count)
        return false;
    for (int j = 0; j < count; j++) {
        const double weight = json_number(json_at(row, j));
        if (!(fabs(weight) < 1e30))
            return false;
        out[j] = (float)weight;
    }
    return true;
}

static bool read_rows(float *out, const struct json *rows, int T, int S)
{
    bool good = json_length(rows) == T;
    for (int t = 0; t < T && good; t++)
        good = read_row(out + t * S, json_at(rows, t), S);
    return good;
}

static size_t bytes_of(const char *const *word, int count)
{
    size_t bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += strlen(word[i]);
    return bytes;
}

static bool take_matrix(struct exchange *e, struct picture_work *w, const struct json *m)
{
    const char *source[WORDS_MAX], *target[WORDS_MAX];
    struct attend_error err;
    const int S = json_texts(json_member(m, "source"), source, WORDS_MAX);
    const int T = json_texts(json_member(m, "target"), target, WORDS_MAX);
    if (S < 1 || T < 1 || S * T > CELLS_MAX)
        return routes_refuse(
            e, "matrix parameter has no source and target, lists of at most 400 words");
    if ((size_t)T * bytes_of(source, S) + (size_t)S * bytes_of(target, T) > NAMES_MAX)
        return routes_refuse(e, "the matrix's words are too long to be drawn");
    float *weight = calloc((size_t)S * (size_t)T, sizeof *weight);
    bool good = weight && read_rows(weight, json_member(m, "attention"), T, S);
    if (!weight)
        exchange_error(e, 500, "Out of memory");
    else if (!good)
        routes_refuse(e, "the matrix's attention is not a row of numbers for each target word");
    const struct attend_matrix matrix = {
        .source = source, .target = target, .source_count = S, .target_count = T, .weight = weight};
    if (good && attend_matrices_add(&w->list, &matrix, 1, &err)) {
        exchange_error(e, 500, "%s", err.message);
        good = false;
    }
    attend_matrices_scale(&w->list);
    free(weight);
    return good;
}

static bool take_style(struct exchange *e, struct picture_work *w, const struct params *p)
{
    static const char *const views[] = {"heatmap", "links", "salience"};
    const char *view = params_text(p, "view"), *format = params_text(p, "format");
    const char *title = params_text(p, "title");
    size_t i = 0;
    while (view && i < 3 && strcmp(views[i], view) != 0)
        i++;
    if (i == 3)
        return routes_refuse(e, "view parameter must be heatmap, links or salience");
    if (format && strcmp(format, "svg") != 0) {
        exchange_error(e, 400, "%.64s format is not supported", format);
        return false;
    }
    w->view = (enum attend_view)i;
    w->dark = params_flag(p, "dark");
    w->title = title ? strdup(title) : NULL;
    if (title && !w->title)
        exchange_error(e, 500, "Out of memory");
    return !title || w->title;
}

/* ---- Uploads ---- */

/* The words and weights of an answer to the same upload. A form holds them as JSON. */
static bool take_weights(struct exchange *e, struct picture_work *w, const char *text)
{
    const char *target[WORDS_MAX];
    struct attend_error err;
    struct json *m = NULL;
    const int S = upload_columns(e->upload);
    if (json_parse_any(&m, text, strlen(text), "matrix", &err))
        return routes_refuse(e, "matrix parameter is not JSON");
    const int T = json_texts(json_member(m, "target"), target, WORDS_MAX);
    float *weight = T > 0 && (long)T * S <= TEXT_JOB_CELLS
                        ? calloc((size_t)S * (size_t)T, sizeof *weight)
                        : NULL;
    bool good = weight && read_rows(weight, json_member(m, "attention"), T, S);
    const struct attend_matrix matrix = {.target = target,
                                         .source_count = S,
                                         .target_count = T,
                                         .weight = weight,
                                         .frames = &(struct attend_frames_view){0}};
    if (!good)
        exchange_error(e, 400,
                       "Invalid request: matrix has no target, a list of at most %d words, with a "
                       "row of %d weights for each in attention",
                       WORDS_MAX, S);
    else if (attend_matrices_add(&w->list, &matrix, 1, &err))
        exchange_error(e, 500, "%s", err.message);
    attend_matrices_scale(&w->list);
    free(weight);
    json_free(m);
    return good && w->list.count;
}

static bool take_upload(struct exchange *e, struct picture_work *w, const struct params *p)
{
    const char *matrix = params_text(p, "matrix");
    w->upload = e->upload;
    if (matrix)
        return take_weights(e, w, matrix);
    w->job = text_job_new(e, e->upload->served, 1, false);
    if (!w->job || !(w->job->line[0] = strdup(e->upload->name))) {
        exchange_error(e, 500, "Out of memory");
        return false;
    }
    w->job->search = (struct attend_search){.nbest = 1};
    w->job->frames = e->upload->frames;
    w->job->shows = true;
    return true;
}

void picture_begin(struct exchange *e, const struct params *p)
{
    if (!e->upload && !params_given(p, "matrix")) {
        routes_refuse(e, "missing matrix parameter");
        return;
    }
    struct picture_work *w = calloc(1, sizeof *w);
    if (!w) {
        exchange_error(e, 500, "Out of memory");
        return;
    }
    e->work = w;
    e->free_work = free_work;
    w->task = (struct task){.job = work_job(e, 1), .run = run, .owner = w};
    if (!take_style(e, w, p))
        return;
    if (e->upload)
        take_upload(e, w, p);
    else
        take_matrix(e, w, params_value(p, "matrix"));
}

bool picture_submit(struct exchange *e)
{
    struct picture_work *w = e->work;
    return w->job && !w->translated ? routes_submit_text(e, &w->job->job)
                                    : routes_submit_task(e, &w->task.job);
}

void picture_finish(struct exchange *e)
{
    struct picture_work *w = e->work;
    if (w->job && !w->translated) {
        w->translated = true;
        work_failed(e, &w->job->job); /* otherwise the picture is drawn next */
        return;
    }
    if (!work_failed(e, &w->task.job))
        exchange_fixed(e, 200, "image/svg+xml; charset=utf-8", w->svg, strlen(w->svg));
}
