/* Fixed sizes of training. */
#ifndef ATTEND_TRAIN_LIMITS_H
#define ATTEND_TRAIN_LIMITS_H

enum { TRAIN_MAX_ACCUMULATE = 64, TRAIN_MAX_AVERAGE = 16 };

#endif
