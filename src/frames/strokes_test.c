#include "frames/strokes.h"

#include "frames/frames.h"
#include "frames/source.h"
#include "test.h"

#include <string.h>

static const char INK[] = "<ink><trace>0 0, 1 0, 1 2, 3 2</trace><trace>4 0, 4 2</trace></ink>";

/* What is read, normalized and restored is what was read. */
TEST(strokes_keep_the_pen_and_restore_the_rest)
{
    struct frame_source *source = NULL;
    struct frames plain = {0}, normal = {0};
    struct attend_error err;
    assert_int_equal(frame_source_new(&source, "ink", NULL, &err), ATTEND_OK);
    assert_int_equal(strokes_check(source, &err), ATTEND_OK);
    assert_int_equal(frame_source_read(source, INK, strlen(INK), "a", &plain, &err), ATTEND_OK);
    assert_int_equal(frame_source_observe(source, &plain, &err), ATTEND_OK);
    assert_int_equal(frame_source_settle(source, &err), ATTEND_OK);
    assert_int_equal(frame_source_read(source, INK, strlen(INK), "a", &normal, &err), ATTEND_OK);
    strokes_from_frames(source, normal.value, normal.rows);
    int lifted = 0;
    for (int i = 0; i < plain.rows; i++) {
        assert_true(normal.value[3 * i + 2] == plain.value[3 * i + 2]);
        lifted += normal.value[3 * i + 2] == 1;
    }
    assert_int_equal(lifted, 2);
    assert_true(normal.value[3] != plain.value[3]);
    strokes_restore(source, normal.value, normal.rows);
    for (int i = 0; i < 3 * plain.rows; i++)
        assert_near((double)normal.value[i], (double)plain.value[i], 1e-5);
    frames_release(&plain);
    frames_release(&normal);
    frame_source_free(source);
}

TEST(strokes_are_ink)
{
    struct frame_source *source = NULL;
    struct attend_error err;
    assert_int_equal(frame_source_new(&source, "npy", NULL, &err), ATTEND_OK);
    assert_int_equal(strokes_check(source, &err), ATTEND_USAGE);
    assert_string_equal(err.message, "a target of frames must be ink; npy cannot be written");
    frame_source_free(source);
}
