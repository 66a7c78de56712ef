#include "test.h"

#include "base/strbuf.h"
#include "viz/display_list.h"
#include "viz/svg.h"

#include <string.h>

static const struct color red = {255, 0, 1};

/* Writes the list as a document and releases the list. */
static char *write_out(struct display_list *list)
{
    struct strbuf out = {0};
    svg_write(&out, list);
    assert_false(out.failed);
    display_list_release(list);
    return strbuf_detach(&out);
}

static void assert_holds(const char *document, const char *part)
{
    if (!strstr(document, part))
        fail_msg("no %s in:\n%s", part, document);
}

TEST(svg_document_states_size_role_and_title)
{
    struct display_list list;
    display_list_init(&list, 120, 40.25, "a \"b\"");
    char *svg = write_out(&list);
    assert_holds(svg, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=");
    assert_holds(svg, "width=\"120.0\" height=\"40.3\" viewBox=\"0 0 120.0 40.3\"");
    assert_holds(svg, "role=\"img\" aria-label=\"a &quot;b&quot;\"");
    assert_holds(svg, "<title>a &quot;b&quot;</title>");
    assert_holds(svg, "</svg>\n");
    free(svg);
}

TEST(svg_shapes_are_written_in_their_order)
{
    struct display_list list;
    display_list_init(&list, 9, 9, NULL);
    display_list_rect(&list, (struct display_rect){1, 2, 3, 4, red, NULL});
    display_list_rect(&list, (struct display_rect){1, 2, 3, 4, red, "tip"});
    display_list_line(&list, (struct display_line){1, 2, 3, 4, 0.5, red});
    char *svg = write_out(&list);
    assert_holds(svg, "<rect x=\"1.0\" y=\"2.0\" width=\"3.0\" height=\"4.0\" fill=\"#ff0001\"/>\n"
                      "<rect x=\"1.0\" y=\"2.0\" width=\"3.0\" height=\"4.0\" fill=\"#ff0001\">"
                      "<title>tip</title></rect>\n"
                      "<line x1=\"1.0\" y1=\"2.0\" x2=\"3.0\" y2=\"4.0\" stroke=\"#ff0001\""
                      " stroke-width=\"0.5\"/>\n");
    free(svg);
}

TEST(svg_slanted_and_round_shapes_are_smooth)
{
    struct display_list list;
    const double x[] = {1, 2}, y[] = {3, 4.5};
    display_list_init(&list, 9, 9, NULL);
    display_list_polyline(&list, (struct display_polyline){x, y, 2, 2, 0, 0, red});
    display_list_polyline(&list, (struct display_polyline){x, y, 2, 2, 8, 4, red});
    display_list_mark(&list, (struct display_mark){5, 6, 2, MARK_CIRCLE, red, red, "a<b"});
    display_list_mark(&list, (struct display_mark){5, 6, 2, MARK_DIAMOND, red, red, NULL});
    char *svg = write_out(&list);
    assert_holds(svg, "<polyline points=\"1.0,3.0 2.0,4.5\" fill=\"none\" stroke=\"#ff0001\""
                      " stroke-width=\"2.0\" stroke-linejoin=\"round\""
                      " shape-rendering=\"geometricPrecision\"/>\n");
    assert_holds(svg, " stroke-width=\"2.0\" stroke-dasharray=\"8.0,4.0\"");
    assert_holds(svg, "<circle cx=\"5.0\" cy=\"6.0\" r=\"2.0\" fill=\"#ff0001\""
                      " stroke=\"#ff0001\" shape-rendering=\"geometricPrecision\">"
                      "<title>a&lt;b</title></circle>\n");
    assert_holds(svg, "<polygon points=\"5.0,3.4 7.6,6.0 5.0,8.6 2.4,6.0\"");
    free(svg);
}

TEST(svg_text_is_anchored_turned_and_stays_text)
{
    struct display_list list;
    display_list_init(&list, 9, 9, NULL);
    display_list_text(&list, (struct display_text){1, 2, 13, 45, ANCHOR_END, red, "घर", NULL});
    display_list_text(&list, (struct display_text){1, 2, 13, 0, ANCHOR_MIDDLE, red, "x", "tip"});
    char *svg = write_out(&list);
    assert_holds(svg, "<text x=\"1.0\" y=\"2.0\" font-size=\"13.0\" text-anchor=\"end\""
                      " fill=\"#ff0001\" transform=\"rotate(-45.0 1.0 2.0)\">घर</text>\n");
    assert_holds(svg, "text-anchor=\"middle\" fill=\"#ff0001\"><title>tip</title>x</text>\n");
    free(svg);
}

TEST(svg_curves_leave_and_arrive_upright)
{
    struct display_list list;
    display_list_init(&list, 9, 9, NULL);
    display_list_curve(&list, (struct display_curve){1, 2, 5, 8, 3, red, "a<b"});
    display_list_curve(&list, (struct display_curve){1, 2, 5, 8, 3, red, NULL});
    char *svg = write_out(&list);
    assert_holds(svg, "<path d=\"M1.0,2.0 C1.0,5.0 5.0,5.0 5.0,8.0\" fill=\"none\""
                      " stroke=\"#ff0001\" stroke-width=\"3.0\""
                      " shape-rendering=\"geometricPrecision\"><title>a&lt;b</title></path>\n");
    assert_holds(svg, "\"geometricPrecision\"></path>\n");
    free(svg);
}

/* The start of right-to-left text is its right end. */
TEST(svg_text_from_right_to_left_says_so_and_keeps_its_place)
{
    struct display_list list;
    display_list_init(&list, 9, 9, NULL);
    display_list_text(&list, (struct display_text){1, 2, 13, 0, ANCHOR_START, red, "بيت!", NULL});
    display_list_text(&list, (struct display_text){1, 2, 13, 0, ANCHOR_MIDDLE, red, "בית", NULL});
    display_list_text(&list, (struct display_text){1, 2, 13, 0, ANCHOR_END, red, "בית", NULL});
    char *svg = write_out(&list);
    assert_holds(svg, "text-anchor=\"end\" direction=\"rtl\" fill=\"#ff0001\">بيت!</text>");
    assert_holds(svg, "text-anchor=\"middle\" direction=\"rtl\" fill=\"#ff0001\">בית</text>");
    assert_holds(svg, "text-anchor=\"start\" direction=\"rtl\" fill=\"#ff0001\">בית</text>");
    free(svg);
}

TEST(svg_text_is_escaped_and_made_safe)
{
    struct display_list list;
    display_list_init(&list, 9, 9, NULL);
    display_list_text(&list, (struct display_text){.text = "</s>&\"'\x01\033\xff"});
    char *svg = write_out(&list);
    assert_holds(svg, ">&lt;/s&gt;&amp;&quot;&apos;\ufffd</text>");
    free(svg);
}

TEST(svg_of_a_failed_list_fails_and_is_empty)
{
    struct display_list list;
    display_list_init(&list, 9, 9, "title");
    list.failed = true;
    display_list_text(&list, (struct display_text){.text = "lost"});
    assert_int_equal(list.count, 0);
    struct strbuf out = {0};
    svg_write(&out, &list);
    assert_true(out.failed);
    assert_int_equal(out.length, 0);
    strbuf_release(&out);
    display_list_release(&list);
}

TEST(svg_image_is_a_png_in_the_document)
{
    const struct color pixel[] = {red, red};
    struct display_list list;
    display_list_init(&list, 20, 20, "t");
    display_list_image(&list, (struct display_image){.x = 1,
                                                     .y = 2,
                                                     .width = 3,
                                                     .height = 4,
                                                     .columns = 2,
                                                     .rows = 1,
                                                     .pixel = pixel,
                                                     .tooltip = "a < b"});
    display_list_image(&list, (struct display_image){.columns = 0, .rows = 5});
    assert_int_equal(list.count, 1);
    char *svg = write_out(&list);
    assert_holds(svg, "<image x=\"1.0\" y=\"2.0\" width=\"3.0\" height=\"4.0\"");
    assert_holds(svg, "href=\"data:image/png;base64,iVBORw0KGgo");
    assert_holds(svg, "<title>a &lt; b</title></image>");
    free(svg);
}
