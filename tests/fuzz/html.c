/* Texts cut into what is translated and what stays: a byte says whether it is HTML.
 *
 * Aimed at: src/serve/pieces.c */
#include "fuzz.h"

#include "base/strbuf.h"
#include "serve/pieces.h"

#include <stdlib.h>
#include <string.h>

static void check_pieces(const struct pieces *p)
{
    int asking = 0;
    for (int i = 0; i < p->count; i++) {
        const char *text = p->item[i].text;
        fuzz_check_text(text, !p->item[i].asks);
        asking += p->item[i].asks;
        FUZZ_CHECK(!p->item[i].asks || text[strspn(text, " \t")]);
    }
    FUZZ_CHECK(asking == p->asking && !p->failed);
}

/* The text of an answer in which every piece is translated by itself. */
static char *put_together(const struct pieces *p, bool html)
{
    struct strbuf out = {0};
    strbuf_adds(&out, "");
    for (int i = 0; i < p->count; i++)
        if (html && p->item[i].asks)
            pieces_escape_html(&out, p->item[i].text);
        else
            strbuf_adds(&out, p->item[i].text);
    FUZZ_CHECK(!out.failed);
    return strbuf_detach(&out);
}

static const struct piece *next_asking(const struct pieces *p, int *i)
{
    while (*i < p->count && !p->item[*i].asks)
        ++*i;
    return *i < p->count ? &p->item[(*i)++] : NULL;
}

/* The same texts are asked for. */
static void check_equal(const struct pieces *a, const struct pieces *b)
{
    int i = 0, j = 0;
    const struct piece *left, *right;
    FUZZ_CHECK(a->asking == b->asking);
    while ((left = next_asking(a, &i)) && (right = next_asking(b, &j)))
        FUZZ_CHECK(strcmp(left->text, right->text) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    struct pieces first = {0}, second = {0};
    const bool html = fuzz_byte(&in) & 1;
    size_t length;
    char *text = fuzz_rest(&in, &length);
    fuzz_make_text(text, length, true);
    (html ? pieces_cut_html : pieces_cut_text)(&first, text);
    check_pieces(&first);
    char *whole = put_together(&first, html);
    (html ? pieces_cut_html : pieces_cut_text)(&second, whole);
    check_pieces(&second);
    if (!strchr(text, '&')) /* references to blanks are no text any more */
        check_equal(&first, &second);
    free(whole);
    pieces_release(&first);
    pieces_release(&second);
    free(text);
    return 0;
}
