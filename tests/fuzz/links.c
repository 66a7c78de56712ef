/* Word alignments in Pharaoh format: the first byte is the number of the first word, and two lines
 * are the two directions.
 *
 * Aimed at: src/metric/links.c src/metric/symmetrize.c */
#include "fuzz.h"

#include "base/strbuf.h"
#include "metric/links.h"
#include "metric/symmetrize.h"

#include <stdlib.h>
#include <string.h>

static void check_links(const struct links *l)
{
    for (int i = 0; i < l->count; i++) {
        const struct link *x = &l->item[i], *before = i ? x - 1 : NULL;
        FUZZ_CHECK(x->source >= 0 && x->source <= LINKS_MAX_NUMBER);
        FUZZ_CHECK(x->target >= 0 && x->target <= LINKS_MAX_NUMBER);
        FUZZ_CHECK(!before || before->source < x->source ||
                   (before->source == x->source && before->target < x->target));
        FUZZ_CHECK(links_find(l, x->source, x->target) == x);
    }
}

/* Links survive printing and reading. */
static void check_print(const struct links *l)
{
    struct strbuf text = {0};
    struct links again = {0};
    strbuf_adds(&text, "");
    links_print(l, &text);
    FUZZ_CHECK(!links_parse(&again, text.text, text.length, 0, "printed", 1, NULL));
    FUZZ_CHECK(again.count == l->count);
    for (int i = 0; i < l->count; i++)
        FUZZ_CHECK(again.item[i].source == l->item[i].source &&
                   again.item[i].target == l->item[i].target &&
                   again.item[i].sure == l->item[i].sure);
    links_release(&again);
    strbuf_release(&text);
}

static void check_both(const struct links *forward, const struct links *reverse)
{
    struct links out = {0};
    const char *name;
    for (int i = 0; (name = symmetrize_name(i)); i++) {
        FUZZ_CHECK(!symmetrize(&out, forward, reverse, symmetrize_find(name), NULL));
        check_links(&out);
        for (int k = 0; k < out.count; k++) {
            const int source = out.item[k].source, target = out.item[k].target;
            FUZZ_CHECK(links_find(forward, source, target) || links_find(reverse, source, target));
        }
    }
    links_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    struct links links[2] = {{0}, {0}};
    struct attend_error err = {.message = ""};
    const int base = fuzz_byte(&in) & 1;
    bool good = true;
    for (int i = 0; i < 2; i++) {
        size_t length;
        char *line = fuzz_until(&in, '\n', &length);
        const enum attend_status status =
            links_parse(&links[i], line, length, base, "file", i + 1, &err);
        fuzz_check_error(status, &err);
        good = good && !status;
        check_links(&links[i]);
        check_print(&links[i]);
        free(line);
    }
    links_turn(&links[1]);
    check_links(&links[1]);
    if (good)
        check_both(&links[0], &links[1]);
    links_release(&links[0]);
    links_release(&links[1]);
    return 0;
}
