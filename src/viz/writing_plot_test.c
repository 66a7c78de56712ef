/* Pictures, InkML and the page of a trace. */
#include "attend/plot.h"

#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A square of four points, a dot to its right, then an angle that is not lifted at its end. */
static const float STROKES[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 1, 2, 0, 1, 1, 0, 0, 0, -1, 0};
static const float WEIGHTS[] = {.9f, .1f, .9f, .1f, .9f, .1f, .9f, .1f, .5f, .5f, 0, 1, 0, 1};
static const char *const SOURCE[] = {"a", "</s>"};

static struct attend_trace trace_of(const char *title)
{
    return (struct attend_trace){.title = title,
                                 .source = SOURCE,
                                 .source_count = 2,
                                 .count = 7,
                                 .stroke = STROKES,
                                 .weight = WEIGHTS};
}

static int count_of(const char *text, const char *what)
{
    int count = 0;
    for (; (text = strstr(text, what)); text++)
        count++;
    return count;
}

static char *svg_of(const struct attend_trace *traces, int count)
{
    const struct attend_style style = {0};
    struct attend_picture *picture = attend_picture_writing(traces, count, &style);
    assert_non_null(picture);
    char *svg = attend_picture_svg(picture);
    assert_non_null(svg);
    attend_picture_free(picture);
    return svg;
}

TEST(writing_has_a_line_for_each_time_the_pen_is_down)
{
    const struct attend_trace trace = trace_of("ab");
    char *svg = svg_of(&trace, 1);
    assert_int_equal(count_of(svg, "<polyline"), 2);
    assert_int_equal(count_of(svg, "<circle"), 1);
    assert_int_equal(count_of(svg, ">ab</text>"), 1);
    /* The square is as high as the line: 88 pixels from the margin of 24. */
    assert_non_null(strstr(svg, "points=\"24.0,24.0 112.0,24.0 112.0,112.0 24.0,112.0\""));
    free(svg);
}

TEST(writing_without_strokes_or_of_one_point_is_a_picture)
{
    const float point[] = {5, 5, 1}, wild[] = {0, 0, 0, NAN, INFINITY, 0};
    const struct attend_trace traces[] = {
        {.count = 0}, {.count = 1, .stroke = point}, {.count = 2, .stroke = wild}};
    char *svg = svg_of(traces, 3);
    assert_int_equal(count_of(svg, "<circle"), 1);
    assert_int_equal(count_of(svg, "nan") + count_of(svg, "inf"), 0);
    free(svg);
    free(svg_of(traces, 0));
}

TEST(writing_as_inkml_has_absolute_points_in_traces)
{
    const struct attend_trace trace = trace_of("a<b");
    char *ink = attend_writing_inkml(&trace, 1);
    assert_non_null(ink);
    assert_int_equal(count_of(ink, "<trace>"), 3);
    assert_non_null(strstr(ink, "<trace>0.0000 0.0000, 1.0000 0.0000, 1.0000 1.0000, 0.0000 1.0000"
                                "</trace>"));
    assert_non_null(strstr(ink, "<trace>2.0000 1.0000</trace>"));
    assert_non_null(strstr(ink, "a&lt;b</annotation>"));
    free(ink);
}

TEST(writing_page_holds_points_lifts_and_weights_and_no_foreign_markup)
{
    const struct attend_trace trace = trace_of("</script><script>alert(1)</script>");
    const struct attend_style style = {.title = "<b>"};
    char *page = attend_writing_page(&trace, 1, &style);
    assert_non_null(page);
    assert_non_null(strstr(page, "\"lift\":[3,4]"));
    assert_non_null(strstr(page, "\"weight\":[[0.9,0.1]"));
    assert_non_null(strstr(page, "<h1 dir=\"auto\">&lt;b&gt;</h1>"));
    assert_int_equal(count_of(page, "</script>"), 2);
    assert_int_equal(count_of(page, "{{"), 0);
    free(page);
}
