/* Readers turn the bytes of a file into frames. */
#ifndef ATTEND_FRAMES_READER_H
#define ATTEND_FRAMES_READER_H

#include "attend/frames.h"
#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

struct frames;

/* What a reader is given. */
struct frame_input {
    const unsigned char *bytes;
    size_t length;
    const char *name; /* begins messages; `npy` finds the name of a member in it */
    const struct attend_frame_options *options;
    int rate; /* of the sound that the model was trained with; 0: not known */
};

/* A row of the table. */
struct frame_reader {
    const char *name;
    const char *help;  /* one line for --help */
    const char *kinds; /* what it reads, for messages: "a NumPy array (.npy, .npz)" */
    /* Make the frames of untrusted bytes. Values that are not finite are refused by the caller. */
    enum attend_status (*read)(const struct frame_input *, struct frames *out,
                               struct attend_error *err);
    /* The numbers of a row under these options, or NULL if each file may have its own. */
    int (*width)(const struct attend_frame_options *);
    /* How many columns, from the first, share one mean and one scale; NULL: none do. For columns of
     * the same unit, some of which hardly ever vary in training. */
    int (*shared)(const struct attend_frame_options *);
    bool timed; /* its frames are made at a rate: that of `sound_rate`, or of the first file */
};

/* To add one:
 *     1. write frames/<name>.c, which defines `const struct frame_reader frame_reader_<name>` (npy.c
 *        is an example);
 *     2. add X(<name>) to the list; models store this name, so it must never change;
 *     3. its options, if it has any: fields at the end of struct attend_frame_options, and rows in
 *        options.c;
 *     4. <name>_test.c with hostile bytes, tests/fuzz/<name>.c, and a section in docs/frames.md.
 *        The checks of every row (source_test.c) and --help use the list. */
#define FRAME_READER_LIST(X) X(wav) X(image) X(ink) X(npy)

#define FRAME_READER_ROW(name) extern const struct frame_reader frame_reader_##name;
FRAME_READER_LIST(FRAME_READER_ROW)
#undef FRAME_READER_ROW

#define FRAME_READER_ONE(name) +1
enum { FRAME_READERS = 0 FRAME_READER_LIST(FRAME_READER_ONE) };
#undef FRAME_READER_ONE

extern const struct frame_reader *const frame_readers[FRAME_READERS];

/* NULL when there is no reader of this name. */
const struct frame_reader *frame_reader_find(const char *name);

/* ATTEND_FORMAT: the file is not of the kind that this reader reads. */
enum attend_status frame_reader_refuse(const struct frame_reader *, const struct frame_input *,
                                       struct attend_error *err);

#endif
