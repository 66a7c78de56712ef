/* Images: the first byte sets the options. libpng and libjpeg-turbo are not instrumented.
 *
 * Aimed at: src/frames/image.c src/frames/image_scale.c src/frames/pgm.c src/image/image.c */
#include "frames.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct attend_frame_modules modules = {.image_decode = attend_image_decode};
    struct fuzz_input in = {data, size};
    struct attend_frame_options options = attend_frame_defaults();
    const unsigned choice = fuzz_byte(&in);
    size_t length;
    options.modules = &modules;
    options.image_layout = choice & 1 ? "patches" : "columns";
    options.image_context = choice >> 1 & 3;
    options.image_patch = 2 + (int)(choice >> 3 & 7);
    options.image_height = 4 + (int)(choice >> 2 & 15);
    char *bytes = fuzz_rest(&in, &length);
    fuzz_read_frames("image", &options, bytes, length, "a.png");
    free(bytes);
    return 0;
}
