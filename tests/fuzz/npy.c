/* NumPy's arrays, alone and in archives, where the name may choose a member.
 *
 * Aimed at: src/frames/npy.c src/frames/zip.c src/frames/source.c src/frames/source_scale.c */
#include "frames.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    size_t length;
    const bool named = fuzz_byte(&in) & 1;
    char *bytes = fuzz_rest(&in, &length);
    fuzz_read_frames("npy", NULL, bytes, length, named ? "a.npz:x" : "a.npz");
    free(bytes);
    return 0;
}
