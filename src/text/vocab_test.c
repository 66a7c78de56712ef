#include "base/strbuf.h"
#include "test.h"
#include "text/vocab.h"

#include <string.h>

static void count(struct vocab_counter *c, const char *piece, int times)
{
    for (int i = 0; i < times; i++)
        vocab_counter_add(c, piece, strlen(piece));
}

static struct vocab *from_counter(const struct vocab_counter *c, int max_size)
{
    struct vocab *v = NULL;
    assert_int_equal(vocab_from_counter(&v, c, max_size, NULL), ATTEND_OK);
    return v;
}

static int id(const struct vocab *v, const char *piece)
{
    return vocab_id(v, piece, strlen(piece));
}

/* Parsing must fail with this message and not touch the output. */
static void assert_parse_fails(const char *bytes, size_t length, const char *message)
{
    struct vocab *v = NULL;
    struct attend_error err;
    assert_int_equal(vocab_parse(&v, bytes, length, "v.txt", &err), ATTEND_FORMAT);
    assert_string_equal(err.message, message);
    assert_null(v);
}

TEST(vocab_ids_follow_frequency_then_byte_order)
{
    struct vocab_counter c = {0};
    count(&c, "z", 2);
    count(&c, "\xC3\xA9", 1);
    count(&c, "b", 1);
    count(&c, "a", 1);
    count(&c, "ab", 1);
    count(&c, "most", 5);
    struct vocab *v = from_counter(&c, 0);
    const char *want[] = {"<unk>", "<s>", "</s>", "most", "z", "a", "ab", "b", "\xC3\xA9"};
    assert_int_equal(vocab_size(v), 9);
    for (int i = 0; i < 9; i++)
        assert_string_equal(vocab_piece(v, i), want[i]);
    assert_int_equal(id(v, "ab"), 6);
    assert_int_equal(id(v, "abc"), VOCAB_UNK);
    vocab_free(v);
    vocab_counter_release(&c);
}

TEST(vocab_order_of_counting_does_not_matter)
{
    const char *pieces[] = {"d", "a", "c", "b", "e"};
    struct vocab_counter forward = {0}, backward = {0};
    struct strbuf one = {0}, other = {0};
    for (int i = 0; i < 5; i++) {
        count(&forward, pieces[i], 1);
        count(&backward, pieces[4 - i], 1);
    }
    struct vocab *v = from_counter(&forward, 6), *w = from_counter(&backward, 6);
    vocab_write(v, &one);
    vocab_write(w, &other);
    assert_string_equal(one.text, "<unk>\n<s>\n</s>\na\nb\nc\n");
    assert_string_equal(one.text, other.text);
    strbuf_release(&one);
    strbuf_release(&other);
    vocab_free(v);
    vocab_free(w);
    vocab_counter_release(&forward);
    vocab_counter_release(&backward);
}

TEST(vocab_max_size_counts_the_special_pieces)
{
    struct vocab_counter c = {0};
    count(&c, "rare", 1);
    count(&c, "common", 2);
    struct vocab *v = from_counter(&c, 4);
    assert_int_equal(vocab_size(v), 4);
    assert_int_equal(id(v, "common"), 3);
    assert_int_equal(id(v, "rare"), VOCAB_UNK);
    vocab_free(v);
    vocab_counter_release(&c);
}

TEST(vocab_max_size_without_room_is_refused)
{
    const int sizes[] = {-1, 1, 3};
    for (int i = 0; i < 3; i++) {
        struct vocab_counter c = {0};
        struct vocab *v = NULL;
        struct attend_error err;
        count(&c, "a", 1);
        assert_int_equal(vocab_from_counter(&v, &c, sizes[i], &err), ATTEND_USAGE);
        assert_null(v);
        vocab_counter_release(&c);
    }
}

