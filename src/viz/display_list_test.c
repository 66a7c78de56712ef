#include "test.h"

#include "viz/display_list.h"

#include <stdio.h>
#include <string.h>

TEST(display_list_keeps_shapes_in_order_while_growing)
{
    struct display_list list;
    display_list_init(&list, 10, 20, "many");
    for (int i = 0; i < 1000; i++)
        display_list_line(&list, (struct display_line){.x1 = i});
    assert_false(list.failed);
    assert_int_equal(list.count, 1000);
    for (int i = 0; i < 1000; i++)
        assert_near(list.shape[i].line.x1, i, 0);
    display_list_release(&list);
}

TEST(display_list_copies_texts)
{
    char text[] = "text", tip[] = "tip", title[] = "title";
    struct display_list list;
    display_list_init(&list, 1, 1, title);
    display_list_text(&list, (struct display_text){.text = text, .tooltip = tip});
    display_list_rect(&list, (struct display_rect){.tooltip = tip});
    memset(text, '?', sizeof text - 1);
    memset(tip, '?', sizeof tip - 1);
    memset(title, '?', sizeof title - 1);
    assert_string_equal(list.title, "title");
    assert_string_equal(list.shape[0].text.text, "text");
    assert_string_equal(list.shape[0].text.tooltip, "tip");
    assert_string_equal(list.shape[1].rect.tooltip, "tip");
    display_list_release(&list);
}

TEST(display_list_copies_points)
{
    double x[] = {1, 2, 3}, y[] = {4, 5, 6};
    char tip[] = "tip";
    struct display_list list;
    display_list_init(&list, 1, 1, NULL);
    display_list_polyline(&list, (struct display_polyline){.x = x, .y = y, .count = 3});
    display_list_mark(&list, (struct display_mark){.x = 7, .tooltip = tip});
    display_list_curve(&list, (struct display_curve){.x1 = 8, .tooltip = tip});
    x[2] = y[0] = 0;
    tip[0] = '?';
    assert_near(list.shape[0].polyline.x[2], 3, 0);
    assert_near(list.shape[0].polyline.y[0], 4, 0);
    assert_string_equal(list.shape[1].mark.tooltip, "tip");
    assert_int_equal(list.shape[2].kind, DISPLAY_CURVE);
    assert_string_equal(list.shape[2].curve.tooltip, "tip");
    display_list_release(&list);
}

TEST(display_list_without_tooltip_has_none)
{
    struct display_list list;
    display_list_init(&list, 1, 1, NULL);
    display_list_rect(&list, (struct display_rect){.width = 1});
    assert_null(list.title);
    assert_null(list.shape[0].rect.tooltip);
    display_list_release(&list);
}

TEST(display_list_released_twice_is_empty)
{
    struct display_list list;
    display_list_init(&list, 1, 1, "x");
    display_list_release(&list);
    display_list_release(&list);
    assert_null(list.shape);
    assert_int_equal(list.count, 0);
}
