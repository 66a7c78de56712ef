#include "markup/glossary.h"

#include "attend/lines.h"
#include "base/error.h"
#include "base/utf8.h"
#include "markup/slots.h"

#include <stdlib.h>
#include <string.h>

/* ---- Words ---- */

enum { SEPARATOR = 1 };

static void add_word(struct glossary_words *w, const char *text, struct attend_span span)
{
    if (w->count == w->size) {
        const int size = w->size ? 2 * w->size : 32;
        struct glossary_word *more = realloc(w->word, (size_t)size * sizeof *more);
        w->failed = w->failed || !more;
        if (!more)
            return;
        w->word = more;
        w->size = size;
    }
    char *copy = strndup(text + span.from, span.to - span.from);
    const size_t key = w->lower.length;
    if (copy)
        utf8_lower(&w->lower, copy);
    strbuf_addc(&w->lower, SEPARATOR);
    w->failed = w->failed || !copy || w->lower.failed;
    w->word[w->count++] = (struct glossary_word){span.from, span.to, key, w->lower.length};
    free(copy);
}

void glossary_cut(struct glossary_words *w, const char *text)
{
    struct slots units = {0};
    slots_cut(&units, text, NULL, 0);
    w->failed = units.failed;
    for (int i = 0; i < units.count && !w->failed; i++)
        add_word(w, text, units.span[i]);
    slots_release(&units);
}

void glossary_words_release(struct glossary_words *w)
{
    free(w->word);
    strbuf_release(&w->lower);
    *w = (struct glossary_words){0};
}

static int find_words(const struct piece_table *table, const struct glossary_words *w, int word,
                      int count)
{
    const size_t from = w->word[word].key, to = w->word[word + count - 1].end;
    return piece_table_find(table, w->lower.text + from, to - from);
}

const struct glossary_term *glossary_find(const struct attend_glossary *g,
                                          const struct glossary_words *w, int word, int *length)
{
    const int first = find_words(&g->first, w, word, 1);
    const int left = w->count - word;
    if (first < 0)
        return NULL;
    for (int n = g->longest[first] < left ? g->longest[first] : left; n > 0; n--) {
        const int term = find_words(&g->key, w, word, n);
        if (term >= 0) {
            *length = n;
            return &g->term[term];
        }
    }
    return NULL;
}

/* ---- Making one ---- */

enum attend_status attend_glossary_new(struct attend_glossary **out, const char *name,
                                       struct attend_error *err)
{
    struct attend_glossary *g = calloc(1, sizeof *g);
    if (g)
        g->name = strdup(name);
    if (!g || !g->name) {
        attend_glossary_free(g);
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a glossary");
    }
    *out = g;
    return ATTEND_OK;
}

void attend_glossary_free(struct attend_glossary *g)
{
    if (!g)
        return;
    for (int i = 0; i < g->key.count; i++) {
        free(g->term[i].source);
        free(g->term[i].target);
    }
    piece_table_release(&g->key);
    piece_table_release(&g->first);
    free(g->longest);
    free(g->term);
    free(g->name);
    free(g);
}

static bool grow(struct attend_glossary *g)
{
    if (g->key.count == g->size) {
        const int size = g->size ? 2 * g->size : 32;
        struct glossary_term *term = realloc(g->term, (size_t)size * sizeof *term);
        if (!term)
            return false;
        g->term = term;
        g->size = size;
    }
    if (g->first.count == g->room) {
        const int room = g->room ? 2 * g->room : 32;
        int *longest = realloc(g->longest, (size_t)room * sizeof *longest);
        if (!longest)
            return false;
        g->longest = longest;
        g->room = room;
    }
    return true;
}

static bool add_term(struct attend_glossary *g, const struct glossary_words *w,
                     struct glossary_term term)
{
    const int firsts = g->first.count;
    if (!grow(g))
        return false;
    const int first = piece_table_add(&g->first, w->lower.text, w->word[0].end);
    const int at = first < 0 ? -1 : piece_table_add(&g->key, w->lower.text, w->lower.length);
    if (at < 0)
        return false;
    g->term[at] = term;
    if (first == firsts)
        g->longest[first] = 0;
    g->longest[first] = w->count > g->longest[first] ? w->count : g->longest[first];
    return true;
}

