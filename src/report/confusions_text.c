/* Confusions of symbols as a table. */
#include "attend/eval_set.h"
#include "base/strbuf.h"
#include "report/table.h"

#include <string.h>

enum { GAP = 2 };

static const char nothing[] = "(nothing)";

/* Both columns have headings of at least this width. */
static int width_of(const struct attend_confusions *c, int shown, bool output)
{
    int widest = (int)sizeof nothing - 1;
    for (int i = 0; i < shown; i++) {
        const char *text = output ? c->item[i].output : c->item[i].reference;
        char *one[1];
        memcpy(one, &text, sizeof text);
        const int width = text ? table_width(one, 1) : 0;
        widest = width > widest ? width : widest;
    }
    return widest + GAP;
}

static long occurrences(const struct attend_confusions *c, const char *reference)
{
    for (int i = 0; reference && i < c->symbols; i++)
        if (c->symbol[i].text == reference)
            return c->symbol[i].references;
    return 0;
}

static void add_row(struct strbuf *out, const struct attend_confusions *c,
                    const struct attend_confusion *pair, int right, int output)
{
    const long of = occurrences(c, pair->reference);
    table_add_word(out, pair->reference ? pair->reference : nothing, right);
    table_add_word(out, pair->output ? pair->output : nothing, output);
    strbuf_addf(out, "%7ld", pair->count);
    if (of)
        strbuf_addf(out, "  %6.2f%% of %ld", 100.0 * (double)pair->count / (double)of, of);
    strbuf_addc(out, '\n');
}

char *attend_confusions_text(const struct attend_confusions *c, int limit)
{
    struct strbuf out = {0};
    const int shown = limit && limit < c->count ? limit : c->count;
    strbuf_addf(&out, "%ld substitutions, %ld deletions and %ld insertions in %ld %s\n",
                c->substitutions, c->deletions, c->insertions, c->references,
                c->characters ? "characters" : "tokens");
    const int right = width_of(c, shown, false), output = width_of(c, shown, true);
    if (shown)
        strbuf_addf(&out, "%-*s%-*s%7s  share of the right symbol\n", right, "right", output,
                    "output", "times");
    for (int i = 0; i < shown; i++)
        add_row(&out, c, &c->item[i], right, output);
    if (shown < c->count)
        strbuf_addf(&out, "and %d rarer ones\n", c->count - shown);
    return strbuf_detach(&out);
}
