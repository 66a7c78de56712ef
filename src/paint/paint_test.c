#include "test.h"

#include "viz/picture.h"
#include "attend/paint.h"

#include <cairo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct color white = {0xff, 0xff, 0xff}, ink = {0x11, 0x22, 0x33},
                          red = {0xd0, 0x10, 0x20}, green = {0x10, 0x90, 0x30};

struct painted {
    unsigned char *bytes;
    size_t size, at; /* at: read position */
};

static struct painted paint(struct attend_picture *picture, enum attend_paint_format format,
                            double scale)
{
    struct painted out = {0};
    struct attend_error err = {.message = ""};
    const enum attend_status status =
        attend_paint(picture, format, scale, &out.bytes, &out.size, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(status, ATTEND_OK);
    return out;
}

static void list_init(struct attend_picture *picture, double width, double height)
{
    display_list_init(&picture->list, width, height, "a picture");
    display_list_rect(&picture->list, (struct display_rect){0, 0, width, height, white, NULL});
}

/* ---- PNG, read back by cairo ----------------------------------------------------------------- */

static cairo_status_t give(void *closure, unsigned char *data, unsigned int length)
{
    struct painted *p = closure;
    if (length > p->size - p->at)
        return CAIRO_STATUS_READ_ERROR;
    memcpy(data, p->bytes + p->at, length);
    p->at += length;
    return CAIRO_STATUS_SUCCESS;
}

/* Paints and frees the picture. */
static cairo_surface_t *decoded(struct attend_picture *picture, double scale)
{
    struct painted png = paint(picture, ATTEND_PAINT_PNG, scale);
    assert_memory_equal(png.bytes, "\x89PNG\r\n\x1a\n", 8);
    cairo_surface_t *surface = cairo_image_surface_create_from_png_stream(give, &png);
    assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    attend_paint_free(png.bytes);
    display_list_release(&picture->list);
    return surface;
}

static unsigned pixel(cairo_surface_t *surface, int x, int y)
{
    uint32_t value;
    assert_in_range(x, 0, cairo_image_surface_get_width(surface) - 1);
    assert_in_range(y, 0, cairo_image_surface_get_height(surface) - 1);
    memcpy(&value,
           cairo_image_surface_get_data(surface) +
               (ptrdiff_t)y * cairo_image_surface_get_stride(surface) + 4 * (ptrdiff_t)x,
           sizeof value);
    return value & 0xffffff;
}

static unsigned number(struct color c) { return (unsigned)(c.r << 16 | c.g << 8 | c.b); }

#define assert_pixel(surface, x, y, color) assert_int_equal(pixel(surface, x, y), number(color))

/* The number of pixels in the box that are not white. */
static int inked(cairo_surface_t *surface, int left, int top, int right, int bottom)
{
    int count = 0;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++)
            count += pixel(surface, x, y) != 0xffffff;
    return count;
}

TEST(paint_png_is_as_large_as_the_list_times_the_scale)
{
    static const struct {
        double scale;
        int width, height;
    } cases[] = {{1, 41, 20}, {0, 81, 40}, {2.5, 102, 50}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct attend_picture picture;
        list_init(&picture, 40.5, 20);
        cairo_surface_t *surface = decoded(&picture, cases[i].scale);
        assert_int_equal(cairo_image_surface_get_width(surface), cases[i].width);
        assert_int_equal(cairo_image_surface_get_height(surface), cases[i].height);
        cairo_surface_destroy(surface);
    }
}

TEST(paint_rectangles_that_touch_leave_no_seam)
{
    struct attend_picture picture;
    list_init(&picture, 40, 20);
    display_list_rect(&picture.list, (struct display_rect){4.3, 4, 10.15, 8, red, NULL});
    display_list_rect(&picture.list, (struct display_rect){14.45, 4, 10, 8, green, NULL});
    cairo_surface_t *surface = decoded(&picture, 1);
    for (int x = 4; x < 24; x++)
        assert_int_equal(pixel(surface, x, 8), number(x < 14 ? red : green));
    assert_pixel(surface, 3, 8, white);
    assert_pixel(surface, 24, 8, white);
    assert_pixel(surface, 10, 3, white);
    assert_pixel(surface, 10, 12, white);
    cairo_surface_destroy(surface);
}

