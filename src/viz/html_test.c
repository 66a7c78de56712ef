#include "test.h"

#include "attend/plot.h"
#include "base/asset.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "viz/html.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const source[] = {"</script><script>alert(1)</script>",
                                     "\xd8\xa8\xd9\x8a\xd8\xaa", "a\xff\nb\"\\", "<!--"};
static const char *const target[] = {"<img src=x onerror=alert(2)>", "{{data}}"};
static const float weight[] = {0.875f, 0.1f, 0.00004f, 0, 1, NAN, -0.5f, INFINITY};
static const struct attend_matrix matrix = {"a & b </title>", source, target, 4, 2, weight, NULL};
static const char hostile_title[] = "\"><script>alert('3')</script>";

static char *page(const struct attend_matrix *m, int count, const struct attend_style *style)
{
    struct strbuf out = {0};
    html_page(&out, m, count, style);
    assert_false(out.failed);
    assert_true(utf8_valid(out.text, out.length, NULL));
    return strbuf_detach(&out);
}

static int count_of(const char *text, const char *part)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        found++;
    return found;
}

/* The data as jansson reads it. */
static json_t *data_of(const char *html)
{
    static const char start[] = "<script type=\"application/json\" id=\"data\">";
    const char *from = strstr(html, start);
    assert_non_null(from);
    from += strlen(start);
    const char *to = strstr(from, "</script>");
    assert_non_null(to);
    json_error_t error;
    json_t *data = json_loadb(from, (size_t)(to - from), 0, &error);
    if (!data)
        fail_msg("no JSON: %s at %d", error.text, error.position);
    return data;
}

static const char *text_at(const json_t *array, size_t i)
{
    return json_string_value(json_array_get(array, i));
}

TEST(html_data_comes_back_as_it_was)
{
    char *html = page(&matrix, 1, &(struct attend_style){.title = "T"});
    json_t *data = data_of(html), *item = json_array_get(json_object_get(data, "items"), 0);
    assert_string_equal(json_string_value(json_object_get(item, "title")), matrix.title);
    json_t *words = json_object_get(item, "source");
    assert_int_equal(json_array_size(words), 4);
    assert_string_equal(text_at(words, 0), source[0]);
    assert_string_equal(text_at(words, 1), source[1]);
    assert_string_equal(text_at(words, 2), "a\xef\xbf\xbd"
                                           "b\"\\");
    assert_string_equal(text_at(words, 3), source[3]);
    words = json_object_get(item, "target");
    assert_int_equal(json_array_size(words), 2);
    assert_string_equal(text_at(words, 0), target[0]);

    /* Four decimals; NaN and infinity become null. */
    static const double want[2][4] = {{0.875, 0.1, 0, 0}, {1, 0, -0.5, 0}};
    const json_t *rows = json_object_get(item, "weight");
    assert_int_equal(json_array_size(rows), 2);
    for (size_t t = 0; t < 2; t++) {
        const json_t *row = json_array_get(rows, t);
        assert_int_equal(json_array_size(row), 4);
        for (size_t s = 0; s < 4; s++) {
            const json_t *value = json_array_get(row, s);
            assert_int_equal(json_is_null(value), !isfinite(weight[4 * t + s]));
            assert_near(json_number_value(value), want[t][s], 1e-9);
        }
    }
    json_decref(data);
    free(html);
}

