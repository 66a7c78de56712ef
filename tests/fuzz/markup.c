/* Lines with tags, placeholders and masked parts: the first byte selects what is recognized, the first
 * line is the translation, the second the line.
 *
 * Aimed at: src/markup/line.c line_match.c html.c placeholder.c mask.c units.c alignment.c place.c
 * write.c */
#include "fuzz.h"

#include "attend/markup.h"

#include <stdlib.h>
#include <string.h>

/* A translation whose tokens are the words between blanks, and whose attention follows from the
 * bytes. */
static struct attend_translation make(const char *source, const char *target, unsigned seed)
{
    struct attend_translation t = {.text = strdup(target), .complete = true};
    const char *text[] = {source, target};
    struct attend_span **span[] = {&t.source_span, &t.target_span};
    int *count[] = {&t.source_count, &t.target_count};
    for (int i = 0; i < 2; i++) {
        const size_t length = strlen(text[i]);
        *span[i] = calloc(length + 2, sizeof **span[i]);
        for (size_t at = 0; at < length;) {
            const size_t word = strcspn(text[i] + at, " \t");
            if (word)
                (*span[i])[(*count[i])++] = (struct attend_span){at, at + word};
            at += word ? word : 1;
        }
        (*span[i])[(*count[i])++] = (struct attend_span){length, length};
    }
    t.target = calloc((size_t)t.target_count, sizeof *t.target);
    const size_t cells = (size_t)t.source_count * (size_t)t.target_count;
    t.attention = seed & 1 ? calloc(cells, sizeof *t.attention) : NULL;
    for (size_t i = 0; t.attention && i < cells; i++)
        t.attention[i] = (float)((i * 7919 + seed) % 97) / 97;
    return t;
}

/* Whether the translation has something that could be taken for markup. */
static bool is_plain(const char *target) { return !strpbrk(target, "{}%$<>&@:/.0123456789\r"); }

/* Whether two texts are the same but for their blanks: where markup is taken out, the blanks beside it
 * become one. */
static bool same_words(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " \t");
        b += strspn(b, " \t");
        if (*a != *b || !*a)
            return *a == *b;
    }
}

static void check(const struct attend_markup *m, const struct attend_markup_options *options,
                  const char *line, const char *target, unsigned seed)
{
    struct attend_translation t = make(attend_markup_text(m), target, seed);
    struct attend_error err = {.message = ""};
    struct attend_markup *again = NULL;
    if (!*attend_markup_text(m))
        *t.text = '\0';
    char *want = strdup(t.text);
    FUZZ_CHECK(attend_markup_apply(m, &t, &err) == ATTEND_OK);
    fuzz_check_text(t.text, true);
    FUZZ_CHECK(attend_markup_parse(&again, t.text, options, &err) == ATTEND_OK);
    /* A broken tag, or a placeholder such as %1, may join with what it now stands beside. */
    if (options->tags == ATTEND_TAGS_HTML && !options->tolerant && is_plain(target) &&
        !options->masks && !strchr(line, '%') && !strpbrk(attend_markup_text(m), "{}%$<>&"))
        FUZZ_CHECK(same_words(attend_markup_text(again), want));
    free(want);
    attend_markup_free(again);
    attend_translation_release(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    const unsigned how = fuzz_byte(&in);
    const struct attend_markup_options options = {
        .tags = (enum attend_tags)(how % 3), .tolerant = how >> 2 & 1, .masks = how >> 3 & 7};
    struct attend_markup *m = NULL;
    struct attend_error err = {.message = ""};
    size_t length, target_length;
    char *target = fuzz_until(&in, '\n', &target_length);
    char *line = fuzz_rest(&in, &length);
    fuzz_make_text(target, target_length, false);
    fuzz_make_text(line, length, options.tags == ATTEND_TAGS_HTML);
    const enum attend_status status = attend_markup_parse(&m, line, &options, &err);
    fuzz_check_error(status, &err);
    if (!status) {
        fuzz_check_text(attend_markup_text(m), options.tags != ATTEND_TAGS_HTML);
        check(m, &options, line, target, how >> 6);
    }
    attend_markup_free(m);
    free(target);
    free(line);
    return 0;
}
