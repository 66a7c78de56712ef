/* Pairs of text: a byte of switches; then either a line of columns and a table, or the source, a
 * byte 0xFF and the target.
 *
 * Aimed at: src/corpus/pairs_read.c src/corpus/pairs.c src/corpus/columns.c src/corpus/reader.c */
#include "fuzz.h"

#include "base/utf8.h"
#include "corpus/pairs.h"
#include "corpus/pairs_read.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE = 1, HEADER = 2, SKIP = 4, FEATURES = 8 };

static void check_side(const char *text, size_t length)
{
    FUZZ_CHECK(length > 0 && strlen(text) == length);
    fuzz_check_text(text, false);
}

static void check_pairs(struct pairs *pairs)
{
    struct attend_error err = {.message = ""};
    struct text_pair pair;
    size_t count = 0;
    FUZZ_CHECK(!pairs_rewind(pairs, &err));
    for (; !pairs_next(pairs, &pair, &err) && pair.source; count++) {
        check_side(pair.source, pair.source_length);
        check_side(pair.target, pair.target_length);
    }
    FUZZ_CHECK(count == pairs_count(pairs));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    struct attend_error err = {.message = ""};
    struct pairs *pairs = NULL;
    struct pairs_faults faults = {0};
    const unsigned flags = fuzz_byte(&in);
    char *columns = flags & TABLE ? fuzz_until(&in, '\n', NULL) : NULL;
    struct pairs_input input = {.header = flags & HEADER, .skip_broken = flags & SKIP};
    size_t length;
    char *source = flags & TABLE ? fuzz_rest(&in, &length) : fuzz_until(&in, 0xff, &length);
    if (fuzz_compressed(source, length) || fuzz_compressed(in.at, in.left)) {
        free(columns);
        free(source);
        return 0;
    }
    const char *path = fuzz_file(0, source, length);
    if (flags & TABLE) {
        input.table = path;
        input.columns = *columns ? columns : NULL;
        input.features = flags & FEATURES ? "f" : NULL;
    } else {
        input.source = path;
        input.target = fuzz_file(1, in.at, in.left);
    }
    FUZZ_CHECK(!pairs_new(&pairs, "/dev/shm", &err));
    const enum attend_status status = pairs_read(&input, NULL, &pairs, &faults, &err);
    fuzz_check_error(status, &err);
    check_pairs(pairs);
    pairs_free(pairs);
    free(columns);
    free(source);
    return 0;
}
