/* Files of API keys: the first line is a key to look for, the rest is the file.
 *
 * Aimed at: src/serve/keys.c */
#include "fuzz.h"

#include "serve/keys.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    struct keys *keys = NULL;
    struct attend_error err = {.message = ""};
    char *key = fuzz_until(&in, '\n', NULL);
    if (fuzz_compressed(in.at, in.left)) {
        free(key);
        return 0;
    }
    const enum attend_status status = keys_load(&keys, fuzz_file(0, in.at, in.left), &err);
    fuzz_check_error(status, &err);
    FUZZ_CHECK(!status == (keys != NULL));
    if (keys) {
        FUZZ_CHECK(keys_rate(keys, "") == -1);
        FUZZ_CHECK(keys_rate(keys, key) >= -1);
    }
    keys_free(keys);
    free(key);
    return 0;
}