TEST(html_style_is_what_the_page_opens_with)
{
    static const struct {
        struct attend_style style;
        const char *view, *values;
    } cases[] = {
        {{0}, "heatmap", "auto"},
        {{.view = ATTEND_VIEW_LINKS, .values = ATTEND_VALUES_ALWAYS, .dark = true},
         "links",
         "always"},
        {{.view = ATTEND_VIEW_SALIENCE, .values = ATTEND_VALUES_NEVER}, "salience", "never"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *html = page(&matrix, 1, &cases[i].style);
        json_t *data = data_of(html);
        assert_string_equal(json_string_value(json_object_get(data, "view")), cases[i].view);
        assert_string_equal(json_string_value(json_object_get(data, "values")), cases[i].values);
        assert_int_equal(json_is_true(json_object_get(data, "dark")), cases[i].style.dark);
        json_decref(data);
        free(html);
    }
}

TEST(html_scales_begin_at_the_paper_and_have_a_color_for_no_number)
{
    static const char *const paper[][2] = {{"light", "#ffffff"}, {"dark", "#16181c"}};
    char *html = page(&matrix, 1, &(struct attend_style){0});
    json_t *data = data_of(html);
    for (int i = 0; i < 2; i++) {
        const json_t *scale = json_object_get(json_object_get(data, "scale"), paper[i][0]);
        const json_t *steps = json_object_get(scale, "steps");
        assert_int_equal(json_array_size(steps), 65);
        assert_string_equal(text_at(steps, 0), paper[i][1]);
        assert_int_equal(strlen(json_string_value(json_object_get(scale, "none"))), 7);
    }
    json_decref(data);
    free(html);
}

/* Only our own tags, however hostile the words and titles are. */
TEST(html_words_are_never_markup)
{
    char *nice = page(&(struct attend_matrix){.weight = weight}, 1, &(struct attend_style){0});
    char *html = page(&matrix, 1, &(struct attend_style){.title = hostile_title});
    static const char *const tags[] = {"<script", "</script", "<img", "<!--", "</title", "{{"};
    for (size_t i = 0; i < sizeof tags / sizeof *tags - 1; i++)
        assert_int_equal(count_of(html, tags[i]), count_of(nice, tags[i]));
    assert_int_equal(count_of(nice, "{{"), 0);
    assert_int_equal(count_of(html, "{{"), 1); /* the word; all placeholders are filled */
    assert_int_equal(count_of(html, "&quot;&gt;&lt;script&gt;alert(&apos;3&apos;)&lt;/script&gt;"),
                     2);
    free(nice);
    free(html);
}

TEST(html_title_is_the_styles_or_the_only_matrixs)
{
    static const struct attend_matrix two[] = {{.title = "one"}, {.title = "two"}};
    static const struct {
        const char *title;
        int count;
        const char *want;
    } cases[] = {{"given", 1, "<title>given</title>"},
                 {NULL, 1, "<title>one</title>"},
                 {NULL, 2, "<title>Attention</title>"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *html = page(two, cases[i].count, &(struct attend_style){.title = cases[i].title});
        assert_int_equal(count_of(html, cases[i].want), 1);
        json_t *data = data_of(html);
        assert_int_equal(json_array_size(json_object_get(data, "items")), cases[i].count);
        json_decref(data);
        free(html);
    }
}

/* One script made of several modules; it fetches nothing and does not end early. */
TEST(html_stands_alone)
{
    char *html = page(&matrix, 1, &(struct attend_style){0});
    assert_int_equal(count_of(html, "\nimport "), 0);
    assert_int_equal(count_of(html, "\nexport "), 0);
    assert_int_equal(count_of(html, "\nfunction drawHeatmap("), 1);
    assert_int_equal(count_of(html, "\nfunction follow("), 1);
    assert_int_equal(count_of(html, "--paper:"), 1);
    assert_int_equal(count_of(html, "src="), 1);    /* in a word */
    assert_int_equal(count_of(html, "http://"), 1); /* the SVG namespace */
    assert_int_equal(count_of(html, "https://"), 0);
    assert_int_equal(count_of(html, "url("), 0);
    static const char *const inlined[] = {"attention.js", "links.js",  "follow.js",
                                          "page.js",      "theme.css", "page.css"};
    for (size_t i = 0; i < sizeof inlined / sizeof *inlined; i++) {
        assert_null(strstr(asset_get(inlined[i])->bytes, "</script"));
        assert_null(strstr(asset_get(inlined[i])->bytes, "</style"));
    }
    free(html);
}
