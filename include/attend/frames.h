/* Frames: sequences of rows of numbers, which a model reads instead of tokens. A reader makes them
 * from a file: sound, an image, ink, or an array. Callers with features of their own pass frames by
 * pointer. */
#ifndef ATTEND_FRAMES_H
#define ATTEND_FRAMES_H

#include "attend/settings.h"
#include "attend/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Frames of the caller. */
struct attend_frames {
    int rows, width;     /**< both at least 1 */
    const float *values; /**< (rows, width), finite */
};

/** Reader i; its name is NULL after the last. */
ATTEND_API struct attend_choice attend_frame_reader(int i);

/* ---- The modules ---- */

/** Mono sound. */
struct attend_samples {
    float *value; /**< (count), in -1 .. 1; from malloc, the caller frees it */
    long count;
    int rate; /**< samples per second */
};

/** Decode a sound file in memory. A file of more than `seconds` seconds or of more than two
 * channels is refused before it is decoded; two channels are averaged. Messages do not name the
 * file. */
typedef enum attend_status attend_sound_decode_fn(const void *bytes, size_t length, double seconds,
                                                  struct attend_samples *out,
                                                  struct attend_error *err);
/** The power spectra |X_k|^2 of rows of numbers, for k = 0 .. size / 2: `windows` is (rows, size),
 * `power` is (rows, size / 2 + 1). The size is even. */
typedef enum attend_status attend_sound_power_fn(const double *windows, int rows, int size,
                                                 double *power, struct attend_error *err);

/** An image in shades of gray. */
struct attend_gray {
    unsigned char *value; /**< (height, width), 0 is black; from malloc, the caller frees it */
    int width, height;
};

/** Decode a PNG or JPEG file in memory. An image of more than `pixels` pixels is refused before
 * memory is allocated for it. Messages do not name the file. */
typedef enum attend_status attend_image_decode_fn(const void *bytes, size_t length, long pixels,
                                                  struct attend_gray *out,
                                                  struct attend_error *err);

/** The functions of the modules attend-sound.so (libsndfile and FFTW) and attend-image.so (libpng
 * and libjpeg-turbo). The library never loads a module: a program loads those that it needs and
 * passes their functions. Any other functions with the same contracts serve as well. All zero: no
 * module is loaded. */
struct attend_frame_modules {
    attend_sound_decode_fn *sound_decode;
    attend_sound_power_fn *sound_power;
    attend_image_decode_fn *image_decode;
    const char *no_sound; /**< why the functions are NULL, for messages; NULL: not known */
    const char *no_image;
    void *reserved[4];
};

/* These are in the modules, not in libattend. Load a module with dlopen, or link it. */
ATTEND_API attend_sound_decode_fn attend_sound_decode;
ATTEND_API attend_sound_power_fn attend_sound_power;
ATTEND_API attend_image_decode_fn attend_image_decode;

/* ---- Files in memory ---- */

/** A file whose bytes the caller has: an upload, a member of an archive. */
struct attend_frame_file {
    const char
        *name; /**< begins messages; `a.npz:b` is array b of an archive. It is never opened */
    const void *bytes; /**< (length) any bytes */
    size_t length;
};
struct attend_model;
/** The frames that the reader of a model makes of a file, for attend_translate_frames and all that
 * takes frames of a caller: as they are in the file, not normalized. `modules` NULL: none. A model
 * that reads text is ATTEND_USAGE. Free *out with attend_frames_free. */
ATTEND_API enum attend_status attend_frames_read(struct attend_frames **out,
                                                 const struct attend_model *model,
                                                 const struct attend_frame_file *file,
                                                 const struct attend_frame_modules *modules,
                                                 struct attend_error *err);
ATTEND_API void attend_frames_free(struct attend_frames *frames);

/* ---- Options of the readers; docs/frames.md explains them ---- */

struct attend_frame_options {
    size_t size;
    /** Must outlive everything that is made with these options. NULL: none. */
    const struct attend_frame_modules *modules;

    int sound_rate;       /**< samples per second; 0: those of the first training file, at most
                             16000 */
    int sound_bands;      /**< mel bands, the numbers of a frame */
    bool sound_deltas;    /**< also how the bands change, in time: twice the numbers */
    bool sound_center;    /**< subtract the mean of each band over the recording */
    double sound_seconds; /**< longer recordings are refused */

    const char *image_layout; /**< "columns" or "patches" */
    int image_height;         /**< columns: pixels to which an image is scaled */
    int image_context;        /**< columns or patches on each side that belong to a frame */
    int image_patch;          /**< patches: pixels of a side */
    int image_side;           /**< patches: larger images are scaled down to this longer side */
    int image_octaves;        /**< patches: sines and cosines of the position; 0: only x and y */

    double ink_step; /**< distance between points, as a share of the height of the ink */

    /** Decibels of sound below the loudest number of a recording that are kept; what is quieter is
     * raised to that level. 0: all. */
    double sound_range;
};
ATTEND_DEFAULTS(frame)

#ifdef __cplusplus
}
#endif

#endif
