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
    options.sound_range = choice & 16 ? 40 : 0;
    options.sound_rate = choice & 4 ? 8000 : choice & 8 ? 11025 : 0;
    options.sound_seconds = 1;
    char *bytes = fuzz_rest(&in, &length);
    fuzz_read_frames("wav", &options, bytes, length, "a.wav");
    free(bytes);
    return 0;
}
