#include "attend/explain.h"

#include "api/focus.h"
#include "api/explain_pair.h"
#include "base/bug.h"
#include "base/error.h"
#include "explain/trace.h"
#include "tensor/vec.h"
#include "text/vocab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Copies ---- */

static float *copy_numbers(const real *from, size_t count)
{
    float *to = malloc((count + 1) * sizeof *to);
    for (size_t i = 0; to && i < count; i++)
        to[i] = (float)from[i];
    return to;
}

static double *norms_of(const real *rows, int count, int width)
{
    double *norm = calloc((size_t)count + 1, sizeof *norm);
    for (int t = 0; norm && t < count; t++)
        norm[t] = sqrt(vec_square_sum(rows + (size_t)t * (size_t)width, (size_t)width));
    return norm;
}

/* Copy `count` words; those after the first `known` are </s>. */
static char **copy_words(char *const *word, int known, int count, const struct vocab *vocab)
{
    struct translation_words w = {0};
    for (int i = 0; i < count; i++) {
        const char *text = i < known ? word[i] : vocab_piece(vocab, VOCAB_EOS);
        translation_add_word(&w, text, strlen(text));
    }
    if (!w.failed)
        return w.word;
    translation_free_words(w.word, w.count);
    return NULL;
}

/* ---- Filling in ---- */

static bool fill_words(struct attend_steps *s, const struct trace *t, const struct explain_pair *p,
                       const struct model *m)
{
    const struct attend_translation *given = &p->translation;
    const int count = t->T * t->top;
    s->source = copy_words(given->source, given->source_count, s->source_count, m->source.vocab);
    s->target = copy_words(given->target, given->target_count, s->target_count, m->target.vocab);
    s->best = calloc((size_t)count + 1, sizeof *s->best);
    s->best_score = calloc((size_t)count + 1, sizeof *s->best_score);
    s->token_score = calloc((size_t)t->T, sizeof *s->token_score);
    bool good = s->source && s->target && s->best && s->best_score && s->token_score;
    for (int i = 0; i < count && good; i++) {
        s->best[i] = strdup(vocab_piece(m->target.vocab, t->best[i].id));
        s->best_score[i] = t->best[i].log_probability;
        good = s->best[i];
    }
    for (int i = 0; i < t->T && good; i++)
        s->token_score[i] = t->word[i].log_probability;
    return good;
}

static int gate_count(const struct cell_ops *cell)
{
    int count = 0;
    while (count < CELL_SLOTS && cell->slot_name[count])
        count++;
    return count;
}

/* The slots that have names, which are the first ones of a step. */
static float *copy_gates(const struct trace *t, const struct decoder *d)
{
    const size_t H = (size_t)d->H, all = (size_t)d->cell->slots * H,
                 named = (size_t)gate_count(d->cell) * H;
    float *to = malloc(((size_t)t->T * named + 1) * sizeof *to);
    for (size_t step = 0; to && step < (size_t)t->T; step++)
        for (size_t i = 0; i < named; i++)
            to[step * named + i] = (float)t->gates[step * all + i];
    return to;
}

static bool fill_numbers(struct attend_steps *s, const struct trace *t, const struct decoder *d,
                         const struct focus_plan *plan)
{
    const size_t steps = (size_t)t->T, width = (size_t)t->heads * (size_t)t->S;
    const bool looks = d->attention.ops != &attention_none;
    s->score = looks ? copy_numbers(t->score, steps * width) : NULL;
    s->weight = looks ? copy_numbers(t->weight, steps * width) : NULL;
    s->state = copy_numbers(t->state, steps * (size_t)d->H);
    s->query = copy_numbers(t->query, steps * (size_t)d->attention.Q);
    s->gate = copy_gates(t, d);
    s->state_norm = norms_of(t->state, t->T, d->H);
    s->query_norm = norms_of(t->query, t->T, d->attention.Q);
    s->context_norm = norms_of(t->context, t->T, d->C);
    s->told = calloc(steps, sizeof *s->told);
    for (int i = 0; s->told && i < t->T && i < plan->steps; i++)
        s->told[i] = plan->step[i].count > 0;
    return ((s->score && s->weight) || !looks) && s->state && s->query && s->gate &&
           s->state_norm && s->query_norm && s->context_norm && s->told;
}

static enum attend_status steps_of(struct attend_steps **out, const struct trace *t,
                                   const struct explain_pair *p, const struct model *m,
                                   const struct focus_plan *plan, struct attend_error *err)
{
    const struct decoder *d = &m->net.decoder;
    BUG_ON(translation_looks(m) && t->S != p->translation.source_count);
    struct attend_steps *s = calloc(1, sizeof *s);
    if (s)
        *s = (struct attend_steps){.source_count = p->translation.source_count,
                                   .target_count = t->T,
                                   .heads = t->heads,
                                   .top = t->top,
                                   .log_probability = t->log_probability,
                                   .state_size = d->H,
                                   .gates = gate_count(d->cell),
                                   .gate_name = d->cell->slot_name,
                                   .query_size = d->attention.Q};
    if (!s || !fill_words(s, t, p, m) || !fill_numbers(s, t, d, plan)) {
        attend_steps_free(s);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d steps", t->T);
    }
    *out = s;
    return ATTEND_OK;
}

enum attend_status attend_steps_new(struct attend_steps **out, struct attend_translator *t,
                                    const struct attend_steps_job *job, struct attend_error *err)
{
    const struct model *m = t->model;
    const struct attend_constraint constraint = {.focus = job->focus,
                                                 .focus_count = job->focus_count};
    struct focus_plan plan = {0};
    struct explain_pair pair = {0};
    struct trace trace = {0};
    enum attend_status status =
        explain_pair_make(&pair, t, job->source, job->target, &constraint, err);
    if (!status)
        status = focus_plan_make(&plan, m, pair.translation.source_count, job->focus,
                                 job->focus_count, err);
    if (!status)
        status = trace_run(&trace,
                           &(struct trace_job){.net = &m->net,
                                               .source = pair.source.ids.ids,
                                               .target = pair.target.ids.ids,
                                               .source_length = tokenized_count(&pair.source, 0),
                                               .target_length = tokenized_count(&pair.target, 0),
                                               .top = job->top,
                                               .focus = plan.step,
                                               .focus_steps = plan.steps,
                                               .stop = t->setup.stop},
                           err);
    if (!status)
        status = steps_of(out, &trace, &pair, m, &plan, err);
    trace_release(&trace);
    explain_pair_release(&pair);
    focus_plan_release(&plan);
    return status;
}

void attend_steps_free(struct attend_steps *s)
{
    if (!s)
        return;
    translation_free_words(s->source, s->source_count);
    translation_free_words(s->target, s->target_count);
    translation_free_words(s->best, s->target_count * s->top);
    free(s->token_score);
    free(s->best_score);
    free(s->score);
    free(s->weight);
    free(s->state);
    free(s->query);
    free(s->state_norm);
    free(s->query_norm);
    free(s->context_norm);
    free(s->told);
    free(s->gate);
    free(s);
}
