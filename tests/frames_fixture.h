/* Shared by the tests of readers of frames. */
#ifndef ATTEND_TESTS_FRAMES_FIXTURE_H
#define ATTEND_TESTS_FRAMES_FIXTURE_H

#include "frames/source.h"
#include "test.h"

#include <string.h>

/* The frames of bytes that a reader must take. */
static inline struct frames read_frames_with(const char *reader,
                                             const struct attend_frame_options *options,
                                             const void *bytes, size_t length, const char *name)
{
    struct attend_error err = {.message = ""};
    struct frame_source *s = NULL;
    struct frames f = {0};
    if (frame_source_new(&s, reader, options, &err) ||
        frame_source_read(s, bytes, length, name, &f, &err))
        fail_msg("%s", err.message);
    frame_source_free(s);
    return f;
}

static inline struct frames read_frames(const char *reader, const void *bytes, size_t length,
                                        const char *name)
{
    return read_frames_with(reader, NULL, bytes, length, name);
}

/* The bytes are refused with a message that contains this. */
static inline void assert_frames_refused_with(const char *reader,
                                              const struct attend_frame_options *options,
                                              const void *bytes, size_t length, const char *name,
                                              const char *message)
{
    struct attend_error err = {.message = ""};
    struct frame_source *s = NULL;
    struct frames f = {0};
    assert_int_equal(frame_source_new(&s, reader, options, &err), ATTEND_OK);
    assert_int_equal(frame_source_read(s, bytes, length, name, &f, &err), ATTEND_FORMAT);
    assert_null(f.value);
    if (!strstr(err.message, message))
        fail_msg("'%s' is not in '%s'", message, err.message);
    frame_source_free(s);
}

static inline void assert_frames_refused(const char *reader, const void *bytes, size_t length,
                                         const char *name, const char *message)
{
    assert_frames_refused_with(reader, NULL, bytes, length, name, message);
}

#endif
