#include "frames/options.h"

#include "base/error.h"
#include "base/option.h"

#include <string.h>

static struct attend_choice layout_choice(int i)
{
    static const struct attend_choice choices[] = {
        {"columns", "each column of pixels is a frame, for lines of writing", NULL},
        {"patches", "each square of a grid is a frame, with its position", NULL},
        {0},
    };
    return choices[i];
}

#define INT(field, name, fallback, low, high, help)                                                \
    ATTEND_ROW_INT(attend_frame_options, field, name, "N", fallback, low, high, help, ATTEND_PLAIN)
#define REAL(field, name, fallback, low, high, help)                                               \
    ATTEND_ROW_REAL(attend_frame_options, field, name, "X", fallback, low, high, help, ATTEND_PLAIN)
#define FLAG(field, name, help)                                                                    \
    ATTEND_ROW_FLAG(attend_frame_options, field, name, help, ATTEND_PLAIN)

const struct attend_setting frame_rows[] = {
    INT(sound_rate, "sound-rate", "0", 0, 48000,
        "samples per second to which sound is resampled; 0: those of the first training file, at "
        "most 16000"),
    INT(sound_bands, "sound-bands", "40", 4, 128, "mel bands of a frame"),
    FLAG(sound_deltas, "sound-deltas", "add how each band changes in time"),
    FLAG(sound_center, "sound-center",
         "subtract the mean of each band over the recording, which removes its level and its "
         "microphone"),
    ATTEND_ROW_REAL(attend_frame_options, sound_range, "sound-range", "DB", "0", 0, 200,
                    "raise what is more than DB decibels below the loudest moment to that level, "
                    "which makes silences alike; 0: off",
                    ATTEND_PLAIN, .absent = "0"),
    REAL(sound_seconds, "sound-seconds", "60", 0.1, 36000, "refuse longer recordings"),
    ATTEND_ROW_CHOICE(attend_frame_options, image_layout, "image-layout", "columns", layout_choice,
                      "how an image is read", ATTEND_PLAIN),
    INT(image_height, "image-height", "32", 4, 512,
        "pixels of a column: images are scaled to this height"),
    INT(image_context, "image-context", "0", 0, 8,
        "columns on either side, or patches on each side, that belong to a frame"),
    INT(image_patch, "image-patch", "8", 2, 64, "pixels of a side of a patch"),
    INT(image_side, "image-side", "256", 8, 4096,
        "pixels to whose longer side larger images are scaled before they are cut into patches"),
    INT(image_octaves, "image-octaves", "2", 0, 8,
        "pairs of sine and cosine that tell the position of a patch, in each direction"),
    REAL(ink_step, "ink-step", "0.1", 0.001, 1,
         "distance between points of ink, as a share of the height of the whole"),
    {0},
};

void attend_frame_fill(struct attend_frame_options *options, size_t size)
{
    struct attend_frame_options all = {0};
    option_defaults(frame_rows, &all);
    memset(options, 0, size);
    memcpy(options, &all, size < sizeof all ? size : sizeof all);
    options->size = size;
}

enum attend_status frame_options_take(struct attend_frame_options *out,
                                      const struct attend_frame_options *given,
                                      struct attend_error *err)
{
    const size_t size = given ? given->size : 0;
    if (given && size < sizeof size)
        return error_set(err, ATTEND_USAGE,
                         "the options have no size; start with attend_frame_defaults()");
    attend_frame_fill(out, sizeof *out);
    if (given)
        memcpy(out, given, size < sizeof *out ? size : sizeof *out);
    out->size = sizeof *out;
    if (out->sound_rate && out->sound_rate < FRAME_RATE_MIN)
        return error_set(err, ATTEND_USAGE, "`sound_rate` is 0 or at least %d", FRAME_RATE_MIN);
    return option_check(frame_rows, out, err);
}
