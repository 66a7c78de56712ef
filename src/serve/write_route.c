/* POST /write: a text written by hand, as strokes, a picture or ink. */
#include "serve/routes.h"

#include "attend/write.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/json_writer.h"
#include "serve/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct write_work {
    struct task task;
    const struct format *format;
    char *text, *answer;
    struct attend_writer_options options;
    bool dark;
    double begun;
};

static void free_work(void *context)
{
    struct write_work *w = context;
    served_release(w->task.served);
    free(w->text);
    attend_text_free(w->answer);
    free(w);
}

/* ---- Answers: texts for attend_text_free; NULL when out of memory ---- */

static void put_strokes(struct json_writer *out, const struct attend_writing *writing)
{
    json_begin_array(out, "strokes");
    for (int i = 0; i < writing->count; i++) {
        const float *stroke = writing->stroke + (size_t)i * 3;
        json_begin_array(out, NULL);
        json_put_fixed(out, NULL, (double)stroke[0], 4);
        json_put_fixed(out, NULL, (double)stroke[1], 4);
        json_put_whole(out, NULL, (double)stroke[2] > 0.5);
        json_end(out);
    }
    json_end(out);
}

static void put_unknown(struct json_writer *out, const struct attend_writing *writing)
{
    if (!writing->unknowns)
        return;
    json_begin_array(out, "unknown");
    for (int i = 0; i < writing->unknowns; i++) {
        json_begin_object(out, NULL);
        json_put_text(out, "text", writing->unknown[i].text);
        json_put_whole(out, "start", writing->unknown[i].start);
        json_put_whole(out, "end", writing->unknown[i].end);
        json_end(out);
    }
    json_end(out);
}

static char *json_of(const struct write_work *w, const struct attend_writing *writing)
{
    struct strbuf text = {0};
    struct json_writer out = {.out = &text};
    json_begin_object(&out, NULL);
    json_put_text(&out, "model", w->task.served->name);
    json_put_text(&out, "text", writing->text);
    json_put_texts(&out, "source", (const char *const *)writing->source, writing->source_count);
    put_strokes(&out, writing);
    json_put_matrix(&out, "attention", writing->weight, writing->count, writing->source_count);
    json_put_flag(&out, "complete", writing->complete);
    put_unknown(&out, writing);
    json_put_number(&out, "bias", w->options.bias, 6);
    json_put_whole(&out, "seed", w->options.seed);
    json_put_fixed(&out, "milliseconds", 1000 * (clock_seconds() - w->begun), 3);
    json_end(&out);
    return strbuf_detach(&text);
}

static char *svg_of(const struct write_work *w, const struct attend_writing *writing)
{
    const struct attend_trace trace = attend_writing_trace(writing);
    struct attend_picture *picture =
        attend_picture_writing(&trace, 1, &(struct attend_style){.dark = w->dark});
    char *svg = picture ? attend_picture_svg(picture) : NULL;
    attend_picture_free(picture);
    return svg;
}

static char *inkml_of(const struct write_work *w, const struct attend_writing *writing)
{
    const struct attend_trace trace = attend_writing_trace(writing);
    (void)w;
    return attend_writing_inkml(&trace, 1);
}

static const struct format {
    const char *name, *type;
    char *(*make)(const struct write_work *, const struct attend_writing *);
} formats[] = {{"json", "application/json; charset=utf-8", json_of},
               {"svg", "image/svg+xml; charset=utf-8", svg_of},
               {"inkml", "application/inkml+xml; charset=utf-8", inkml_of}};
enum { FORMATS = sizeof formats / sizeof *formats };

/* ---- Writing ---- */

static bool is_over(void *job) { return job_is_over(job, clock_seconds()); }

