#include "frames/ink.h"

#include "frames_fixture.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ink parse(const char *text)
{
    struct ink ink = {0};
    struct attend_error err = {.message = ""};
    if (ink_parse(&ink, (const unsigned char *)text, strlen(text), "a", &err))
        fail_msg("%s", err.message);
    return ink;
}

/* The points as "x,y x,y|x,y", where | ends a stroke. */
static void assert_points(const char *text, const char *want)
{
    struct ink ink = parse(text);
    char got[1024] = "";
    int used = 0;
    for (int i = 0; i < ink.count; i++)
        used += snprintf(got + used, sizeof got - (size_t)used, "%g,%g%s", ink.point[i].x,
                         ink.point[i].y, ink.point[i].last ? "|" : " ");
    assert_string_equal(got, want);
    ink_release(&ink);
}

static void assert_refused(const char *text, const char *message)
{
    char *exact = malloc(strlen(text) ? strlen(text) : 1); /* without NUL */
    memcpy(exact, text, strlen(text));
    assert_frames_refused("ink", exact, strlen(text), "a", message);
    free(exact);
}

/* ---- UNIPEN ---- */

TEST(ink_unipen_reads_strokes_and_ignores_other_keywords)
{
    assert_points(".INCLUDE x.doc\n.SEGMENT DIGIT 2 ? \"8\"\n.COMMENT 8 5 237\n 1 2 3\n"
                  ".PEN_DOWN\n 206 289\n 207\t-1.5\r\n.PEN_UP\n 9 9\n.DT 100\n"
                  ".PEN_DOWN 1 2\n+3 4e0 5 .5\n.PEN_DOWN\n7 8",
                  "206,-289 207,1.5|1,-2 3,-4 5,-0.5|7,-8|");
}

TEST(ink_unipen_coord_names_the_numbers_of_a_point)
{
    assert_points(".COORD T Y X P\n.PEN_DOWN\n0 2 1 9 1\n4 3 9\n.PEN_UP\n", "1,-2 3,-4|");
    assert_refused(".COORD T P\n.PEN_DOWN\n1 2\n", "a:1: .COORD does not name X and Y");
}

TEST(ink_unipen_wrong_numbers_have_a_line)
{
    assert_refused(".PEN_DOWN\n1 2\n3 x\n", "a:3: a stroke holds something that is not a number");
    assert_refused(".PEN_DOWN\n1 2\n3\n.PEN_UP\n", "a:4: a point lacks a number");
    assert_refused(".PEN_DOWN\n1 2\n3", "a point lacks a number");
    assert_refused(".PEN_DOWN\n1 1e999\n", "a:2: a coordinate is above 1e9");
    assert_refused(".PEN_DOWN\n1 nan\n", "not a number");
    assert_refused(".PEN_DOWN\n.PEN_UP\n", "a: has no strokes");
}

/* ---- InkML ---- */

/* The example of the InkML specification, with the points that it lists. */
TEST(ink_inkml_example_of_the_specification)
{
    assert_points("<ink><trace> 1125 18432,'23'43,\"7\"-8,3-5,7 -3,6 2,6 8,3 6 T,2 4*T,3 6,"
                  "3-6 F F </trace></ink>",
                  "1125,18432 1148,18475 1178,18510 1211,18540 1251,18567 1297,18596 1349,18633 "
                  "1404,18676 1461,18723 1521,18776 1584,18823|");
}

TEST(ink_inkml_reads_channels_prefixes_and_continuations)
{
    assert_points("\xEF\xBB\xBF<?xml version='1.0'?><!-- <trace>9 9</trace> --><!DOCTYPE ink>"
                  "<i:ink xmlns:i='x>y'><i:traceFormat><i:channel name='T'/><i:channel "
                  "type=\"integer\" name = \"Y\" /><i:channel name='X'/><i:intermittentChannels>"
                  "<i:channel name='X'/></i:intermittentChannels></i:traceFormat>"
                  "<i:definitions><i:trace>8 8 8</i:trace></i:definitions>"
                  "<i:trace id='1'>0 2 1, 0 &apos;2 &quot;2, 0 !5 #1F, 1 ? 3, 2 * 7 4</i:trace>"
                  "<i:trace type='penUp'>8 8 8</i:trace><i:trace/>"
                  "<i:trace continuation='begin'>0 1 1</i:trace>"
                  "<i:trace continuation='end'>0 2 2</i:trace></i:ink>",
                  "1,2 3,4 36,5 115,5|1,1 2,2|");
}

TEST(ink_inkml_hostile_files_are_refused)
{
    assert_refused("<ink></ink>", "a: has no strokes");
    assert_refused("<ink><trace></trace></ink>", "a: has no strokes");
    assert_refused("<ink><trace>1 2", "a:1: the file ends within a trace");
    assert_refused("<ink><trace>1</trace>", "a point lacks a number");
    assert_refused("<ink><trace>1 2,,3 4</trace>", "a point lacks a number");
    assert_refused("<ink>\n<trace>1 b</trace>", "a:2: a trace holds something");
    assert_refused("<ink><trace>1 #</trace>", "a trace holds something");
    assert_refused("<ink><trace>1 '</trace>", "a trace holds something");
    assert_refused("<ink><trace>1 2<b/></trace>", "holds another element");
    assert_refused("<ink><trace a=\">1 2</trace>", "within a tag");
    assert_refused("<ink><!-- <trace>1 2</trace>", "within a comment");
    assert_refused("<!DOCTYPE ink [<!ENTITY a \"b\">]><ink><trace>1 2</trace></ink>",
                   "declarations of entities");
    assert_refused("<svg><path d='1'/></svg>", "not InkML");
    assert_refused("<ink><trace>1e9 \"1e9,1e9 1e9</trace></ink>", "above 1e9");
    assert_refused("<ink><trace>1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7</trace></ink>", "16 values");
    assert_refused("hello", "a: is not ink (UNIPEN, InkML)");
    assert_refused(" ", "a: is not ink (UNIPEN, InkML)");
    assert_refused("<", "not InkML");
}

