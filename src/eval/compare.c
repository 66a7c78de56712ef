#include "eval/compare.h"

#include "base/error.h"

#include <string.h>

static bool has_blank(const char *text)
{
    text += strspn(text, " \t");
    const char *blank = text + strcspn(text, " \t");
    return blank[strspn(blank, " \t")];
}

/* Whether most references have several tokens. */
static bool tokens_are_symbols(const struct eval_input *j)
{
    size_t several = 0, all = j->start[j->count];
    for (size_t i = 0; i < all; i++)
        several += has_blank(j->ref[i]);
    return 2 * several > all;
}

enum attend_status compare_begin(struct compare *c, const struct attend_eval_options *options,
                                 struct attend_error *err)
{
    const bool automatic = strcmp(options->symbols, "auto") == 0;
    const bool by_metric = options->tokenize && strcmp(options->tokenize, "char") == 0;
    c->lowercase = options->lowercase;
    c->characters = automatic ? by_metric || !tokens_are_symbols(c->input)
                              : strcmp(options->symbols, "characters") == 0;
    return c->input->outputs == 1
               ? ATTEND_OK
               : error_set(err, ATTEND_USAGE, "errors are those of one output, without `compare`");
}

static enum attend_status out_of_memory(int line, struct attend_error *err)
{
    return error_set(err, ATTEND_NO_MEMORY, "out of memory for the edits of line %d", line + 1);
}

enum attend_status compare_line(struct compare *c, int line, int *edits, const char **nearest,
                                struct attend_error *err)
{
    const struct eval_input *j = c->input;
    const char *best = NULL;
    *edits = 0;
    units_read(&c->words, &c->output, eval_input_output(j, 0, line), c->characters, c->lowercase);
    for (size_t r = j->start[line]; r < j->start[line + 1]; r++) {
        units_read(&c->words, &c->other, j->ref[r], c->characters, c->lowercase);
        const int needed = symbols_distance(&c->output.id, &c->other.id);
        if (needed < 0)
            return out_of_memory(line, err);
        if (best &&
            (needed > *edits || (needed == *edits && c->other.id.count <= c->reference.id.count)))
            continue;
        const struct units kept = c->reference;
        c->reference = c->other;
        c->other = kept;
        *edits = needed;
        best = j->ref[r];
    }
    if (nearest)
        *nearest = best;
    const bool failed = words_failed(&c->words) || units_failed(&c->output) ||
                        units_failed(&c->reference) || units_failed(&c->other);
    return failed ? out_of_memory(line, err) : ATTEND_OK;
}

enum attend_status compare_align(struct compare *c, int line, struct attend_error *err)
{
    const struct symbols *output = &c->output.id, *reference = &c->reference.id;
    if (edits_align(&c->edits, output, reference))
        return ATTEND_OK;
    return error_set(err, ATTEND_NO_MEMORY,
                     "line %zu: %d symbols of output and %d of the reference are too many to be "
                     "compared one by one",
                     eval_input_number(c->input, line), output->count, reference->count);
}

void compare_release(struct compare *c)
{
    words_release(&c->words);
    units_release(&c->output);
    units_release(&c->reference);
    units_release(&c->other);
    edits_release(&c->edits);
}
