/* Sound files: the first byte sets the options. libsndfile itself is not instrumented.
 *
 * Aimed at: src/frames/wav.c src/frames/mel.c src/frames/resample.c src/sound/sound.c */
#include "frames.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct attend_frame_modules modules = {.sound_decode = attend_sound_decode,
                                                        .sound_power = attend_sound_power};
    struct fuzz_input in = {data, size};
    struct attend_frame_options options = attend_frame_defaults();
    const unsigned choice = fuzz_byte(&in);
    size_t length;
    options.modules = &modules;
    options.sound_deltas = choice & 1;
    options.sound_center = choice & 2;
    options.sound_range = choice & 32 ? 40 : 0;
    /* Resampling takes nearly all of the time, so few recordings are resampled, and short ones. */
    options.sound_rate = (choice & 12) == 12 ? (choice & 16 ? 8000 : 11025) : 0;
    options.sound_seconds = 0.1;
    char *bytes = fuzz_rest(&in, &length);
    fuzz_read_frames("wav", &options, bytes, length, "a.wav");
    free(bytes);
    return 0;
}
