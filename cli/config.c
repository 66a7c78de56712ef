#include "config.h"

#include "module.h"

#include <dlfcn.h>
#include <stdio.h>

enum attend_status config_read(const void *bytes, size_t length, attend_setting_fn *set,
                               void *context, size_t *line, struct attend_error *err)
{
    attend_yaml_read_fn *read = NULL;
    void *module = module_open("attend-yaml.so", RTLD_NOW);
    if (module)
        module_find(module, "attend_yaml_read", &read);
    if (read)
        return read(bytes, length, set, context, line, err);
    const char *why = dlerror();
    *line = 0;
    snprintf(err->message, sizeof err->message,
             "reading YAML needs attend-yaml.so, which cannot be loaded (%.200s); install "
             "libyaml-dev and build again with ATTEND_YAML=ON, or give the settings as flags",
             why ? why : "file not found");
    return ATTEND_IO;
}
