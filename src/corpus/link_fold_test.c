/* Links between words become links between pieces. */
#include "corpus/link_fold.h"

#include "corpus/pairs.h"
#include "test.h"
#include "text/tokenizer.h"

#include <string.h>

static void add_piece(void *context, const struct tokenizer_piece *piece)
{
    link_pieces_add(context, piece->text, piece->length);
}

/* Fold a line of links of a pair that both sides cut in the same way; `tags` pieces come before the source's. */
static enum attend_status fold_line(struct link_fold *f, const char *tokenizer, const char *source,
                                    const char *target, const char *links, int tags,
                                    struct attend_error *err)
{
    struct tokenizer *t;
    struct link_pieces pieces[2] = {{.count = 0}};
    const struct text_pair pair = {.source = source,
                                   .target = target,
                                   .line = 8,
                                   .links = links,
                                   .links_length = strlen(links)};
    const struct link_file file = {.name = "gold", .before = 1};
    assert_int_equal(tokenizer_new(&t, tokenizer, NULL, NULL), ATTEND_OK);
    assert_true(tokenizer_split(t, source, strlen(source), add_piece, &pieces[0]));
    assert_true(tokenizer_split(t, target, strlen(target), add_piece, &pieces[1]));
    const enum attend_status status =
        link_fold(f, &file, &pair, (const struct tokenizer *const[]){t, t},
                  (const struct link_pieces *const[]){&pieces[0], &pieces[1]}, tags, err);
    tokenizer_free(t);
    strbuf_release(&pieces[0].spelling);
    strbuf_release(&pieces[1].spelling);
    return status;
}

static void expect(const char *tokenizer, const char *source, const char *target, const char *links,
                   int tags, const int *wanted, int count)
{
    struct link_fold f = {.count = 0};
    struct attend_error err = {.message = ""};
    assert_int_equal(fold_line(&f, tokenizer, source, target, links, tags, &err), ATTEND_OK);
    assert_int_equal(f.count, count);
    if (count)
        assert_memory_equal(f.link, wanted, 2 * (size_t)count * sizeof *wanted);
    link_fold_release(&f);
}

TEST(link_fold_links_words_in_the_order_of_the_targets)
{
    expect("spaces", "a b c", "x y", "2-1 0-0 2p0", 0, (int[]){0, 0, 2, 0, 2, 1}, 3);
    expect("spaces", "a b c", "x y", "", 0, NULL, 0);
}

TEST(link_fold_counts_from_after_the_tags)
{
    expect("spaces", "a b", "x y", "1-0", 2, (int[]){3, 0}, 1);
}

TEST(link_fold_links_all_pieces_of_words_but_no_blank)
{
    /* the pieces are a b _ c, and x _ y z */
    expect("char", "ab c", "x yz", "0-1 1-0", 0, (int[]){3, 0, 0, 2, 1, 2, 0, 3, 1, 3}, 5);
    /* the word and its comma are one word */
    expect("word", "Ja, gut", "Yes, good", "0-0", 0, (int[]){0, 0, 1, 0, 0, 1, 1, 1}, 4);
}

TEST(link_fold_refuses_with_file_and_line)
{
    struct link_fold f = {.count = 0};
    struct attend_error err;
    assert_int_equal(fold_line(&f, "spaces", "a b", "x y", "0-0 1:1", 0, &err), ATTEND_DATA);
    assert_string_equal(err.message, "gold:7: '1:1' is not a link; write 3-4 for a sure link, 3p4 "
                                     "for a possible one");
    assert_int_equal(fold_line(&f, "spaces", "a b", "x y", "0-0 2-1", 0, &err), ATTEND_DATA);
    assert_string_equal(err.message,
                        "gold:7: '2-1' is beyond the pair, which has 2 source and 2 target words");
    link_fold_release(&f);
}
