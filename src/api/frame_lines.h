/* Sources that are frames: files that lines name, or frames of the caller. */
#ifndef ATTEND_API_FRAME_LINES_H
#define ATTEND_API_FRAME_LINES_H

#include "api/translation.h"

struct attend_frames;

/* Read the files that `count` lines name. `out` gets only sequences of frames. An empty line has no
 * frames. Errors have `name` as their argument. */
enum attend_status frame_lines_read(struct tokenized *out, const struct attend_translator *,
                                    const char *const *path, int count, const char *name,
                                    struct attend_error *err);
/* The same for frames of the caller, which are normalized. ATTEND_USAGE if the model reads text. */
enum attend_status frame_lines_take(struct tokenized *out, const struct attend_translator *,
                                    const struct attend_frames *frames, int count,
                                    struct attend_error *err);
/* The labels of the columns of a source with this many frames: the time at which the first frame of
 * a column begins, or its number from 0. False when out of memory. */
bool frame_lines_labels(const struct model *, int frames, char ***label, int *count);
/* Whether all sources have frames; the message is about the first that has none. */
enum attend_status frame_lines_check(const struct tokenized *, const char *name,
                                     struct attend_error *err);

#endif