TEST(ink_every_prefix_of_a_file_is_safe)
{
    static const char *const files[] = {
        ".COORD X Y T\n.PEN_DOWN\n 206 289 1\n 207 2.5e-1 1\n.PEN_UP\n",
        "<?xml?><ink><!-- c --><traceFormat><channel name='X'/><channel name='Y'/></traceFormat>"
        "<trace continuation=\"end\">1 2,'3\"4,5 *,? 6,#a &quot;1</trace></ink>"};
    for (size_t i = 0; i < 2; i++)
        for (size_t length = 0; length <= strlen(files[i]); length++) {
            unsigned char *exact = malloc(length ? length : 1);
            struct ink ink = {0};
            memcpy(exact, files[i], length);
            if (ink_parse(&ink, exact, length, "a", NULL) == ATTEND_OK)
                ink_release(&ink);
            assert_null(ink.point);
            free(exact);
        }
}

/* ---- Even spacing ---- */

static struct ink resample(const char *text, double step)
{
    struct ink raw = parse(text), even = {0};
    struct attend_error err = {.message = ""};
    if (ink_resample(&even, &raw, step, "a", &err))
        fail_msg("%s", err.message);
    ink_release(&raw);
    return even;
}

/* A square corner, drawn unevenly: height 10, length 30. */
TEST(ink_resample_is_even_in_arc_length_and_keeps_the_ends)
{
    struct ink even = resample("<ink><trace>5 5,6 5,6 5,25 5,25 15</trace></ink>", 0.5);
    static const double want[][2] = {{0, 0}, {0.5, 0}, {1, 0}, {1.5, 0}, {2, 0}, {2, 0.5}, {2, 1}};
    assert_int_equal(even.count, 7);
    for (int i = 0; i < 7; i++) {
        assert_near(even.point[i].x, want[i][0], 1e-12);
        assert_near(even.point[i].y, want[i][1], 1e-12);
        assert_int_equal(even.point[i].last, i == 6);
    }
    ink_release(&even);
}

TEST(ink_resample_short_strokes_and_flat_ink)
{
    struct ink dot = resample("<ink><trace>5 5</trace></ink>", 0.05);
    assert_int_equal(dot.count, 1);
    assert_near(dot.point[0].x, 0, 0);
    ink_release(&dot);
    dot = resample("<ink><trace>5 5,5 5,5 5</trace><trace>7 5</trace></ink>", 0.05);
    assert_int_equal(dot.count, 2);
    assert_near(dot.point[1].x, 16, 1e-12);
    ink_release(&dot);
    dot = resample("<ink><trace>0 0,0 10</trace><trace>5 5,5 7</trace></ink>", 0.35);
    assert_int_equal(dot.count, 4 + 2); /* 2.9 and 0.6 steps, rounded */
    ink_release(&dot);
    struct ink dash = resample("<ink><trace>0 0,32 0</trace></ink>", 0.5);
    assert_int_equal(dash.count, 33);
    assert_near(dash.point[32].x, 16, 1e-12);
    ink_release(&dash);
}

/* Ink of any size and place, sampled by any device, gives the same frames. */
TEST(ink_frames_do_not_depend_on_size_place_or_format)
{
    static const char first[] = "<ink><trace>0 0,10 0,10 20</trace><trace>5 5,5 15</trace></ink>";
    static const char second[] = ".PEN_DOWN\n100 -30\n101 -30\n105 -30\n105 -31 105 -40\n.PEN_UP\n"
                                 ".PEN_DOWN\n102.5 -32.5\n102.5 -37.5\n.PEN_UP\n";
    struct frames a = read_frames("ink", first, strlen(first), "a");
    struct frames b = read_frames("ink", second, strlen(second), "b");
    assert_int_equal(a.width, 3);
    assert_int_equal(a.rows, b.rows);
    double x = 0, y = 0, lifts = 0;
    for (int i = 0; i < 3 * a.rows; i++)
        assert_near((double)a.value[i], (double)b.value[i], 1e-6);
    for (int i = 0; i < a.rows; i++) {
        x += (double)a.value[3 * i];
        y += (double)a.value[3 * i + 1];
        lifts += (double)a.value[3 * i + 2];
    }
    assert_near(x, 0.25, 1e-6); /* from the first point to the last, in heights */
    assert_near(y, 0.75, 1e-6);
    assert_near(lifts, 2, 0);
    assert_near((double)a.value[3 * a.rows - 1], 1, 0);
    frames_release(&a);
    frames_release(&b);
}

TEST(ink_that_would_become_too_long_is_refused)
{
    char text[4096] = "<ink><trace>0 0,0 1,";
    struct attend_frame_options options = attend_frame_defaults();
    options.ink_step = 0.001;
    for (int i = 0; i < 70; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "1e9 %d,0 %d,", i % 2, i % 2);
    snprintf(text + strlen(text), sizeof text - strlen(text), "0 0</trace></ink>");
    assert_frames_refused_with("ink", &options, text, strlen(text), "a", "steps long");
}
