/* A compiler flag includes this file in every source. Functions that overrun buffers, lose errors
 * or keep hidden state do not compile. */
#ifndef ATTEND_BASE_BANNED_H
#define ATTEND_BASE_BANNED_H

#ifndef __cplusplus
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef strcpy
#undef strcat
#undef sprintf
#undef vsprintf
#undef strtok
#undef strncpy
#pragma GCC poison strcpy strcat sprintf vsprintf strtok strncpy atoi atol atof rand srand gets
#endif

#endif
