/* The folders in which the program looks for ready models. */
#ifndef ATTEND_CLI_FOLDERS_H
#define ATTEND_CLI_FOLDERS_H

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

#endif
