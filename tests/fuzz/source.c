/* The description of a source of frames in a model file.
 *
 * Aimed at: src/frames/source_text.c src/frames/options.c */
#include "frames.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    struct frame_source *s = NULL, *copy = NULL;
    struct attend_error err = {.message = ""};
    size_t length;
    char *text = fuzz_rest(&in, &length);
    const enum attend_status status = frame_source_parse(&s, text, length, &err);
    fuzz_check_error(status, &err);
    FUZZ_CHECK(!status == (s != NULL));
    if (s) {
        FUZZ_CHECK(frame_source_copy(&copy, s, NULL) == ATTEND_OK);
        fuzz_check_source(copy);
    }
    frame_source_free(s);
    frame_source_free(copy);
    free(text);
    return 0;
}
