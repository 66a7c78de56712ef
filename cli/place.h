/* Where the program is, through any symbolic links. */
#ifndef ATTEND_CLI_PLACE_H
#define ATTEND_CLI_PLACE_H

#include <stdbool.h>

enum { PLACE_SIZE = 4096 };

/* The folder of the program, without a slash at its end. False if the system does not tell. */
bool place_of_program(char out[PLACE_SIZE]);

#endif
