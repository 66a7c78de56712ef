#include "plot_models.h"

#include "given_ink.h"
#include "session.h"

#include <attend/explain.h>

#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 64, TITLE = 256 };

struct plot_model {
    const char *name; /* in the titles of its panels */
    struct attend_model *model;
    struct attend_translator *translator;
    struct frame_modules frames;
    struct attend_translation result[AT_ONCE]; /* of a block of pairs */
};

struct plotting {
    const struct command *command;
    struct plot_model *model; /* (models) */
    int models;
    bool words, encoder_heads, several_hypotheses;
    bool writes; /* the only model writes by hand */
};

/* ---- Models ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static enum attend_status load(struct plot_model *m, const char *path,
                               const struct command *command, const struct flags *flags,
                               struct attend_error *err)
{
    enum attend_status status = attend_model_load(&m->model, path, err);
    m->name = base_name(path);
    if (!status && !flags->encoder_heads && !attend_model_attends(m->model)) {
        snprintf(err->message, sizeof err->message,
                 "%.200s: the model was trained with --attention none and has nothing to draw",
                 path);
        return ATTEND_FORMAT;
    }
    if (!status && attend_model_writes(m->model))
        return ATTEND_OK; /* it needs no translator */
    if (!status)
        status = attend_translator_new(
            &m->translator, (const struct attend_model *const *)&m->model, 1, &flags->search, err);
    if (!status)
        status = frame_lines_open(&m->frames, m->translator, m->model, flags, err);
    return status ? status : session_direction(m->translator, command, err);
}

/* Models with the same file name are named by their paths. */
static void tell_apart(struct plotting *job, const char *const *path)
{
    for (int i = 0; i < job->models; i++)
        for (int k = 0; k < job->models; k++)
            if (i != k && strcmp(base_name(path[i]), base_name(path[k])) == 0)
                job->model[i].name = path[i];
}

/* A model that writes by hand is drawn alone. */
static int check_writing(struct plotting *job, const struct flags *flags)
{
    static const char *const about_words[] = {"beam",      "nbest",         "words",
                                              "each-head", "encoder-heads", NULL};
    for (int i = 0; i < job->models; i++)
        job->writes = job->writes || attend_model_writes(job->model[i].model);
    if (!job->writes)
        return EXIT_DONE;
    if (job->models > 1)
        return args_usage(job->command, "a model that writes by hand is drawn alone");
    return args_none(job->command, flags, about_words,
                     "does not go with a model that writes by hand")
               ? EXIT_DONE
               : EXIT_USAGE;
}

static int open_models(struct plotting *job, const struct flags *flags)
{
    struct attend_error err = {.message = "out of memory for the models"};
    const int code = args_models(job->command, flags, flags->models, true);
    if (code != EXIT_DONE)
        return code;
    const char *const *path = flags->models;
    int count = 0;
    while (path[count])
        count++;
    job->model = calloc((size_t)count + 1, sizeof *job->model);
    enum attend_status status = job->model ? ATTEND_OK : ATTEND_NO_MEMORY;
    for (; job->models < count && !status; job->models++)
        status = load(&job->model[job->models], path[job->models], job->command, flags, &err);
    if (status)
        return args_fail(job->command, status, &err);
    tell_apart(job, path);
    return check_writing(job, flags);
}

static void close_models(struct plotting *job)
{
    for (int i = 0; i < job->models; i++) {
        attend_translator_free(job->model[i].translator);
        attend_model_free(job->model[i].model);
    }
    free(job->model);
}

/* ---- Panels ---- */

/* The title that distinguishes a panel from the others; NULL if there is only one. */
static const char *panel_title(const struct plotting *job, const struct plot_model *m,
                               const struct attend_translation *hypothesis, int h, int head,
                               char *out)
{
    int at = 0;
    if (job->models > 1)
        at += snprintf(out, TITLE, "%.150s", m->name);
    if (job->several_hypotheses)
        at += snprintf(out + at, (size_t)(TITLE - at), "%shypothesis %d (%.3f)", at ? ", " : "",
                       h + 1, hypothesis->score);
    if (head >= 0)
        at += snprintf(out + at, (size_t)(TITLE - at), "%shead %d", at ? ", " : "", head + 1);
    return at ? out : NULL;
}

/* Add a panel for each head, or one for their mean. */
static enum attend_status add_hypothesis(struct attend_matrices *panels, const struct plotting *job,
                                         const struct plot_model *m,
                                         const struct attend_translation *t, int h,
                                         const struct attend_frames_view *view,
                                         struct attend_error *err)
{
    const struct attend_translation *hypothesis = h ? &t->other[h - 1] : t;
    enum attend_status status = ATTEND_OK;
    for (int head = hypothesis->heads ? 0 : -1; head < hypothesis->heads && !status; head++) {
        char title[TITLE];
        struct attend_matrix panel = attend_matrix_of(t, h, head);
        panel.title = panel_title(job, m, hypothesis, h, head, title);
        panel.frames = view;
        status = attend_matrices_add(panels, &panel, 1, err);
        if (head < 0)
            break;
    }
    return status;
}

