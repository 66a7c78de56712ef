/* Configuration files: the settings of training, and any flat mapping.
 *
 * Aimed at: src/base/yaml.c */
#include "fuzz.h"

#include "attend/option.h"
#include "base/yaml.h"

#include <stddef.h>
#include <string.h>

static enum attend_status count(void *context, const char *name, const char *value,
                                struct attend_error *err)
{
    (void)err;
    fuzz_check_text(name, true);
    fuzz_check_text(value, true);
    ++*(int *)context;
    return ATTEND_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct attend_options *o = NULL;
    struct attend_error err = {""};
    int settings = 0;
    const char *path = fuzz_file(0, data, size);
    const enum attend_status flat = yaml_read(path, count, &settings, &err);
    fuzz_check_error(flat, &err);
    FUZZ_CHECK(!attend_options_new(&o, "train", &err));
    const enum attend_status status = attend_options_load(o, path, &err);
    fuzz_check_error(status, &err);
    FUZZ_CHECK(status || !flat);
    attend_options_free(o);
    return 0;
}
