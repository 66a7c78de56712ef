/* Lexicons: the first line is a text to look for, the rest is the file.
 *
 * Aimed at: src/corpus/lexicon.c */
#include "fuzz.h"

#include "corpus/lexicon.h"

#include <stdlib.h>
#include <string.h>

static void check_lexicon(const struct lexicon *lexicon, const char *text)
{
    const char *found = lexicon_find(lexicon, text);
    for (int i = 0; i < lexicon->source.count; i++) {
        const char *target = lexicon->target.text + lexicon->start[i];
        FUZZ_CHECK(lexicon->start[i] < lexicon->target.length);
        fuzz_check_text(target, false);
        FUZZ_CHECK(*target);
    }
    if (found)
        fuzz_check_text(found, false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    struct lexicon lexicon = {0};
    struct attend_error err = {.message = ""};
    size_t length;
    char *text = fuzz_until(&in, '\n', &length);
    fuzz_make_text(text, length, false);
    if (fuzz_compressed(in.at, in.left)) {
        free(text);
        return 0;
    }
    const enum attend_status status = lexicon_load(&lexicon, fuzz_file(0, in.at, in.left), &err);
    fuzz_check_error(status, &err);
    if (!status)
        check_lexicon(&lexicon, text);
    lexicon_release(&lexicon);
    free(text);
    return 0;
}