TEST(vocab_text_that_spells_a_special_piece_is_unknown)
{
    const char *spelled[] = {"<unk>", "<s>", "</s>"};
    struct vocab_counter c = {0};
    count(&c, "a", 1);
    for (int i = 0; i < 3; i++)
        count(&c, spelled[i], 9);
    struct vocab *v = from_counter(&c, 0);
    assert_int_equal(vocab_size(v), 4);
    assert_int_equal(id(v, "a"), 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(id(v, spelled[i]), VOCAB_UNK);
    vocab_free(v);
    vocab_counter_release(&c);
}

TEST(vocab_empty_counter_gives_the_special_pieces)
{
    struct vocab_counter c = {0};
    struct vocab *v = from_counter(&c, 0);
    assert_int_equal(vocab_size(v), VOCAB_SPECIALS);
    assert_string_equal(vocab_piece(v, VOCAB_EOS), "</s>");
    vocab_free(v);
}

TEST(vocab_failed_counter_is_out_of_memory)
{
    struct vocab_counter c = {.failed = true};
    struct vocab *v = NULL;
    assert_int_equal(vocab_from_counter(&v, &c, 0, NULL), ATTEND_NO_MEMORY);
    assert_null(v);
}

TEST(vocab_written_and_parsed_or_copied_is_the_same)
{
    const char *pieces[] = {" ", "\t", "\r", "x\r", "  ", "\xEF\xBB\xBF", "e\xCC\x81", "#"};
    struct vocab_counter c = {0};
    for (int i = 0; i < 8; i++)
        count(&c, pieces[i], 1 + i);
    struct vocab *v = from_counter(&c, 0), *w = NULL;
    struct strbuf out = {0}, again = {0};
    vocab_write(v, &out);
    assert_int_equal(vocab_parse(&w, out.text, out.length, "v.txt", NULL), ATTEND_OK);
    for (int i = 0; i < 8; i++)
        assert_int_equal(id(w, pieces[i]), 10 - i);
    vocab_write(w, &again);
    assert_string_equal(out.text, again.text);
    vocab_free(w);
    strbuf_clear(&again);
    assert_int_equal(vocab_copy(&w, v, NULL), ATTEND_OK);
    vocab_write(w, &again);
    assert_string_equal(out.text, again.text);
    strbuf_release(&out);
    strbuf_release(&again);
    vocab_free(v);
    vocab_free(w);
    vocab_counter_release(&c);
}

TEST(vocab_parse_takes_a_last_line_without_its_end)
{
    const char *text = "<unk>\n<s>\n</s>\na";
    struct vocab *v = NULL;
    assert_int_equal(vocab_parse(&v, text, strlen(text), "v.txt", NULL), ATTEND_OK);
    assert_int_equal(id(v, "a"), 3);
    vocab_free(v);
}

TEST(vocab_parse_says_what_is_wrong_and_where)
{
    static const struct {
        const char *bytes, *message;
    } cases[] = {
        {"", "v.txt: is no vocabulary; one begins with the lines <unk>, <s> and </s>"},
        {"<unk>\n<s>\n", "v.txt: is no vocabulary; one begins with the lines <unk>, <s> and </s>"},
        {"a\nb\nc\n", "v.txt:1: is not a special piece; a vocabulary begins with the lines <unk>, "
                      "<s> and </s>"},
        {"<unk>\n<s>\n</s>\na\n\nb\n",
         "v.txt:5: is empty; a vocabulary has one piece on each line"},
        {"<unk>\n<s>\n</s>\na\nb\na\n", "v.txt:6: repeats the piece of line 4"},
        {"<unk>\n<s>\n</s>\n<s>\n", "v.txt:4: repeats the piece of line 2"},
        {"<unk>\n<s>\n</s>\n\xC3\n", "v.txt:4: is not UTF-8 text"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_parse_fails(cases[i].bytes, strlen(cases[i].bytes), cases[i].message);
    assert_parse_fails("<unk>\n<s>\n</s>\na\0b\n", 19, "v.txt:4: is not UTF-8 text");
}

TEST(vocab_parse_of_damaged_bytes_fails_or_gives_a_sound_vocabulary)
{
    const char good[] = "<unk>\n<s>\n</s>\na\n\xC3\xA9\n\xF0\x9F\x99\x82\nlong piece\n";
    char bytes[sizeof good];
    for (size_t bit = 0; bit < 8 * (sizeof good - 1); bit++) {
        memcpy(bytes, good, sizeof good);
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        struct vocab *v = NULL;
        if (vocab_parse(&v, bytes, sizeof good - 1, "v.txt", NULL) == ATTEND_OK)
            assert_in_range(vocab_size(v), 3, 8);
        vocab_free(v);
    }
    for (size_t length = 0; length < sizeof good; length++) {
        struct vocab *v = NULL;
        if (vocab_parse(&v, good, length, "v.txt", NULL) == ATTEND_OK)
            assert_string_equal(vocab_piece(v, VOCAB_EOS), "</s>");
        vocab_free(v);
    }
}
