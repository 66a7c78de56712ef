/* A source of frames: a reader, its options, and the mean and scale of each column.
 *
 * Training: frame_source_new; read and observe each training file, in order; settle; read again, or
 * frame_source_normalize what was read. Some readers learn from the first file that is observed
 * what all others must have (npy its width, wav its rate), so observe it before the next is read.
 * Use: frame_source_parse what frame_source_text wrote; read.
 *
 * Between observing, a source is immutable: threads may share it. */
#ifndef ATTEND_FRAMES_SOURCE_H
#define ATTEND_FRAMES_SOURCE_H

#include "attend/frames.h"
#include "attend/status.h"
#include "frames/frames.h"

#include <stdbool.h>
#include <stddef.h>

struct frame_source;

/* `options` may be NULL. ATTEND_USAGE, with the names that there are, for an unknown reader. */
enum attend_status frame_source_new(struct frame_source **out, const char *reader,
                                    const struct attend_frame_options *options,
                                    struct attend_error *err);
enum attend_status frame_source_copy(struct frame_source **out, const struct frame_source *,
                                     struct attend_error *err);
void frame_source_free(struct frame_source *);
/* Use these modules, which must outlive the source; for one that was parsed. */
void frame_source_use(struct frame_source *, const struct attend_frame_modules *);

const char *frame_source_reader(const struct frame_source *);
/* The numbers of a row; 0 until known. */
int frame_source_width(const struct frame_source *);
/* The rate of the sound; 0: no sound, or not known yet. */
int frame_source_rate(const struct frame_source *);
const struct attend_frame_options *frame_source_options(const struct frame_source *);

/* The frames of untrusted bytes, normalized if mean and scale are known. `name` begins messages. A
 * width other than that of the source is ATTEND_FORMAT. */
enum attend_status frame_source_read(const struct frame_source *, const void *bytes, size_t length,
                                     const char *name, struct frames *out,
                                     struct attend_error *err);
/* The same for a file; `a.npz:name` is member `name` of the archive a.npz. */
enum attend_status frame_source_read_file(const struct frame_source *, const char *path,
                                          struct frames *out, struct attend_error *err);
/* The same for frames of a caller, which are copied: `npy` normalizes them, as do all others. */
enum attend_status frame_source_take(const struct frame_source *, const struct attend_frames *,
                                     const char *name, struct frames *out,
                                     struct attend_error *err);

/* ---- Mean and scale ---- */

/* Add frames that are not normalized to the sums. The first frames set the width. */
enum attend_status frame_source_observe(struct frame_source *, const struct frames *,
                                        struct attend_error *err);
/* Compute mean and scale of everything observed. The sums are kept. Nothing observed: mean 0 and
 * scale 1. */
enum attend_status frame_source_settle(struct frame_source *, struct attend_error *err);
/* Whether mean and scale are known. */
bool frame_source_settled(const struct frame_source *);
/* value = (value - mean) * scale, for `rows` rows that are not normalized. */
void frame_source_normalize(const struct frame_source *, float *value, int rows);
/* Forget mean and scale: from now on frames are read as they are in their files. */
void frame_source_forget(struct frame_source *);
/* The inverse, for pictures. */
void frame_source_restore(const struct frame_source *, float *value, int rows);

/* ---- For people ---- */

/* Where a row is: the time at which it begins, "0.12s", or its number from 0. */
void frame_source_label(const struct frame_source *, int row, char *out, size_t room);
/* From one row to the next; 0: not sound. */
double frame_source_seconds(const struct frame_source *);
/* One line: the reader, its rate and the numbers of a row. The caller frees it; NULL when out of
 * memory. */
char *frame_source_describe(const struct frame_source *);

/* ---- In the model file ---- */

/* Reader, options, mean and scale as JSON. The caller frees it; NULL when out of memory. */
char *frame_source_text(const struct frame_source *);
/* From untrusted bytes. */
enum attend_status frame_source_parse(struct frame_source **out, const char *text, size_t length,
                                      struct attend_error *err);

#endif
