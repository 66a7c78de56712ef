#include "attend/trouble.h"

#include "base/error.h"
#include "base/json_writer.h"
#include "base/strbuf.h"
#include "metric/trouble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The parts of the score: see attend/trouble.h. */
static const double repetition_part = 2, entropy_part = 0.2;

/* The working copy of a matrix. */
struct trouble_view {
    struct trouble_matrix m;
    double *weight;            /* (T, columns) */
    int *word;                 /* (T) */
    struct trouble_word *said; /* (T) */
};

static bool ended(const char *const *word, int count)
{
    return count > 0 && strcmp(word[count - 1], "</s>") == 0;
}

static enum attend_status copy_rows(struct trouble_view *v, const struct attend_matrix *matrix,
                                    struct attend_error *err)
{
    for (int t = 0; t < v->m.T; t++) {
        const size_t at = (size_t)t * (size_t)v->m.columns;
        double sum = 0;
        for (int j = 0; j < v->m.columns; j++) {
            const double a = (double)matrix->weight[at + (size_t)j];
            if (!(a >= 0 && isfinite(a)))
                return error_set(err, ATTEND_DATA,
                                 "the weight of source word %d in row %d is %g; attention weights "
                                 "cannot be negative",
                                 j + 1, t + 1, a);
            sum += a;
        }
        for (int j = 0; j < v->m.columns; j++)
            v->weight[at + (size_t)j] = sum > 0 ? (double)matrix->weight[at + (size_t)j] / sum : 0;
    }
    return ATTEND_OK;
}

/* Number the words; equal words get the number of the first. */
static void number_words(struct trouble_view *v, const char *const *target)
{
    for (int t = 0; t < v->m.T; t++) {
        int first = 0;
        while (strcmp(target[first], target[t]) != 0)
            first++;
        v->word[t] = first;
    }
}

static enum attend_status trouble_view_init(struct trouble_view *v,
                                            const struct attend_matrix *matrix,
                                            struct attend_error *err)
{
    const int S = matrix->source_count - ended(matrix->source, matrix->source_count);
    const int T = matrix->target_count - ended(matrix->target, matrix->target_count);
    const size_t rows = (size_t)T + 1;
    v->weight = calloc(rows * ((size_t)matrix->source_count + 1), sizeof *v->weight);
    v->word = calloc(rows, sizeof *v->word);
    v->said = calloc(rows, sizeof *v->said);
    if (!v->weight || !v->word || !v->said)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d x %d weights", T, S);
    v->m = (struct trouble_matrix){
        .weight = v->weight, .S = S, .T = T, .columns = matrix->source_count, .word = v->word};
    number_words(v, matrix->target);
    return copy_rows(v, matrix, err);
}

static void trouble_view_release(struct trouble_view *v)
{
    free(v->weight);
    free(v->word);
    free(v->said);
}

/* ---- Figures ---- */

static bool make_room(struct attend_trouble *out)
{
    const size_t S = (size_t)out->source_count + 1, T = (size_t)out->target_count + 1;
    out->coverage = calloc(S, sizeof *out->coverage);
    out->missed = calloc(S, sizeof *out->missed);
    out->crowded = calloc(S, sizeof *out->crowded);
    out->repeat = calloc(T, sizeof *out->repeat);
    return out->coverage && out->missed && out->crowded && out->repeat;
}

static void look_for_words(struct attend_trouble *out, const struct attend_trouble_limits *limits)
{
    const double share = fmax(1, out->length_ratio);
    for (int j = 0; j < out->source_count; j++)
        if (out->coverage[j] < limits->missed)
            out->missed[out->missed_count++] = j;
        else if (out->coverage[j] > limits->crowded * share)
            out->crowded[out->crowded_count++] = j;
}

/* A tag of a language (text/languages.h), as people see it. */
static bool is_tag(const char *word)
{
    static const char open[] = "\xE2\x9F\xA8", close[] = "\xE2\x9F\xA9", arrow[] = "\xE2\x86\x92";
    const size_t length = strlen(word), bracket = sizeof open - 1;
    return length > 2 * bracket && strncmp(word, open, bracket) == 0 &&
           strcmp(word + length - bracket, close) == 0 && strstr(word, arrow);
}