TEST(paint_lines_have_their_width_and_dashes)
{
    struct attend_picture picture;
    list_init(&picture, 60, 40);
    display_list_line(&picture.list, (struct display_line){5, 10, 55, 10, 2, ink});
    const double x[] = {5, 55}, y[] = {30, 30};
    display_list_polyline(
        &picture.list,
        (struct display_polyline){
            .x = x, .y = y, .count = 2, .width = 4, .dash = 10, .gap = 5, .color = red});
    cairo_surface_t *surface = decoded(&picture, 1);
    assert_pixel(surface, 30, 8, white);
    assert_pixel(surface, 30, 9, ink);
    assert_pixel(surface, 30, 10, ink);
    assert_pixel(surface, 30, 11, white);
    assert_pixel(surface, 10, 30, red);
    assert_pixel(surface, 17, 30, white);
    assert_pixel(surface, 22, 30, red);
    cairo_surface_destroy(surface);
}

TEST(paint_lines_do_not_begin_where_a_text_ended)
{
    struct attend_picture picture;
    list_init(&picture, 60, 40);
    display_list_text(&picture.list, (struct display_text){
                                         .x = 5, .y = 12, .size = 10, .color = ink, .text = "a"});
    const double x[] = {40, 55}, y[] = {30, 30};
    display_list_polyline(&picture.list, (struct display_polyline){
                                             .x = x, .y = y, .count = 2, .width = 2, .color = red});
    cairo_surface_t *surface = decoded(&picture, 1);
    assert_int_equal(inked(surface, 20, 15, 38, 29), 0);
    assert_pixel(surface, 45, 30, red);
    cairo_surface_destroy(surface);
}

/* In the middle a curve is halfway between its ends, but after a quarter of its height it has
 * hardly left its first column. */
TEST(paint_curves_leave_their_ends_upright)
{
    struct attend_picture picture;
    list_init(&picture, 100, 100);
    display_list_curve(&picture.list, (struct display_curve){10, 0, 90, 100, 4, green, NULL});
    cairo_surface_t *surface = decoded(&picture, 1);
    assert_pixel(surface, 50, 50, green);
    assert_pixel(surface, 10, 2, green);
    assert_pixel(surface, 90, 97, green);
    /* t = 1/4: x = 10 + 80 (3t^2 - 2t^3), y = 100 (3 (1-t)^2 t / 2 + 3 (1-t) t^2 / 2 + t^3) */
    assert_pixel(surface, 22, 29, green);
    assert_pixel(surface, 29, 25, white); /* where a straight line would be */
    cairo_surface_destroy(surface);
}

/* Pixels of an image are cells with sharp edges, whatever their size. */
TEST(paint_images_are_stretched_without_smoothing)
{
    const struct color cells[] = {red, green, ink, red};
    struct attend_picture picture;
    list_init(&picture, 60, 40);
    display_list_image(
        &picture.list,
        (struct display_image){
            .x = 10, .y = 5, .width = 40, .height = 30, .columns = 2, .rows = 2, .pixel = cells});
    cairo_surface_t *surface = decoded(&picture, 1);
    assert_pixel(surface, 9, 10, white);
    assert_pixel(surface, 10, 5, red);
    assert_pixel(surface, 29, 19, red);
    assert_pixel(surface, 30, 19, green);
    assert_pixel(surface, 29, 20, ink);
    assert_pixel(surface, 49, 34, red);
    assert_pixel(surface, 50, 34, white);
    cairo_surface_destroy(surface);
}

