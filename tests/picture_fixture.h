/* What the tests of pictures share: sentences in several scripts, a small reader of XML, and
 * questions about the shapes of a picture. */
#ifndef ATTEND_TESTS_PICTURE_FIXTURE_H
#define ATTEND_TESTS_PICTURE_FIXTURE_H

#include "test.h"

#include "attend/plot.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/display_list.h"
#include "viz/figure.h"
#include "viz/label.h"
#include "viz/svg.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- Matrices -------------------------------------------------------------------------------- */

enum { SENTENCES = 6, SENTENCE_WORDS = 6 };

/* Two sides of six words; German and English, Hindi, Korean, Arabic with emoji, Arabic and Hebrew,
 * letters with combining marks. */
static const char *const sentence_source[SENTENCES][SENTENCE_WORDS] = {
    {"Der", "Ausschuss", "hat", "den", "Bericht", "</s>"},
    {"मैं", "कल", "विश्वविद्यालय", "जा", "रहा", "हूँ"},
    {"나는", "어제", "대한민국의", "책을", "읽었습니다", "."},
    {"ذهبت", "إلى", "المستشفى", "😀", "!", "</s>"},
    {"الكتاب", "على", "الطاولة", "في", "البيت", "."},
    {"e\u0301te\u0301", "n\u0303", "Z\u0351\u036b\u0343alo\u0302", "x", "y\u0308", "</s>"},
};
static const char *const sentence_target[SENTENCES][SENTENCE_WORDS] = {
    {"The", "committee", "adopted", "the", "report", "</s>"},
    {"I", "am", "going", "to", "my", "university"},
    {"I", "read", "Korean", "books", "yesterday", "."},
    {"I", "went", "👩‍👩‍👧", "hospital", "😀", "</s>"},
    {"הספר", "על", "השולחן", "שבתוך", "הבית", "."},
    {"summer", "a\u0308", "zalgo", "x", "y", "</s>"},
};

static const float sentence_weight[SENTENCE_WORDS * SENTENCE_WORDS] = {
    0.91f, 0.02f,  0.01f, 0.02f, 0.04f, 0.f,    /* */
    0.08f, 0.01f,  0.02f, 0.31f, 0.57f, 0.01f,  /* */
    0.01f, 0.03f,  0.55f, 0.40f, 0.01f, 0.f,    /* */
    0.01f, 0.97f,  0.01f, 0.f,   0.01f, 0.f,    /* */
    0.20f, 0.20f,  0.20f, 0.20f, 0.20f, 0.f,    /* */
    0.f,   0.004f, 0.f,   0.01f, 0.06f, 0.926f, /* */
};

static inline struct attend_matrix sentence(int i)
{
    return (struct attend_matrix){NULL,
                                  sentence_source[i],
                                  sentence_target[i],
                                  SENTENCE_WORDS,
                                  SENTENCE_WORDS,
                                  sentence_weight,
                                  NULL};
}

/* n x n with the weight on the diagonal; every label is `label`. */
enum { SQUARE_MOST = 80 };
struct square {
    const char *label[SQUARE_MOST];
    float weight[SQUARE_MOST * SQUARE_MOST];
};
static inline struct attend_matrix square(struct square *s, int n, const char *label)
{
    *s = (struct square){0};
    for (int i = 0; i < n; i++) {
        s->label[i] = label;
        s->weight[i * n + i] = 1;
    }
    return (struct attend_matrix){NULL, s->label, s->label, n, n, s->weight, NULL};
}

/* ---- Drawing --------------------------------------------------------------------------------- */

static inline struct display_list draw_one(struct attend_matrix matrix, struct attend_style style)
{
    struct display_list list;
    figure_draw(&list, &matrix, 1, &style);
    assert_false(list.failed);
    return list;
}

static inline char *svg_of(const struct display_list *list)
{
    struct strbuf out = {0};
    svg_write(&out, list);
    assert_false(out.failed);
    assert_true(utf8_valid(out.text, out.length, NULL));
    return strbuf_detach(&out);
}

static inline char *svg_of_one(struct attend_matrix matrix, struct attend_style style)
{
    struct display_list list = draw_one(matrix, style);
    char *svg = svg_of(&list);
    display_list_release(&list);
    return svg;
}

static inline int count_of(const char *text, const char *part)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        found++;
    return found;
}

