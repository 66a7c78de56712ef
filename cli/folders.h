/* Where the program looks for ready models and for the engine of its pages. */
#ifndef ATTEND_CLI_FOLDERS_H
#define ATTEND_CLI_FOLDERS_H

#include "place.h"

#include <stdbool.h>

enum { FOLDERS = 32 };

/* In the order of their precedence:
 *   1. the folders of the variable ATTEND_MODELS, with colons between them;
 *   2. share/attend/models, where `make install` puts them, relative to the program;
 *   3. models/ of the source tree, if the program runs from a build folder. */
struct folders {
    char *path[FOLDERS + 1]; /* ended by NULL */
};

/* What does not fit in memory or in the table is left out. */
void folders_init(struct folders *);
void folders_release(struct folders *);

/* The file attend.wasm: what the variable ATTEND_WASM says, or else share/attend/attend.wasm relative
 * to the program, or beside the program if it runs from a build folder. False if it is not there; then
 * `out` is the place where it was expected. */
bool folders_engine(char out[PLACE_SIZE]);

#endif