TEST(paint_marks_have_their_forms)
{
    struct attend_picture picture;
    list_init(&picture, 160, 40);
    for (int i = 0; i < DISPLAY_MARKS; i++)
        display_list_mark(&picture.list, (struct display_mark){.x = 20 + 40 * i,
                                                               .y = 20,
                                                               .radius = 10,
                                                               .form = (enum mark_kind)i,
                                                               .fill = red,
                                                               .edge = red});
    cairo_surface_t *surface = decoded(&picture, 1);
    for (int i = 0; i < DISPLAY_MARKS; i++)
        assert_pixel(surface, 20 + 40 * i, 20, red);
    /* A corner of the square, outside the circle; the triangle rests on a side, the diamond on a
     * corner. */
    assert_pixel(surface, 11, 11, white);
    assert_pixel(surface, 40 + 11, 11, red);
    assert_pixel(surface, 80 + 11, 27, red);
    assert_pixel(surface, 80 + 11, 13, white);
    assert_pixel(surface, 120 + 20, 9, red);
    assert_pixel(surface, 120 + 11, 29, white);
    cairo_surface_destroy(surface);
}

/* ---- Text ------------------------------------------------------------------------------------ */

static void add_text(struct attend_picture *picture, double turn, enum display_anchor anchor,
                     const char *text)
{
    display_list_text(&picture->list, (struct display_text){.x = 100,
                                                            .y = 100,
                                                            .size = 20,
                                                            .turn = turn,
                                                            .anchor = anchor,
                                                            .color = ink,
                                                            .text = text});
}

