/* The modules that read sound and images, loaded on demand. */
#ifndef ATTEND_CLI_FRAMES_H
#define ATTEND_CLI_FRAMES_H

#include <attend/frames.h>

/* All zero: nothing is loaded. */
struct frame_modules {
    struct attend_frame_modules functions;
    char no_sound[400], no_image[400]; /* why a module is missing */
};

/* Load the module that a reader of frames needs, if it needs one and it is not loaded yet. If it
 * cannot be loaded, a file that needs it is refused with a message that says what to install; an
 * image in PGM needs none. The functions refer to `modules`, which must stay in place. The result is
 * &modules->functions, for options and models. */
const struct attend_frame_modules *frame_modules_load(struct frame_modules *modules,
                                                      const char *reader);

#endif
