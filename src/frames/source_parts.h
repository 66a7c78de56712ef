/* The fields of a source, for its own files. */
#ifndef ATTEND_FRAMES_SOURCE_PARTS_H
#define ATTEND_FRAMES_SOURCE_PARTS_H

#include "frames/reader.h"
#include "frames/source.h"

struct frame_source {
    const struct frame_reader *reader;
    struct attend_frame_options options;
    int width; /* 0: not known yet */
    int rate;  /* of sound; 0: not known yet */
    /* Sums over the training set, for each column: of x - shift and its square, where the shift is
     * the first row. Without it, the variance of large numbers that hardly vary would be lost. All
     * three are one block; NULL: nothing observed. */
    double *shift, *sum, *square; /* (width) each */
    double rows;                  /* how many rows are in the sums */
    /* One block; NULL: not settled. */
    float *mean, *scale; /* (width) each */
};

/* Allocate mean and scale for the width, unless they are there. */
enum attend_status source_make_scale(struct frame_source *, struct attend_error *err);

#endif
