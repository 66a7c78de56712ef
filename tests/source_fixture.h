/* A source of frames for tests of models. */
#ifndef ATTEND_TESTS_SOURCE_FIXTURE_H
#define ATTEND_TESTS_SOURCE_FIXTURE_H

#include "frames/source.h"
#include "test.h"
#include "text/side.h"

#include <stdlib.h>

/* A side that reads arrays of this width, whose mean is (0, 1 ...) / 2; 0: a copy of `text`. The
 * caller releases it. */
static inline struct text_side source_fixture(int width, const struct text_side *text)
{
    struct text_side side = {0};
    struct frames frames = {.rows = 2, .width = width};
    if (!width) {
        assert_int_equal(text_side_copy(&side, text, NULL), ATTEND_OK);
        return side;
    }
    frames.value = calloc(2 * (size_t)width, sizeof *frames.value);
    for (int i = 0; i < width; i++)
        frames.value[i] = (float)i;
    assert_int_equal(frame_source_new(&side.frames, "npy", NULL, NULL), ATTEND_OK);
    assert_int_equal(frame_source_observe(side.frames, &frames, NULL), ATTEND_OK);
    assert_int_equal(frame_source_settle(side.frames, NULL), ATTEND_OK);
    frames_release(&frames);
    return side;
}

#endif