static void measure(struct attend_trouble *out, const struct trouble_view *v,
                    const struct attend_trouble_limits *limits, const char *const *source)
{
    const struct trouble_matrix *m = &v->m;
    trouble_coverage(m, out->coverage);
    for (int j = 0; j < m->S && is_tag(source[j]); j++)
        out->coverage[j] = 1; /* nobody must translate a tag */
    trouble_repetition(m, v->said);
    for (int t = 0; t < m->T; t++)
        out->repetition += v->said[t].weight / m->T;
    out->shortage = trouble_shortage(out->coverage, m->S);
    out->entropy = trouble_entropy(m);
    out->relative_entropy = m->columns > 1 ? out->entropy / log(m->columns) : 0;
    out->dispersion = trouble_dispersion(m);
    out->length_ratio = m->S ? (double)m->T / m->S : 0;
    out->repeats = trouble_repeats(v->said, m->T, limits->repeated, out->repeat);
    out->score =
        out->shortage + repetition_part * out->repetition + entropy_part * out->relative_entropy;
    look_for_words(out, limits);
}

enum attend_status attend_trouble_find(struct attend_trouble *out,
                                       const struct attend_matrix *matrix,
                                       const struct attend_trouble_limits *limits,
                                       struct attend_error *err)
{
    struct trouble_view v = {0};
    struct attend_trouble found = {0};
    enum attend_status status = trouble_view_init(&v, matrix, err);
    found.source_count = v.m.S;
    found.target_count = v.m.T;
    if (!status && !make_room(&found))
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for a report");
    if (!status) {
        measure(&found, &v, limits, matrix->source);
        *out = found;
        found = (struct attend_trouble){0};
    }
    attend_trouble_release(&found);
    trouble_view_release(&v);
    return status;
}

void attend_trouble_release(struct attend_trouble *t)
{
    free(t->coverage);
    free(t->missed);
    free(t->crowded);
    free(t->repeat);
    *t = (struct attend_trouble){0};
}

/* ---- JSON ---- */

static void put_words(struct json_writer *w, const char *name, const int *place, int count,
                      const struct attend_trouble *t, const char *const *source)
{
    json_begin_array(w, name);
    for (int i = 0; i < count; i++) {
        json_begin_object(w, NULL);
        json_put_whole(w, "place", place[i]);
        json_put_text(w, "word", source[place[i]]);
        json_put_number(w, "coverage", t->coverage[place[i]], 6);
        json_end(w);
    }
    json_end(w);
}

static void put_repeats(struct json_writer *w, const struct attend_trouble *t,
                        const char *const *target)
{
    json_begin_array(w, "repeated");
    for (int i = 0; i < t->repeats; i++) {
        const struct attend_repeat *r = &t->repeat[i];
        json_begin_object(w, NULL);
        json_put_whole(w, "first", r->first);
        json_put_whole(w, "again", r->again);
        json_put_texts(w, "words", target + r->again, r->length);
        json_put_number(w, "weight", r->weight, 6);
        json_end(w);
    }
    json_end(w);
}

char *attend_trouble_json(const struct attend_trouble *t, const struct attend_matrix *matrix,
                          long number)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    const struct {
        const char *name;
        double value;
    } figure[] = {
        {"score", t->score},
        {"shortage", t->shortage},
        {"repetition", t->repetition},
        {"entropy", t->entropy},
        {"relative_entropy", t->relative_entropy},
        {"dispersion", t->dispersion},
        {"length_ratio", t->length_ratio},
    };
    json_begin_object(&w, NULL);
    json_put_whole(&w, "line", number);
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++)
        json_put_number(&w, figure[i].name, figure[i].value, 6);
    put_words(&w, "missed", t->missed, t->missed_count, t, matrix->source);
    put_words(&w, "crowded", t->crowded, t->crowded_count, t, matrix->source);
    put_repeats(&w, t, matrix->target);
    json_put_texts(&w, "source", matrix->source, t->source_count);
    json_put_texts(&w, "target", matrix->target, t->target_count);
    json_end(&w);
    return strbuf_detach(&out);
}
