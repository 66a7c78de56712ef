#include "module.h"

#include "place.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void *module_open(const char *name, int flags)
{
    static const char *const places[] = {"", ATTEND_MODULE_PATH "/"};
    char program[PLACE_SIZE], path[sizeof program + 256];
    if (!place_of_program(program))
        return NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s/%s%s", program, places[i], name);
        void *module = dlopen(path, flags);
        if (module)
            return module;
    }
    return NULL;
}

/* ISO C has no cast from an object pointer to a function pointer, so the bytes are copied. */
void module_find(void *module, const char *name, void *out)
{
    void *symbol = dlsym(module, name);
    memcpy(out, &symbol, sizeof symbol);
}
