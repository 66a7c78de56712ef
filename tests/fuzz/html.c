/* Texts cut into segments: the first byte selects plain text or HTML.
 *
 * Aimed at: src/document/segments.c */
#include "fuzz.h"

#include "base/strbuf.h"
#include "document/segments.h"

#include <stdlib.h>
#include <string.h>

static void check_pieces(const struct segments *p, bool html)
{
    int asking = 0;
    for (int i = 0; i < p->count; i++) {
        const char *text = p->item[i].text;
        fuzz_check_text(text, html || !p->item[i].asks);
        asking += p->item[i].asks;
        FUZZ_CHECK(!p->item[i].asks || text[strspn(text, " \t")]);
    }
    FUZZ_CHECK(asking == p->asking && !p->failed);
}

/* The answer if every segment is translated to itself. */
static char *put_together(const struct segments *p)
{
    struct strbuf out = {0};
    strbuf_adds(&out, "");
    for (int i = 0; i < p->count; i++)
        strbuf_adds(&out, p->item[i].text);
    FUZZ_CHECK(!out.failed);
    return strbuf_detach(&out);
}

static const struct segment *next_asking(const struct segments *p, int *i)
{
    while (*i < p->count && !p->item[*i].asks)
        ++*i;
    return *i < p->count ? &p->item[(*i)++] : NULL;
}

/* Both have the same segments to translate. */
static void check_equal(const struct segments *a, const struct segments *b)
{
    int i = 0, j = 0;
    const struct segment *left, *right;
    FUZZ_CHECK(a->asking == b->asking);
    while ((left = next_asking(a, &i)) && (right = next_asking(b, &j)))
        FUZZ_CHECK(strcmp(left->text, right->text) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    struct segments first = {0}, second = {0};
    const bool html = fuzz_byte(&in) & 1;
    size_t length;
    char *text = fuzz_rest(&in, &length);
    fuzz_make_text(text, length, true);
    (html ? segments_cut_html : segments_cut_text)(&first, text);
    check_pieces(&first, html);
    char *whole = put_together(&first);
    (html ? segments_cut_html : segments_cut_text)(&second, whole);
    check_pieces(&second, html);
    FUZZ_CHECK(!html || strcmp(whole, text) == 0);
    check_equal(&first, &second);
    free(whole);
    segments_release(&first);
    segments_release(&second);
    free(text);
    return 0;
}