static enum attend_status check_term(const struct attend_glossary *g, const char *what,
                                     const char *text, long line, struct attend_error *err)
{
    size_t bad;
    if (!utf8_valid(text, strlen(text), &bad) || strpbrk(text, "\n\r"))
        return error_at(err, ATTEND_DATA, g->name, (size_t)line,
                        "the %s is not one line of UTF-8; mend it", what);
    if (strlen(text) > ATTEND_TERM_BYTES)
        return error_at(err, ATTEND_DATA, g->name, (size_t)line,
                        "the %s has %zu bytes, more than %d; a term is a few words", what,
                        strlen(text), ATTEND_TERM_BYTES);
    return ATTEND_OK;
}

/* A copy without blanks around it. */
static char *trimmed(const char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length && strchr(" \t", text[length - 1]))
        length--;
    return strndup(text, length);
}

static enum attend_status add_checked(struct attend_glossary *g, struct glossary_term *term,
                                      struct attend_error *err)
{
    struct glossary_words words = {0};
    enum attend_status status = ATTEND_OK;
    glossary_cut(&words, term->source);
    const bool known =
        words.count && piece_table_find(&g->key, words.lower.text, words.lower.length) >= 0;
    if (!words.failed && !words.count)
        status = error_at(err, ATTEND_DATA, g->name, (size_t)term->line,
                          "has no source term; write it or take the line out");
    else if (words.failed || (!known && !add_term(g, &words, *term)))
        status = error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", g->name);
    else if (!known)
        *term = (struct glossary_term){0}; /* now owned by the glossary */
    glossary_words_release(&words);
    return status;
}

enum attend_status attend_glossary_add(struct attend_glossary *g, const char *source,
                                       const char *target, long line, struct attend_error *err)
{
    enum attend_status status = check_term(g, "source term", source, line, err);
    if (!status && target)
        status = check_term(g, "target term", target, line, err);
    if (status)
        return status;
    const bool stays = !target || !target[strspn(target, " \t")];
    struct glossary_term term = {trimmed(source), stays ? NULL : trimmed(target), line};
    status = term.source && (term.target || stays)
                 ? add_checked(g, &term, err)
                 : error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", g->name);
    free(term.source);
    free(term.target);
    return status;
}

/* ---- Files ---- */

static enum attend_status add_line(struct attend_glossary *g, const char *line, long number,
                                   struct attend_error *err)
{
    const char *tab = strchr(line, '\t');
    if (!*line)
        return ATTEND_OK;
    if (!tab || strchr(tab + 1, '\t'))
        return error_at(err, ATTEND_DATA, g->name, (size_t)number,
                        "has %s; write the source term, one tab and the target term, or nothing "
                        "after the tab to keep the source term",
                        tab ? "several tabs" : "no tab");
    char *source = strndup(line, (size_t)(tab - line));
    const enum attend_status status =
        source ? attend_glossary_add(g, source, tab + 1, number, err)
               : error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", g->name);
    free(source);
    return status;
}

enum attend_status attend_glossary_load(struct attend_glossary **out, const char *path,
                                        struct attend_error *err)
{
    struct attend_glossary *g = NULL;
    struct attend_lines *lines = NULL;
    const char *line = "";
    enum attend_status status = attend_lines_open(&lines, path, err);
    if (!status)
        status = attend_glossary_new(&g, attend_lines_name(lines), err);
    while (!status && line) {
        status = attend_lines_next(lines, &line, err);
        if (!status && line)
            status = add_line(g, line, attend_lines_number(lines), err);
    }
    if (!status && g->key.count == 0)
        status =
            error_set(err, ATTEND_DATA,
                      "%s: has no terms; write lines of source term, tab and target term", g->name);
    attend_lines_close(lines);
    if (status)
        attend_glossary_free(g);
    else
        *out = g;
    return status;
}

enum attend_status attend_glossary_check(const struct attend_glossary *g,
                                         const struct attend_model *model, struct attend_error *err)
{
    for (int i = 0; i < g->key.count; i++)
        if (g->term[i].target && !attend_model_spells(model, g->term[i].target))
            return error_at(err, ATTEND_DATA, g->name, (size_t)g->term[i].line,
                            "the model cannot spell '%.100s', the target of '%.100s'; use words of "
                            "its target vocabulary",
                            g->term[i].target, g->term[i].source);
    return ATTEND_OK;
}