static enum attend_status run(struct task *task, struct attend_translator *none,
                              struct attend_error *err)
{
    struct write_work *w = task->owner;
    const char *const text = w->text;
    const struct attend_stop stop = {is_over, &task->job};
    struct attend_writing writing = {0};
    (void)none;
    const enum attend_status status =
        attend_write(task->served->core->load.model, &text, 1, &w->options, &stop, &writing, err);
    if (status)
        return status;
    w->answer = w->format->make(w, &writing);
    attend_writing_release(&writing);
    return w->answer ? ATTEND_OK : error_set(err, ATTEND_NO_MEMORY, "out of memory for an answer");
}

/* ---- Parameters ---- */

static bool writes(const struct served *served) { return served->writes; }

static const struct routes_wish writer = {.fits = writes,
                                          .none = "no model of this server writes by hand",
                                          .other = "does not write by hand"};

/* The largest n for which n tokens and 100 n R strokes, with a weight for each pair, are few enough:
 * 100 n R (n + 1) <= TEXT_JOB_CELLS. */
static int most_tokens(const struct exchange *e)
{
    const double product = TEXT_JOB_CELLS / (100 * e->server->search.max_length);
    return (int)((sqrt(1 + 4 * product) - 1) / 2);
}

/* Most texts have no more tokens than characters. Those of which normalizing makes more are refused
 * by the writer. */
static bool check_cost(struct exchange *e, const char *text)
{
    const long count = routes_characters(text);
    if (count <= most_tokens(e))
        return true;
    exchange_error(e, 400, "Invalid request: a text of %ld characters is too long to be written",
                   count);
    return false;
}

static bool check_text(struct exchange *e, const struct params *p)
{
    const char *text = params_text(p, "q");
    if (!text)
        return routes_refuse(e, params_given(p, "q") ? "q parameter is not a text"
                                                     : "missing q parameter");
    if (strpbrk(text, "\n\r"))
        return routes_refuse(e, "a text contains a line end; send one line at a time");
    return routes_check_text(e, text) && check_cost(e, text);
}

static bool take_format(struct exchange *e, struct write_work *w, const struct params *p)
{
    const char *name = params_text(p, "format");
    int i = 0;
    while (name && i < FORMATS && strcmp(formats[i].name, name) != 0)
        i++;
    if (i == FORMATS) {
        exchange_error(e, 400, "%.64s format is not supported", name);
        return false;
    }
    w->format = &formats[i];
    w->dark = params_flag(p, "dark");
    return true;
}

static bool take_options(struct exchange *e, struct write_work *w, const struct params *p)
{
    enum { BIAS_MOST = 10 };
    struct attend_writer_options *o = &w->options;
    *o = attend_writer_defaults();
    o->max_length = e->server->search.max_length;
    o->max_tokens = most_tokens(e);
    if (!params_real(p, "bias", o->bias, &o->bias) || !(o->bias >= 0 && o->bias <= BIAS_MOST))
        return routes_refuse(e, "bias parameter must be a number from 0 to 10");
    if (!params_whole(p, "seed", e->server->search.seed, &o->seed) || o->seed < 0)
        return routes_refuse(e, "seed parameter must be a whole number from 0");
    return take_format(e, w, p);
}

void write_begin(struct exchange *e, const struct params *p)
{
    struct served *served = check_text(e, p) ? routes_model_for(e, p, &writer) : NULL;
    if (!served)
        return;
    struct write_work *w = calloc(1, sizeof *w);
    e->work = w;
    e->free_work = free_work;
    if (w) {
        w->task = (struct task){
            .job = work_job(e, 1), .served = served_hold(served), .run = run, .owner = w};
        w->text = strdup(params_text(p, "q"));
        w->begun = clock_seconds();
    }
    e->model = served->name;
    e->lines = 1;
    if (!w || !w->text)
        exchange_error(e, 500, "Out of memory");
    else
        take_options(e, w, p);
}

bool write_submit(struct exchange *e)
{
    struct write_work *w = e->work;
    return routes_submit_task(e, &w->task.job);
}

void write_finish(struct exchange *e)
{
    struct write_work *w = e->work;
    if (!work_failed(e, &w->task.job))
        exchange_fixed(e, 200, w->format->type, w->answer, strlen(w->answer));
}