/* ---- A small reader of XML: tags balance, quotes close, every & begins an entity ------------- */

/* After the tag at `at`; name gets its name. */
static inline const char *read_tag(const char *at, char name[16], bool *closed)
{
    int n = 0;
    while (isalpha((unsigned char)at[n]) && n < 15) {
        name[n] = at[n];
        n++;
    }
    name[n] = '\0';
    assert_true(n > 0);
    for (at += n; *at != '>'; at++) {
        assert_true(*at && *at != '<');
        if (*at != '"')
            continue;
        at = strpbrk(at + 1, "\"<");
        assert_non_null(at);
        assert_int_equal(*at, '"');
    }
    *closed = at[-1] == '/';
    return at + 1;
}

static inline void assert_entity(const char *at)
{
    static const char *const known[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(at, known[i], strlen(known[i])) == 0)
            return;
    fail_msg("no entity: %.10s", at);
}

static inline void assert_well_formed(const char *xml)
{
    char open[8][16];
    int depth = 0;
    static const char start[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    assert_int_equal(strncmp(xml, start, strlen(start)), 0);
    for (const char *at = xml + strlen(start); *at;) {
        char name[16];
        bool closed;
        assert_true(*at == '\n' || (unsigned char)*at >= 0x20);
        if (*at == '&')
            assert_entity(at);
        if (*at != '<') {
            at++;
        } else if (at[1] == '/') {
            at = read_tag(at + 2, name, &closed);
            assert_true(depth > 0);
            assert_string_equal(name, open[--depth]);
        } else {
            assert_true(depth < 8);
            at = read_tag(at + 1, open[depth], &closed);
            depth += !closed;
        }
    }
    assert_int_equal(depth, 0);
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

/* The n-th text that reads so, from 0. */
static inline const struct display_text *text_at(const struct display_list *list, const char *text,
                                                 int n)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->shape[i].kind == DISPLAY_TEXT && !strcmp(list->shape[i].text.text, text) &&
            n-- == 0)
            return &list->shape[i].text;
    fail_msg("no text %s", text);
    return NULL;
}

static inline const struct display_text *find_text(const struct display_list *list,
                                                   const char *text)
{
    return text_at(list, text, 0);
}

/* The rectangle or curve whose tooltip begins so. */
static inline const struct display_shape *find_tooltip(const struct display_list *list,
                                                       const char *tip)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct display_shape *shape = &list->shape[i];
        const char *has = shape->kind == DISPLAY_RECT    ? shape->rect.tooltip
                          : shape->kind == DISPLAY_CURVE ? shape->curve.tooltip
                                                         : NULL;
        if (has && strncmp(has, tip, strlen(tip)) == 0)
            return shape;
    }
    fail_msg("no tooltip %s", tip);
    return NULL;
}

static inline int shapes_of(const struct display_list *list, enum display_kind kind)
{
    int found = 0;
    for (size_t i = 0; i < list->count; i++)
        found += list->shape[i].kind == kind;
    return found;
}

/* Where an upright text begins and ends, as label_em() measures it. */
static inline double text_left(const struct display_text *text)
{
    static const double from[] = {[ANCHOR_START] = 0, [ANCHOR_MIDDLE] = -0.5, [ANCHOR_END] = -1};
    return text->x + from[text->anchor] * label_em(text->text) * text->size;
}

static inline double text_right(const struct display_text *text)
{
    return text_left(text) + label_em(text->text) * text->size;
}

/* The corners of the box around each text. */
static inline void assert_text_inside(const struct display_list *list,
                                      const struct display_text *text)
{
    const double turn = text->turn * acos(-1) / 180;
    for (int corner = 0; corner < 4; corner++) {
        const double along = corner % 2 ? text_right(text) - text->x : text_left(text) - text->x;
        const double up = (corner / 2) * 0.8 * text->size;
        const double x = text->x + along * cos(turn) - up * sin(turn);
        const double y = text->y - along * sin(turn) - up * cos(turn);
        assert_true(x >= 0 && x <= list->width);
        assert_true(y >= 0 && y <= list->height);
    }
}

static inline void assert_texts_inside(const struct display_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->shape[i].kind == DISPLAY_TEXT)
            assert_text_inside(list, &list->shape[i].text);
}

#endif
