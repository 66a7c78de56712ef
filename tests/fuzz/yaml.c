/* Configuration files: the settings of training and of a server, and any flat mapping.
 *
 * Aimed at: src/yaml/yaml.c */
#include "fuzz.h"

#include "attend/serve.h"
#include "attend/settings.h"
#include "attend/train.h"

#include <stddef.h>
#include <string.h>

static enum attend_status count(void *context, const char *name, const char *value, bool item,
                                struct attend_error *err)
{
    (void)item, (void)err;
    fuzz_check_text(name, true);
    fuzz_check_text(value, true);
    ++*(int *)context;
    return ATTEND_OK;
}

/* A file for `attend serve`, whose lists are repeated options. */
static void check_server(const char *path, bool flat)
{
    struct attend_serve_options serve = attend_serve_defaults();
    struct attend_settings *o = NULL;
    struct attend_error err = {.message = ""};
    FUZZ_CHECK(!attend_settings_new(&o, &err));
    FUZZ_CHECK(!attend_settings_add(o, "", ATTEND_TABLE_SERVE_MODELS, &serve, &err));
    FUZZ_CHECK(!attend_settings_add(o, "", ATTEND_TABLE_SERVE, &serve, &err));
    FUZZ_CHECK(!attend_settings_add(o, "", ATTEND_TABLE_SERVE_LIMITS, &serve, &err));
    const enum attend_status status = attend_settings_load(o, path, attend_yaml_read, &err);
    fuzz_check_error(status, &err);
    FUZZ_CHECK(status || flat);
    for (int i = 0; serve.models && serve.models[i]; i++)
        fuzz_check_text(serve.models[i], true);
    attend_settings_free(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct attend_data_options text = attend_data_defaults();
    struct attend_train_options train = attend_train_defaults();
    struct attend_settings *o = NULL;
    struct attend_error err = {.message = ""};
    int settings = 0;
    size_t line;
    const char *path = fuzz_file(0, data, size);
    const enum attend_status flat = attend_yaml_read(data, size, count, &settings, &line, &err);
    fuzz_check_error(flat, &err);
    FUZZ_CHECK(!attend_settings_new(&o, &err));
    FUZZ_CHECK(!attend_settings_add(o, "", ATTEND_TABLE_DATA, &text, &err));
    FUZZ_CHECK(!attend_settings_add(o, "", ATTEND_TABLE_TOKENS, &text, &err));
    FUZZ_CHECK(!attend_settings_add(o, "", ATTEND_TABLE_LEARNING, &train, &err));
    const enum attend_status status = attend_settings_load(o, path, attend_yaml_read, &err);
    fuzz_check_error(status, &err);
    FUZZ_CHECK(status || !flat);
    attend_settings_free(o);
    check_server(path, !flat);
    return 0;
}
