/* Settings of training that the text or the network of a run excludes. */
#ifndef ATTEND_API_TRAIN_CHECK_H
#define ATTEND_API_TRAIN_CHECK_H

#include "attend/status.h"

struct attend_network_options;
struct text_side;
struct train_settings;

struct train_check {
    const struct train_settings *options;
    const struct text_side *side; /* source, target */
    const struct attend_network_options *config;
};
enum attend_status train_check(const struct train_check *, struct attend_error *err);

#endif
