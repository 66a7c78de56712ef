#include "place.h"

#include <string.h>
#include <unistd.h>

bool place_of_program(char out[PLACE_SIZE])
{
    const ssize_t length = readlink("/proc/self/exe", out, PLACE_SIZE - 1);
    out[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(out, '/');
    if (slash)
        *slash = '\0';
    return slash;
}
