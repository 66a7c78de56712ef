/* The results of an evaluation as JSON. */
#include "attend/calibration.h"
#include "attend/eval_set.h"
#include "base/json_writer.h"
#include "base/strbuf.h"

enum { DIGITS = 17 }; /* enough to read back every double exactly */

/* ---- Scores ---- */

static void put_result(struct json_writer *w, const struct attend_evaluation *scores,
                       const struct attend_metric_result *s)
{
    json_begin_object(w, s->metric);
    json_put_number(w, "score", s->score, DIGITS);
    json_put_text(w, "signature", s->signature);
    if (scores->confidence) {
        json_begin_object(w, "confidence");
        json_put_number(w, "mean", s->mean, DIGITS);
        json_put_number(w, "low", s->low, DIGITS);
        json_put_number(w, "high", s->high, DIGITS);
        json_end(w);
    }
    if (scores->compared) {
        json_begin_object(w, "compare");
        json_put_number(w, "score", s->other, DIGITS);
        json_put_number(w, "p", s->p, DIGITS);
        json_end(w);
    }
    json_end(w);
}

static void put_scores(struct json_writer *w, const struct attend_evaluation *scores)
{
    json_begin_object(w, "metrics");
    for (int i = 0; i < scores->count; i++)
        put_result(w, scores, &scores->item[i]);
    json_end(w);
}

char *attend_evaluation_json(const struct attend_evaluation *scores)
{
    return attend_eval_report_json(&(struct attend_eval_report){.scores = scores});
}

/* ---- Wrong lines ---- */

static const char *const kinds[] = {
    [ATTEND_EDIT_SAME] = "same",
    [ATTEND_EDIT_SUBSTITUTED] = "substituted",
    [ATTEND_EDIT_DELETED] = "deleted",
    [ATTEND_EDIT_INSERTED] = "inserted",
};

static const char *symbols_name(bool characters) { return characters ? "characters" : "tokens"; }

static void put_wrong_line(struct json_writer *w, const struct attend_wrong_line *line)
{
    json_begin_object(w, NULL);
    json_put_whole(w, "line", line->line);
    if (line->source)
        json_put_text(w, "source", line->source);
    json_put_text(w, "output", line->output);
    json_put_text(w, "reference", line->reference);
    json_put_whole(w, "edits", line->edits);
    json_put_whole(w, "symbols", line->symbols);
    json_begin_array(w, "alignment");
    for (int i = 0; i < line->edit_count; i++) {
        json_begin_object(w, NULL);
        json_put_text(w, "kind", kinds[line->edit[i].kind]);
        json_put_text(w, "output", line->edit[i].output);
        json_put_text(w, "reference", line->edit[i].reference);
        json_end(w);
    }
    json_end(w);
    json_end(w);
}

static void put_errors(struct json_writer *w, const struct attend_wrong_lines *errors)
{
    json_begin_object(w, "errors");
    json_put_whole(w, "lines", errors->lines);
    json_put_whole(w, "wrong", errors->wrong);
    json_put_text(w, "symbols", symbols_name(errors->characters));
    json_begin_array(w, "worst");
    for (int i = 0; i < errors->count; i++)
        put_wrong_line(w, &errors->item[i]);
    json_end(w);
    json_end(w);
}

/* ---- Confusions ---- */

static void put_symbol(struct json_writer *w, const struct attend_symbol *s)
{
    json_begin_object(w, NULL);
    json_put_text(w, "symbol", s->text);
    json_put_whole(w, "references", s->references);
    json_put_whole(w, "same", s->same);
    json_put_whole(w, "substituted", s->substituted);
    json_put_whole(w, "deleted", s->deleted);
    json_put_whole(w, "instead", s->instead);
    json_put_whole(w, "inserted", s->inserted);
    json_end(w);
}

static void put_pairs(struct json_writer *w, const struct attend_confusions *c, int limit)
{
    json_begin_array(w, "pairs");
    for (int i = 0; i < c->count && (!limit || i < limit); i++) {
        json_begin_object(w, NULL);
        json_put_text(w, "reference", c->item[i].reference);
        json_put_text(w, "output", c->item[i].output);
        json_put_whole(w, "count", c->item[i].count);
        json_end(w);
    }
    json_end(w);
}

static void put_confusions(struct json_writer *w, const struct attend_confusions *c, int limit)
{
    json_begin_object(w, "confusions");
    json_put_text(w, "symbols", symbols_name(c->characters));
    json_put_whole(w, "references", c->references);
    json_put_whole(w, "substitutions", c->substitutions);
    json_put_whole(w, "deletions", c->deletions);
    json_put_whole(w, "insertions", c->insertions);
    put_pairs(w, c, limit);
    json_begin_array(w, "each");
    for (int i = 0; i < c->symbols && (!limit || i < limit); i++)
        put_symbol(w, &c->symbol[i]);
    json_end(w);
    json_end(w);
}

/* ---- Lines ---- */

static void put_lines(struct json_writer *w, const struct attend_line_scores *s)
{
    json_begin_object(w, "line_signatures");
    for (int m = 0; m < s->metrics; m++)
        json_put_text(w, s->metric[m], s->signature[m]);
    json_end(w);
    json_begin_array(w, "lines");
    for (int i = 0; i < s->count; i++) {
        json_begin_object(w, NULL);
        json_put_whole(w, "line", s->line[i]);
        for (int m = 0; m < s->metrics; m++)
            json_put_number(w, s->metric[m], s->score[i * s->metrics + m], DIGITS);
        json_end(w);
    }
    json_end(w);
}

/* ---- Calibration ---- */

static void put_reliability(struct json_writer *w, const char *name,
                            const struct attend_reliability *r)
{
    json_begin_object(w, name);
    json_put_number(w, "ece", r->ece, DIGITS);
    json_put_number(w, "nll", r->nll, DIGITS);
    json_begin_array(w, "bins");
    for (int i = 0; i < ATTEND_RELIABILITY_BINS; i++) {
        json_begin_object(w, NULL);
        json_put_number(w, "from", (double)i / ATTEND_RELIABILITY_BINS, 2);
        json_put_number(w, "to", (double)(i + 1) / ATTEND_RELIABILITY_BINS, 2);
        json_put_whole(w, "lines", r->bin[i].lines);
        json_put_number(w, "said", r->bin[i].said, DIGITS);
        json_put_number(w, "right", r->bin[i].right, DIGITS);
        json_end(w);
    }
    json_end(w);
    json_end(w);
}

static void put_calibration(struct json_writer *w, const struct attend_calibration *c)
{
    json_begin_object(w, "calibration");
    json_put_whole(w, "lines", c->lines);
    json_put_whole(w, "right", c->right);
    json_put_number(w, "temperature", c->scaling.temperature, DIGITS);
    json_put_number(w, "length", c->scaling.length, DIGITS);
    json_put_number(w, "bias", c->scaling.bias, DIGITS);
    put_reliability(w, "before", &c->before);
    put_reliability(w, "after", &c->after);
    json_end(w);
}

char *attend_eval_report_json(const struct attend_eval_report *r)
{
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    json_begin_object(&w, NULL);
    if (r->scores)
        put_scores(&w, r->scores);
    if (r->errors)
        put_errors(&w, r->errors);
    if (r->confusions)
        put_confusions(&w, r->confusions, r->confusions_limit);
    if (r->lines)
        put_lines(&w, r->lines);
    if (r->calibration)
        put_calibration(&w, r->calibration);
    json_end(&w);
    return strbuf_detach(&out);
}
