/* POST /picture: a matrix as SVG, drawn as by attend plot. */
#include "serve/routes.h"

#include "attend/matrix.h"
#include "base/error.h"
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
};

static void free_work(void *context)
{
    struct picture_work *w = context;
    attend_matrices_release(&w->list);
    attend_text_free(w->svg);
    free(w->title);
    free(w);
}

static enum attend_status run(struct task *task, struct attend_translator *translator,
                              struct attend_error *err)
{
    struct picture_work *w = task->owner;
    (void)translator;
    struct attend_picture *picture = attend_picture_matrices(
        w->list.item, w->list.count,
        &(struct attend_style){.title = w->title, .view = w->view, .dark = w->dark});
    w->svg = picture ? attend_picture_svg(picture) : NULL;
    attend_picture_free(picture);
    return w->svg ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "out of memory for a picture");
}

/* ---- The matrix ---- */

static bool refuse(struct exchange *e, const char *sentence)
{
    exchange_error(e, 400, "Invalid request: %s", sentence);
    return false;
}

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
        return refuse(e, "matrix parameter has no source and target, lists of at most 400 words");
    if ((size_t)T * bytes_of(source, S) + (size_t)S * bytes_of(target, T) > NAMES_MAX)
        return refuse(e, "the matrix's words are too long to be drawn");
    float *weight = calloc((size_t)S * (size_t)T, sizeof *weight);
    bool good = weight && read_rows(weight, json_member(m, "attention"), T, S);
    if (!weight)
        exchange_error(e, 500, "Out of memory");
    else if (!good)
        refuse(e, "the matrix's attention is not a row of numbers for each target word");
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
        return refuse(e, "view parameter must be heatmap, links or salience");
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

void picture_begin(struct exchange *e, const struct params *p)
{
    if (!params_given(p, "matrix")) {
        refuse(e, "missing matrix parameter");
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
    if (take_style(e, w, p))
        take_matrix(e, w, params_value(p, "matrix"));
}

bool picture_submit(struct exchange *e)
{
    struct picture_work *w = e->work;
    return routes_submit_task(e, &w->task.job);
}

void picture_finish(struct exchange *e)
{
    struct picture_work *w = e->work;
    if (!work_failed(e, &w->task.job))
        exchange_fixed(e, 200, "image/svg+xml; charset=utf-8", w->svg, strlen(w->svg));
}
