#include "module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void *module_open(const char *name, int flags)
{
    static const char *const places[] = {"", ATTEND_MODULE_PATH "/"};
    char program[4096], path[sizeof program + 256];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (!slash)
        return NULL;
    slash[1] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s%s%s", program, places[i], name);
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
