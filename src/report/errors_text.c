/* Wrong lines, and the scores of lines, as text. */
#include "attend/eval_set.h"
#include "base/strbuf.h"
#include "viz/label.h"

/* How a differing symbol is marked. */
struct marks {
    const char *begin, *end;
};
static const struct marks plain = {"[", "]"};
static const struct marks wrong = {"\033[1;31m", "\033[0m"}; /* red, for the output */
static const struct marks right = {"\033[1;32m", "\033[0m"}; /* green, for the reference */

static void add_safe(struct strbuf *out, const char *raw)
{
    struct strbuf safe = {0};
    label_add(&safe, raw);
    label_add_isolated(out, safe.text ? safe.text : "");
    out->failed = out->failed || safe.failed;
    strbuf_release(&safe);
}

/* One side of a line: its symbols, those that differ between marks. Neighbors that differ share
 * their marks. */
static void add_side(struct strbuf *out, const struct attend_wrong_line *w, bool output,
                     const struct marks *marks, bool spaced)
{
    bool open = false, first = true;
    for (int i = 0; i < w->edit_count; i++) {
        const char *symbol = output ? w->edit[i].output : w->edit[i].reference;
        const bool differs = w->edit[i].kind != ATTEND_EDIT_SAME;
        if (!symbol)
            continue;
        if (open && !differs)
            strbuf_adds(out, marks->end);
        if (spaced && !first)
            strbuf_addc(out, ' ');
        if (differs && !open)
            strbuf_adds(out, marks->begin);
        add_safe(out, symbol);
        open = differs;
        first = false;
    }
    if (open)
        strbuf_adds(out, marks->end);
}

static void add_line(struct strbuf *out, const struct attend_wrong_lines *lines,
                     const struct attend_wrong_line *w, bool color)
{
    strbuf_addf(out, "\nline %ld, %d edit%s of %d %s%s", w->line, w->edits,
                w->edits == 1 ? "" : "s", w->symbols, lines->characters ? "character" : "token",
                w->symbols == 1 ? "" : "s");
    if (w->source) {
        strbuf_adds(out, "\n  source  ");
        add_safe(out, w->source);
    }
    strbuf_adds(out, "\n  output  ");
    add_side(out, w, true, color ? &wrong : &plain, !lines->characters);
    strbuf_adds(out, "\n  right   ");
    add_side(out, w, false, color ? &right : &plain, !lines->characters);
    strbuf_addc(out, '\n');
}

char *attend_wrong_lines_text(const struct attend_wrong_lines *lines, bool color)
{
    struct strbuf out = {0};
    strbuf_addf(&out, "%ld of %ld lines are wrong", lines->wrong, lines->lines);
    if (lines->count)
        strbuf_addf(&out,
                    "; %s %d, worst first:", lines->count < lines->wrong ? "the first" : "all",
                    lines->count);
    strbuf_addc(&out, '\n');
    for (int i = 0; i < lines->count; i++)
        add_line(&out, lines, &lines->item[i], color);
    return strbuf_detach(&out);
}

char *attend_line_scores_text(const struct attend_line_scores *s)
{
    struct strbuf out = {0};
    strbuf_adds(&out, "line");
    for (int m = 0; m < s->metrics; m++)
        strbuf_addf(&out, "\t%s", s->metric[m]);
    strbuf_addc(&out, '\n');
    for (int i = 0; i < s->count; i++) {
        strbuf_addf(&out, "%ld", s->line[i]);
        for (int m = 0; m < s->metrics; m++)
            strbuf_addf(&out, "\t%.2f", s->score[i * s->metrics + m]);
        strbuf_addc(&out, '\n');
    }
    return strbuf_detach(&out);
}
