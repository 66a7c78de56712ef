#include "frames_picture_fixture.h"

TEST(html_frames_page_holds_a_picture_for_each_matrix)
{
    struct frames_sample one = frames_sample(ATTEND_FRAMES_SOUND, 30, 4, 1, 30, 3);
    struct frames_sample two = frames_sample(ATTEND_FRAMES_SOUND, 40, 4, 1, 40, 2);
    one.matrix.frames = &one.view;
    two.matrix.frames = &two.view;
    one.matrix.title = "line 1 <script>";
    const struct attend_matrix both[] = {one.matrix, two.matrix};
    char *page = attend_page(both, 2, &(struct attend_style){.title = "a & b"});
    assert_int_equal(count_of(page, "<svg "), 2);
    assert_int_equal(count_of(page, "<?xml"), 0);
    assert_int_equal(count_of(page, "<script"), 0);
    assert_int_equal(count_of(page, "<title>a &amp; b</title>"), 1);
    assert_int_equal(count_of(page, ">line 1 &lt;script&gt;</text>"), 1);
    assert_int_equal(count_of(page, "http:"), 2); /* the name space of SVG: nothing is loaded */
    assert_int_equal(count_of(page, "https:"), 0);
    assert_int_equal(count_of(page, "Content-Security-Policy\" content=\"default-src 'none'; "), 1);
    assert_int_equal(count_of(page, "<main>"), 1);
    free(page);
    frames_sample_release(&one);
    frames_sample_release(&two);
}

TEST(html_frames_words_keep_their_page)
{
    const struct attend_matrix words = sentence(0);
    char *page = attend_page(&words, 1, &(struct attend_style){0});
    assert_true(count_of(page, "<script") > 0);
    free(page);
}
