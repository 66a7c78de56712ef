/* Glossaries: the first line is a text with terms, the rest is the file.
 *
 * Aimed at: src/markup/glossary.c line_terms.c */
#include "fuzz.h"

#include "attend/markup.h"

#include <stdlib.h>
#include <string.h>

static void check_terms(const struct attend_glossary *g, const char *text)
{
    const struct attend_markup_options options = {.glossary = g, .general = g, .masks = 7};
    struct attend_markup *m = NULL;
    struct attend_error err = {.message = ""};
    int count;
    FUZZ_CHECK(attend_markup_parse(&m, text, &options, &err) == ATTEND_OK);
    const char *const *term = attend_markup_terms(m, &count);
    FUZZ_CHECK(count >= 0 && count <= ATTEND_MAX_PHRASES);
    for (int i = 0; i < count; i++) {
        fuzz_check_text(term[i], false);
        FUZZ_CHECK(*term[i] && strlen(term[i]) <= ATTEND_TERM_BYTES);
    }
    attend_markup_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    struct attend_glossary *g = NULL;
    struct attend_error err = {.message = ""};
    size_t length;
    char *text = fuzz_until(&in, '\n', &length);
    fuzz_make_text(text, length, false);
    if (!fuzz_compressed(in.at, in.left)) {
        const enum attend_status status =
            attend_glossary_load(&g, fuzz_file(0, in.at, in.left), &err);
        fuzz_check_error(status, &err);
        if (!status)
            check_terms(g, text);
    }
    attend_glossary_free(g);
    free(text);
    return 0;
}
