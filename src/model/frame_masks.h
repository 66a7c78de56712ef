/* Masks over time and columns of the source's frames (SpecAugment, Park et al. 2019), for training.
 *
 * Each time mask sets a run of frames of a sentence to 0, and each band mask a run of columns: 0 is
 * the mean of normalized frames. A run has 0 .. floor(share * length) elements, and any of them is
 * as likely as any other; so is every place where it fits. Runs may overlap.
 *
 * They are a function of the key, the item and the number of the mask, so a resumed run samples the
 * same ones, in any batch and on any number of threads. */
#ifndef ATTEND_MODEL_FRAME_MASKS_H
#define ATTEND_MODEL_FRAME_MASKS_H

#include <stdint.h>

struct batch;

struct frame_masks {
    int times, bands;              /* masks per sentence; 0: none */
    double time_share, band_share; /* of the frames, and of the columns, at most */
    uint64_t key;                  /* of this update */
};

/* Mask the frames of a lane. Repeating it changes nothing. */
void frame_masks_apply(const struct frame_masks *, const struct batch *, int lane);

#endif