/* Add a panel for each layer and head of the encoder. */
static enum attend_status add_encoder(struct attend_matrices *panels, const struct plotting *job,
                                      const struct plot_model *m, int line, const char *source,
                                      struct attend_error *err)
{
    const struct attend_self_attention_job wanted = {.source = source, .words = job->words};
    struct attend_self_attention *self;
    enum attend_status status = attend_self_attention_new(&self, m->translator, &wanted, err);
    if (status) {
        err->item = line;
        return status;
    }
    for (int i = 0; self->count && i < self->layers * self->heads && !status; i++) {
        char title[TITLE];
        struct attend_matrix panel =
            attend_self_attention_matrix(self, i / self->heads, i % self->heads);
        snprintf(title, sizeof title, "%.150s%slayer %d, head %d", job->models > 1 ? m->name : "",
                 job->models > 1 ? ", " : "", i / self->heads + 1, i % self->heads + 1);
        panel.title = title;
        status = attend_matrices_add(panels, &panel, 1, err);
    }
    attend_self_attention_free(self);
    return status;
}

static enum attend_status add_model(struct attend_matrices *panels, const struct plotting *job,
                                    const struct plot_model *m, int line, const char *source,
                                    struct attend_error *err)
{
    struct attend_frames_view *view = NULL;
    struct attend_translation folded = {0};
    const struct attend_translation *t = &m->result[line];
    enum attend_status status = ATTEND_OK;
    if (t->frames && t->source_count)
        status = attend_frames_view_file(&view, m->translator, source, err);
    if (!status && job->words && t->source_count) {
        status = attend_translation_fold(&folded, t, m->model, err);
        t = &folded;
    }
    for (int h = 0; h <= t->others && !status; h++)
        status = add_hypothesis(panels, job, m, t, h, view, err);
    attend_frames_view_free(view);
    attend_translation_release(&folded);
    return status;
}

static int draw_line(const struct plotting *job, const struct pairs *pairs, struct plot_sink *sink,
                     int line)
{
    const long number = pairs->source_block.first + line;
    struct attend_matrices panels = {0};
    struct attend_error err;
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < job->models && !status; i++)
        status = (job->encoder_heads ? add_encoder : add_model)(&panels, job, &job->model[i], line,
                                                                pairs_sources(pairs)[line], &err);
    if (status && job->encoder_heads)
        pairs_name_line(pairs, &err);
    const int code =
        status ? args_fail(job->command, status, &err) : plot_sink_put(sink, &panels, number);
    attend_matrices_release(&panels);
    return code;
}

/* ---- Blocks ---- */

static int draw_block(struct plotting *job, const struct pairs *pairs, struct plot_sink *sink)
{
    const int count = pairs->source_block.count;
    struct attend_error err;
    enum attend_status status = ATTEND_OK;
    int code = EXIT_DONE, asked = 0;
    for (; asked < job->models && !status && !job->encoder_heads; asked += !status)
        status = pairs_run(pairs, job->model[asked].translator, job->model[asked].result, &err);
    if (status)
        code = args_fail(job->command, status, &err);
    for (int i = 0; i < count && code == EXIT_DONE; i++)
        code = draw_line(job, pairs, sink, i);
    for (int m = 0; m < asked; m++)
        for (int i = 0; i < count; i++)
            attend_translation_release(&job->model[m].result[i]);
    return code;
}

int plot_models(const struct command *command, const struct flags *flags, struct pairs *pairs,
                struct plot_sink *sink)
{
    struct plotting job = {.command = command,
                           .words = flags->words,
                           .encoder_heads = flags->encoder_heads,
                           .several_hypotheses = !pairs->forced && flags->search.nbest > 1};
    int code = open_models(&job, flags);
    for (bool more = true; more && code == EXIT_DONE;) {
        struct attend_error err;
        const int most = plot_sink_room(sink, AT_ONCE);
        const enum attend_status status = most ? pairs_read(pairs, most, &err) : ATTEND_OK;
        more = most && !status && pairs->source_block.count > 0;
        if (status)
            code = args_fail(command, status, &err);
        else if (more)
            code = job.writes ? given_ink_plot(command, flags, job.model->model, pairs, sink)
                              : draw_block(&job, pairs, sink);
    }
    close_models(&job);
    return code;
}