TEST(paint_text_stands_on_its_anchor)
{
    static const struct {
        enum display_anchor anchor;
        bool left, right;
    } cases[] = {
        {ANCHOR_START, false, true}, {ANCHOR_MIDDLE, true, true}, {ANCHOR_END, true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct attend_picture picture;
        list_init(&picture, 200, 200);
        add_text(&picture, 0, cases[i].anchor, "HHHH");
        cairo_surface_t *surface = decoded(&picture, 1);
        assert_int_equal(inked(surface, 0, 80, 99, 101) > 0, cases[i].left);
        assert_int_equal(inked(surface, 101, 80, 200, 101) > 0, cases[i].right);
        /* On the baseline, and nowhere else. */
        assert_true(inked(surface, 0, 97, 200, 101) > 0);
        assert_int_equal(inked(surface, 0, 102, 200, 200), 0);
        assert_int_equal(inked(surface, 0, 0, 200, 80), 0);
        cairo_surface_destroy(surface);
    }
}

/* Text leaves a current point in cairo; the next shape must not be connected to it. */
TEST(paint_shapes_after_a_text_begin_where_they_say)
{
    const double x[] = {150, 190}, y[] = {150, 150};
    struct attend_picture picture;
    list_init(&picture, 200, 200);
    add_text(&picture, 0, ANCHOR_START, "H");
    display_list_polyline(&picture.list, (struct display_polyline){
                                             .x = x, .y = y, .count = 2, .width = 4, .color = red});
    add_text(&picture, 0, ANCHOR_START, "H");
    display_list_mark(
        &picture.list,
        (struct display_mark){
            .x = 170, .y = 50, .radius = 5, .form = (enum mark_kind)1, .fill = red, .edge = red});
    add_text(&picture, 0, ANCHOR_START, "H");
    display_list_curve(&picture.list, (struct display_curve){160, 180, 190, 195, 4, green, NULL});
    cairo_surface_t *surface = decoded(&picture, 1);
    assert_pixel(surface, 170, 150, red);
    assert_int_equal(inked(surface, 120, 0, 149, 200), 0);
    assert_int_equal(inked(surface, 120, 60, 200, 147), 0);
    cairo_surface_destroy(surface);
}

TEST(paint_text_turns_counter_clockwise)
{
    struct attend_picture picture;
    list_init(&picture, 200, 200);
    add_text(&picture, 90, ANCHOR_START, "HHHH");
    cairo_surface_t *surface = decoded(&picture, 1);
    assert_true(inked(surface, 80, 40, 101, 99) > 0); /* upwards, left of the anchor */
    assert_int_equal(inked(surface, 0, 102, 200, 200), 0);
    assert_int_equal(inked(surface, 102, 0, 200, 200), 0);
    cairo_surface_destroy(surface);
}

TEST(paint_empty_and_hostile_texts_are_harmless)
{
    static const char *const texts[] = {"", "\xff\xfe", "<b>&amp;</b>", "\xe2\x81\xa8",
                                        "a\nb\tc\033[0m"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct attend_picture picture;
        list_init(&picture, 200, 200);
        add_text(&picture, 0, ANCHOR_START, texts[i]);
        cairo_surface_destroy(decoded(&picture, 1));
    }
}

/* ---- PDF, and both --------------------------------------------------------------------------- */

static bool holds(const struct painted *p, const char *part)
{
    return memmem(p->bytes, p->size, part, strlen(part)) != NULL;
}

TEST(paint_pdf_has_its_size_in_points_and_no_date)
{
    struct attend_picture picture;
    list_init(&picture, 400, 200);
    add_text(&picture, 45, ANCHOR_START, "Haus");
    struct painted pdf = paint(&picture, ATTEND_PAINT_PDF, 0);
    assert_memory_equal(pdf.bytes, "%PDF-", 5);
    assert_true(holds(&pdf, "/MediaBox [ 0 0 300 150 ]"));
    assert_true(holds(&pdf, "/Title (a picture)"));
    assert_false(holds(&pdf, "CreationDate"));
    attend_paint_free(pdf.bytes);
    display_list_release(&picture.list);
}

TEST(paint_same_list_gives_same_bytes)
{
    struct attend_picture picture;
    list_init(&picture, 200, 200);
    add_text(&picture, 45, ANCHOR_START, "Haus \xd8\xa8\xd9\x8a\xd8\xaa");
    for (int format = ATTEND_PAINT_PNG; format <= ATTEND_PAINT_PDF; format++) {
        struct painted one = paint(&picture, (enum attend_paint_format)format, 0);
        if (format == ATTEND_PAINT_PDF)
            sleep(1); /* a time stamp would differ */
        struct painted two = paint(&picture, (enum attend_paint_format)format, 0);
        assert_int_equal(one.size, two.size);
        assert_memory_equal(one.bytes, two.bytes, one.size);
        attend_paint_free(one.bytes);
        attend_paint_free(two.bytes);
    }
    display_list_release(&picture.list);
}

TEST(paint_refuses_what_is_too_large)
{
    static const struct {
        enum attend_paint_format format;
        double width, height, scale;
        const char *message;
    } cases[] = {
        {ATTEND_PAINT_PNG, 20000, 10, 2, "would be 40000 x 20 pixels"},
        {ATTEND_PAINT_PNG, 12000, 12000, 1, "100 million"},
        {ATTEND_PAINT_PNG, 0, 10, 1, "would be 0 x 10"},
        {ATTEND_PAINT_PDF, 20000, 10, 1, "would be 15000 x 8 points"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct attend_picture picture;
        struct attend_error err = {.message = ""};
        unsigned char *bytes = NULL;
        size_t size;
        list_init(&picture, cases[i].width, cases[i].height);
        assert_int_equal(
            attend_paint(&picture, cases[i].format, cases[i].scale, &bytes, &size, &err),
            ATTEND_USAGE);
        assert_null(bytes);
        assert_non_null(strstr(err.message, cases[i].message));
        display_list_release(&picture.list);
    }
}

TEST(paint_list_that_failed_is_out_of_memory)
{
    struct attend_picture picture;
    unsigned char *bytes;
    size_t size;
    list_init(&picture, 10, 10);
    picture.list.failed = true;
    assert_int_equal(attend_paint(&picture, ATTEND_PAINT_PNG, 1, &bytes, &size, NULL),
                     ATTEND_NO_MEMORY);
    display_list_release(&picture.list);
}
