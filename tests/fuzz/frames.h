/* Shared by the targets that read frames. */
#ifndef ATTEND_TESTS_FUZZ_FRAMES_H
#define ATTEND_TESTS_FUZZ_FRAMES_H

#include "frames/source.h"
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The text of a source is parsed to a source with the same text. */
static inline void fuzz_check_source(const struct frame_source *s)
{
    struct frame_source *parsed = NULL;
    char *text = frame_source_text(s);
    FUZZ_CHECK(text);
    FUZZ_CHECK(frame_source_parse(&parsed, text, strlen(text), NULL) == ATTEND_OK);
    char *again = frame_source_text(parsed);
    FUZZ_CHECK(again && strcmp(text, again) == 0);
    frame_source_free(parsed);
    free(text);
    free(again);
}

/* Either the bytes are refused with a message, or all frames are finite. */
static inline void fuzz_read_frames(const char *reader, const struct attend_frame_options *options,
                                    const void *bytes, size_t length, const char *name)
{
    struct frame_source *s = NULL;
    struct frames f = {0};
    struct attend_error err = {.message = ""};
    FUZZ_CHECK(frame_source_new(&s, reader, options, &err) == ATTEND_OK);
    const enum attend_status status = frame_source_read(s, bytes, length, name, &f, &err);
    fuzz_check_error(status, &err);
    FUZZ_CHECK(!status == (f.value != NULL));
    if (!status) {
        FUZZ_CHECK(f.rows > 0 && f.width > 0);
        FUZZ_CHECK(frame_source_observe(s, &f, &err) == ATTEND_OK);
        FUZZ_CHECK(frame_source_settle(s, &err) == ATTEND_OK);
        for (long i = 0; i < (long)f.rows * f.width; i++)
            FUZZ_CHECK(isfinite(f.value[i]));
        fuzz_check_source(s);
    }
    frames_release(&f);
    frame_source_free(s);
}

#endif
