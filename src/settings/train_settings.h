/* All settings of a run. A model file records them, and a resumed run is compared with them. */
#ifndef ATTEND_SETTINGS_TRAIN_SETTINGS_H
#define ATTEND_SETTINGS_TRAIN_SETTINGS_H

#include "attend/frames.h"
#include "attend/train.h"
#include "base/option.h"

struct strbuf;

struct train_settings {
    struct attend_data_options data;
    struct attend_network_options network;
    struct attend_train_options train;
    struct attend_frame_options frames; /* data.frames points here */
    struct attend_settings set;         /* which fill these structs */
};

/* Copy and check the caller's options. */
enum attend_status train_settings_take(struct train_settings *, const struct attend_data_options *,
                                       const struct attend_network_options *,
                                       const struct attend_train_options *,
                                       struct attend_error *err);
/* Set every option to its default, then read the JSON object `text` (NULL: nothing), which messages
 * call `name`. */
enum attend_status train_settings_read(struct train_settings *, const char *text, const char *name,
                                       struct attend_error *err);
/* Append all settings that influence the result, as a JSON object; those of frames only if the
 * source is frames. */
void train_settings_json(const struct train_settings *, struct strbuf *);
void train_settings_release(struct train_settings *);

#endif
