/* Ink, UNIPEN or InkML: the first byte is the step.
 *
 * Aimed at: src/frames/ink.c src/frames/ink_unipen.c src/frames/ink_inkml.c src/frames/strokes.c */
#include "frames.h"

#include "frames/ink.h"
#include "frames/strokes.h"

/* Points are evenly spaced within a stroke, and the last point ends one. */
static void check_points(const char *bytes, size_t length, double step)
{
    struct ink raw = {0}, even = {0};
    if (ink_parse(&raw, (const unsigned char *)bytes, length, "a", NULL))
        return;
    FUZZ_CHECK(raw.count > 0 && raw.point[raw.count - 1].last);
    if (ink_resample(&even, &raw, step, "a", NULL) == ATTEND_OK) {
        FUZZ_CHECK(even.count > 0 && even.point[even.count - 1].last);
        for (int i = 1; i < even.count; i++) {
            const struct ink_point *a = &even.point[i - 1], *b = &even.point[i];
            FUZZ_CHECK(a->last || hypot(b->x - a->x, b->y - a->y) < 2 * step + 1e-6);
        }
    }
    ink_release(&raw);
    ink_release(&even);
}

/* Given ink, as a model reads it that writes: the pen is up or down, and all numbers are finite. */
static void check_strokes(const struct attend_frame_options *options, const char *bytes,
                          size_t length)
{
    struct frame_source *s = NULL;
    struct frames f = {0};
    FUZZ_CHECK(frame_source_new(&s, "ink", options, NULL) == ATTEND_OK);
    if (frame_source_read(s, bytes, length, "a", &f, NULL) == ATTEND_OK) {
        FUZZ_CHECK(f.width == STROKES_WIDTH);
        FUZZ_CHECK(frame_source_observe(s, &f, NULL) == ATTEND_OK);
        FUZZ_CHECK(frame_source_settle(s, NULL) == ATTEND_OK);
        frame_source_normalize(s, f.value, f.rows);
        strokes_from_frames(s, f.value, f.rows);
        for (int t = 0; t < f.rows; t++)
            FUZZ_CHECK(f.value[3 * t + 2] == 0 || f.value[3 * t + 2] == 1);
        strokes_restore(s, f.value, f.rows);
        for (int i = 0; i < f.rows * f.width; i++)
            FUZZ_CHECK(isfinite(f.value[i]));
    }
    frames_release(&f);
    frame_source_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    struct attend_frame_options options = attend_frame_defaults();
    size_t length;
    options.ink_step = 0.01 + fuzz_byte(&in) / 300.0;
    char *bytes = fuzz_rest(&in, &length);
    fuzz_read_frames("ink", &options, bytes, length, "a.ink");
    check_points(bytes, length, options.ink_step);
    check_strokes(&options, bytes, length);
    free(bytes);
    return 0;
}
