#include "metric/words.h"

#include "base/utf8.h"

#include <string.h>

/* ---- Rules ---- */

typedef bool point_fn(int point);

/* A rule scans a text from left to right; matches do not overlap. */
enum shape {
    APART,      /* x   becomes " x "  */
    PAIR_AFTER, /* x y becomes "x y " */
    PAIR_AHEAD, /* x y becomes " x y" */
};
struct rule {
    enum shape shape;
    point_fn *x, *y;
};

struct words_rules {
    const char *name;
    struct rule rule[4];
    int rules;
    bool western; /* unescape SGML, and add a space at both ends */
};

static bool is_digit(int point) { return point >= '0' && point <= '9'; }
static bool is_not_digit(int point) { return !is_digit(point); }
static bool is_stop(int point) { return point == '.' || point == ','; }
static bool is_dash(int point) { return point == '-'; }
static bool is_mark(int point)
{
    return point < 0x80 && point >= ' ' && strchr(" !\"#$%&()*+/:;<=>?@[\\]^_`{|}~", point);
}
static bool is_any(int point) { return point >= 0; }
static bool is_no_number(int point) { return utf8_class(point) != UTF8_NUMBER; }
static bool is_punctuation(int point) { return utf8_class(point) == UTF8_PUNCTUATION; }
static bool is_symbol(int point) { return utf8_class(point) == UTF8_SYMBOL; }

static const struct words_rules table[] = {
    {.name = "13a",
     .western = true,
     .rule = {{APART, is_mark, NULL},
              {PAIR_AFTER, is_not_digit, is_stop},
              {PAIR_AHEAD, is_stop, is_not_digit},
              {PAIR_AFTER, is_digit, is_dash}},
     .rules = 4},
    {.name = "intl",
     .rule = {{PAIR_AFTER, is_no_number, is_punctuation},
              {PAIR_AHEAD, is_punctuation, is_no_number},
              {APART, is_symbol, NULL}},
     .rules = 3},
    {.name = "char", .rule = {{APART, is_any, NULL}}, .rules = 1},
    {.name = "none"},
};
enum { TABLE = sizeof table / sizeof *table };

const char *words_name(int i) { return i < TABLE ? table[i].name : NULL; }

const struct words_rules *words_find(const char *name)
{
    for (int i = 0; i < TABLE; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

/* ---- Rewriting ---- */

static bool matches(const struct rule *rule, const struct symbols *s, int at)
{
    if (!rule->x(s->item[at]))
        return false;
    return rule->shape == APART || (at + 1 < s->count && rule->y(s->item[at + 1]));
}

static void apply(const struct rule *rule, const struct symbols *from, struct symbols *to)
{
    symbols_clear(to);
    for (int i = 0; i < from->count; i++) {
        if (!matches(rule, from, i)) {
            symbols_add(to, from->item[i]);
            continue;
        }
        if (rule->shape != PAIR_AFTER)
            symbols_add(to, ' ');
        symbols_add(to, from->item[i]);
        symbols_add(to, ' ');
        if (rule->shape == APART)
            continue;
        symbols_add(to, from->item[++i]);
        if (rule->shape == PAIR_AFTER)
            symbols_add(to, ' ');
    }
}

static bool is_here(const struct symbols *s, int at, const char *what)
{
    for (; *what && at < s->count && s->item[at] == *what; at++)
        what++;
    return !*what;
}

static void replace(const struct symbols *from, struct symbols *to, const char *what,
                    const char *by)
{
    symbols_clear(to);
    for (int i = 0; i < from->count; i++) {
        const bool here = is_here(from, i, what);
        if (!here)
            symbols_add(to, from->item[i]);
        else if (*by)
            symbols_add(to, *by);
        if (here)
            i += (int)strlen(what) - 1;
    }
}

static void swap(struct words *w)
{
    const struct symbols points = w->points;
    w->points = w->spare;
    w->spare = points;
}

static void unescape(struct words *w)
{
    /* In this order: "&amp;lt;" becomes "<". */
    static const char *const escapes[][2] = {
        {"<skipped>", ""}, {"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}};
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
        replace(&w->points, &w->spare, escapes[i][0], escapes[i][1]);
        swap(w);
    }
    symbols_clear(&w->spare);
    symbols_add(&w->spare, ' ');
    for (int i = 0; i < w->points.count; i++)
        symbols_add(&w->spare, w->points.item[i]);
    symbols_add(&w->spare, ' ');
    swap(w);
}

/* ---- Words ---- */

void words_number(struct words *w, struct symbols *out)
{
    symbols_clear(out);
    for (int i = 0; i < w->points.count;) {
        int node = 0;
        for (; i < w->points.count && !symbols_blank(w->points.item[i]); i++)
            node = trie_step(&w->names, node, w->points.item[i]);
        if (node)
            symbols_add(out, node);
        else
            i++;
    }
}

void words_read(struct words *w, struct symbols *out, const char *text,
                const struct words_rules *rules, bool lowercase)
{
    symbols_read(&w->points, text, lowercase);
    if (rules && rules->western)
        unescape(w);
    for (int i = 0; rules && i < rules->rules; i++) {
        apply(&rules->rule[i], &w->points, &w->spare);
        swap(w);
    }
    words_number(w, out);
}

bool words_failed(const struct words *w)
{
    return w->names.failed || w->points.failed || w->spare.failed;
}

void words_release(struct words *w)
{
    trie_release(&w->names);
    symbols_release(&w->points);
    symbols_release(&w->spare);
}
