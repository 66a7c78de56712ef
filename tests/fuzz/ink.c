/* Ink, UNIPEN or InkML: the first byte is the step.
 *
 * Aimed at: src/frames/ink.c src/frames/ink_unipen.c src/frames/ink_inkml.c */
#include "frames.h"

#include "frames/ink.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    struct attend_frame_options options = attend_frame_defaults();
    size_t length;
    options.ink_step = 0.01 + fuzz_byte(&in) / 300.0;
    char *bytes = fuzz_rest(&in, &length);
    fuzz_read_frames("ink", &options, bytes, length, "a.ink");
    check_points(bytes, length, options.ink_step);
    free(bytes);
    return 0;
}
