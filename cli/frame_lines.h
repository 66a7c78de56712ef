/* Lines that name files of frames. */
#ifndef ATTEND_CLI_FRAME_LINES_H
#define ATTEND_CLI_FRAME_LINES_H

#include "args.h"
#include "frames.h"

#include <attend/translate.h>

/* Let the lines of a translator name files, if its model reads frames. Paths are relative to the
 * folder of the text file that the flags name. The modules must stay in place. */
enum attend_status frame_lines_open(struct frame_modules *, struct attend_translator *,
                                    const struct attend_model *, const struct flags *,
                                    struct attend_error *err);

#endif
