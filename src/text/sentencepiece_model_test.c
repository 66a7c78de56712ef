#include "test.h"

#include "base/strbuf.h"
#include "text/tokenizer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Builds models byte by byte: a valid one of three pieces, with one thing wrong at a time. */

enum { VARINT, FIXED64, BYTES, GROUP, GROUP_END, FIXED32 };
enum { PIECES = 1, TRAINER, NORMALIZER, SELF_TEST, DENORMALIZER };
enum { NORMAL = 1, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE };

static void put_varint(struct strbuf *s, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        strbuf_addc(s, (char)(value | 0x80));
    strbuf_addc(s, (char)value);
}

static void put_number(struct strbuf *s, uint64_t field, uint64_t value)
{
    put_varint(s, field << 3 | VARINT);
    put_varint(s, value);
}

static void put_bytes(struct strbuf *s, uint64_t field, const void *bytes, size_t length)
{
    put_varint(s, field << 3 | BYTES);
    put_varint(s, length);
    strbuf_add(s, bytes, length);
}

static void put_message(struct strbuf *s, uint64_t field, struct strbuf *message)
{
    put_bytes(s, field, message->text, message->length);
    strbuf_release(message);
}

static void put_piece(struct strbuf *s, const char *piece, size_t length, uint64_t type,
                      float score)
{
    struct strbuf m = {0};
    put_bytes(&m, 1, piece, length);
    put_varint(&m, 2 << 3 | FIXED32);
    strbuf_add(&m, (const char *)&score, sizeof score);
    put_number(&m, 3, type);
    put_message(s, PIECES, &m);
}

static struct strbuf three_pieces(void)
{
    struct strbuf s = {0};
    put_piece(&s, "<unk>", 5, UNKNOWN, 0);
    put_piece(&s, "\xE2\x96\x81", 3, NORMAL, -2);
    put_piece(&s, "a", 1, NORMAL, -1);
    return s;
}

static void emit(void *context, const struct tokenizer_piece *piece)
{
    strbuf_add(context, piece->text, piece->length);
    strbuf_addc(context, '|');
}

/* Load the model, release the bytes and, if it loads, use it, as reading a model file does. */
static enum attend_status load(struct strbuf *model)
{
    struct tokenizer *t = NULL;
    struct attend_error err = {.message = ""};
    const enum attend_status status =
        tokenizer_load(&t, "sentencepiece", NULL, model->text, model->length, &err);
    strbuf_release(model);
    if (status) {
        assert_int_equal(status, ATTEND_FORMAT);
        assert_true(strlen(err.message) > 0);
        return status;
    }
    struct strbuf out = {0};
    char text[200];
    memset(text, 'a', sizeof text);
    assert_true(tokenizer_split(t, text, sizeof text, emit, &out));
    tokenizer_join(t, &out, (const char *const[]){"a", "<unk>"}, 2);
    strbuf_release(&out);
    tokenizer_free(t);
    return ATTEND_OK;
}

static void assert_loads(struct strbuf model) { assert_int_equal(load(&model), ATTEND_OK); }
static void assert_refused(struct strbuf model) { assert_int_equal(load(&model), ATTEND_FORMAT); }

/* ---- Normalization tables ---- */

enum { UNITS = 256, TABLE = 4 + 4 * UNITS };

/* A trie of one block and the strings after it. */
static void put_table(struct strbuf *s, uint64_t tag, const uint32_t *unit, const char *strings,
                      size_t length)
{
    struct strbuf table = {0};
    const uint32_t size = 4 * UNITS;
    strbuf_add(&table, (const char *)&size, sizeof size);
    strbuf_add(&table, (const char *)unit, size);
    strbuf_add(&table, strings, length);
    put_varint(s, tag);
    put_varint(s, table.length);
    strbuf_add(s, table.text, table.length);
    strbuf_release(&table);
}

static struct strbuf with_table(const uint32_t *unit, const char *strings, size_t length)
{
    struct strbuf s = three_pieces(), rules = {0};
    put_table(&rules, 2 << 3 | BYTES, unit, strings, length);
    put_message(&s, NORMALIZER, &rules);
    return s;
}

static uint32_t offset(uint32_t to) { return to << 10; }
enum { ENDS_KEY = 1 << 8 };

/* Units that match no byte. */
static void fill(uint32_t *unit, int count)
{
    for (int i = 0; i < count; i++)
        unit[i] = 1u << 31;
}

/* "a" becomes the string at offset `place`. */
static void rule_for_a(uint32_t *unit, uint32_t place)
{
    fill(unit, UNITS);
    unit[0] = offset(0x10);
    unit[0x10 ^ 'a'] = 'a' | ENDS_KEY | offset(0x10 ^ 'a' ^ 0x20);
    unit[0x20] = 1u << 31 | place;
}

TEST(sentencepiece_model_takes_a_sound_model)
{
    uint32_t unit[UNITS];
    assert_loads(three_pieces());
    rule_for_a(unit, 2);
    assert_loads(with_table(unit, "x\0y", 4));
}

/* Protobuf keeps only 32 bits of a tag: a field that we would skip is a table to it. */
TEST(sentencepiece_model_refuses_tags_of_more_than_32_bits)
{
    static const uint64_t high[] = {1ull << 32, 1ull << 35, 1ull << 63};
    uint32_t unit[UNITS] = {offset(0x3fff00)};
    for (size_t i = 0; i < sizeof high / sizeof *high; i++) {
        struct strbuf s = three_pieces(), rules = {0};
        put_table(&rules, high[i] | 2 << 3 | BYTES, unit, "x", 2);
        put_message(&s, NORMALIZER, &rules);
        assert_refused(s);

        s = three_pieces();
        rules = (struct strbuf){0};
        put_table(&rules, 2 << 3 | BYTES, unit, "x", 2);
        put_varint(&s, high[i] | NORMALIZER << 3 | BYTES);
        put_varint(&s, rules.length);
        strbuf_add(&s, rules.text, rules.length);
        strbuf_release(&rules);
        assert_refused(s);
    }
}

TEST(sentencepiece_model_refuses_numbers_with_superfluous_bytes)
{
    struct strbuf s = three_pieces();
    strbuf_add(&s, "\x92\x80\x00\x00", 4); /* the trainer's tag in three bytes; an empty message */
    assert_refused(s);
    s = three_pieces();
    strbuf_add(&s, "\x12\x80\x00", 3); /* its length in two bytes */
    assert_refused(s);
    s = three_pieces();
    strbuf_add(&s, "\x12\x00", 2);
    assert_loads(s);
}

TEST(sentencepiece_model_refuses_groups_and_field_0)
{
    static const char *const wrong[] = {"\x53\x54", "\x54", "\x1b\x1c", "\x02", "\x06", "\x07"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct strbuf s = three_pieces();
        strbuf_adds(&s, wrong[i]);
        assert_refused(s);
    }
    struct strbuf s = three_pieces();
    strbuf_add(&s, "\0\0", 2);
    assert_refused(s);
}

/* Protobuf would merge the second message into the first. */
TEST(sentencepiece_model_refuses_fields_that_are_there_twice)
{
    uint32_t unit[UNITS];
    rule_for_a(unit, 0);
    for (int twice = 0; twice < 3; twice++) {
        struct strbuf s = three_pieces(), rules = {0};
        put_table(&rules, 2 << 3 | BYTES, unit, "x", 2);
        if (twice == 1)
            put_table(&rules, 2 << 3 | BYTES, unit, "x", 2);
        put_bytes(&s, NORMALIZER, rules.text, rules.length);
        if (twice == 2)
            put_bytes(&s, NORMALIZER, rules.text, rules.length);
        strbuf_release(&rules);
        if (twice)
            assert_refused(s);
        else
            assert_loads(s);
    }
}

TEST(sentencepiece_model_refuses_known_fields_of_another_type)
{
    struct strbuf s = three_pieces();
    put_number(&s, NORMALIZER, 1);
    assert_refused(s);
    s = three_pieces();
    struct strbuf rules = {0};
    put_number(&rules, 2, 1);
    put_message(&s, NORMALIZER, &rules);
    assert_refused(s);
    s = three_pieces();
    put_number(&s, 99, 1); /* unknown: skipped */
    put_bytes(&s, 200, "x", 1);
    assert_loads(s);
}

TEST(sentencepiece_model_refuses_tables_with_a_cycle)
{
    uint32_t unit[UNITS];
    rule_for_a(unit, 0);
    unit[0x10 ^ 'a'] = 'a' | ENDS_KEY | offset('a'); /* of one unit */
    unit[0x10] = 1u << 31;
    assert_refused(with_table(unit, "x", 2));
}

/* A chain of `length` units, each of which ends a key: a, aa, aaa ... */
static struct strbuf chain(int length)
{
    enum { BLOCKS = 1030 };
    static uint32_t unit[BLOCKS * UNITS];
    fill(unit, BLOCKS * UNITS);
    unit[0] = 0;
    uint32_t at = 0;
    for (uint32_t i = 1; i <= (uint32_t)length; i++) {
        const uint32_t base = i * 256;
        unit[at] |= (at ^ base) << 10;
        at = base ^ 'a';
        unit[at] = 'a' | ENDS_KEY;
    }
    unit[at] |= (at ^ (BLOCKS - 1) * 256u) << 10;
    struct strbuf s = three_pieces(), rules = {0}, table = {0};
    const uint32_t size = sizeof unit;
    strbuf_add(&table, (const char *)&size, sizeof size);
    strbuf_add(&table, (const char *)unit, size);
    strbuf_add(&table, "a", 2);
    put_message(&rules, 2, &table);
    put_message(&s, NORMALIZER, &rules);
    return s;
}

TEST(sentencepiece_model_allows_keys_of_1024_bytes_and_no_more)
{
    assert_loads(chain(33));
    assert_loads(chain(1024));
    assert_refused(chain(1025));
}

TEST(sentencepiece_model_refuses_strings_that_are_no_text)
{
    uint32_t unit[UNITS];
    rule_for_a(unit, 0);
    assert_refused(with_table(unit, "\xC3", 2));
    assert_refused(with_table(unit, "\n", 2));
    assert_loads(with_table(unit, "\xC3\xA4", 3));
    rule_for_a(unit, 1); /* in the middle of a character */
    assert_refused(with_table(unit, "\xC3\xA4", 3));
    /* This one would turn a thousand letters into a gigabyte. */
    char *large = calloc(1, 1 << 20);
    memset(large, 'x', (1 << 20) - 1);
    rule_for_a(unit, 0);
    assert_refused(with_table(unit, large, 1 << 20));
    free(large);
}

/* ---- Pieces ---- */

static struct strbuf with_piece(const char *piece, size_t length, uint64_t type, float score)
{
    struct strbuf s = three_pieces();
    put_piece(&s, piece, length, type, score);
    return s;
}

TEST(sentencepiece_model_refuses_pieces_that_are_no_text)
{
    assert_loads(with_piece("b", 1, NORMAL, 0));
    assert_loads(with_piece("\n", 1, USER_DEFINED, 0));
    assert_refused(with_piece("", 0, NORMAL, 0));
    assert_refused(with_piece("a\0b", 3, NORMAL, 0));
    assert_refused(with_piece("\0", 1, USER_DEFINED, 0));
    assert_refused(with_piece("\xC3", 1, NORMAL, 0));
    assert_refused(with_piece("\xED\xA0\x80", 3, USER_DEFINED, 0));
}

TEST(sentencepiece_model_refuses_scores_that_are_not_finite)
{
    assert_refused(with_piece("b", 1, NORMAL, NAN));
    assert_refused(with_piece("b", 1, NORMAL, -INFINITY));
    assert_refused(with_piece("b", 1, NORMAL, INFINITY));
    assert_refused(with_piece("b", 1, NORMAL, -3e38f)); /* a sum of two overflows */
    assert_loads(with_piece("b", 1, NORMAL, -1e9f));
}

TEST(sentencepiece_model_refuses_unknown_types)
{
    assert_loads(with_piece("b", 1, CONTROL, 0));
    assert_refused(with_piece("b", 1, 0, 0));
    assert_refused(with_piece("b", 1, 7, 0));
    assert_refused(with_piece("b", 1, 1ull << 32 | CONTROL, 0)); /* a control piece to protobuf */
    for (uint64_t type = 0; type < 6; type++) {
        struct strbuf s = three_pieces(), trainer = {0};
        put_number(&trainer, 3, type);
        put_message(&s, TRAINER, &trainer);
        if (type >= 1 && type <= 4)
            assert_loads(s);
        else
            assert_refused(s);
    }
}

TEST(sentencepiece_model_refuses_very_long_pieces)
{
    char *piece = malloc(4 << 20);
    memset(piece, 'b', 4 << 20);
    assert_refused(with_piece(piece, 4 << 20, NORMAL, 0));
    assert_refused(with_piece(piece, 1025, USER_DEFINED, 0));
    assert_loads(with_piece(piece, 1024, NORMAL, 0));
    free(piece);
}

TEST(sentencepiece_model_takes_symbols_that_begin_each_other)
{
    char a[300];
    memset(a, 'a', sizeof a);
    struct strbuf s = three_pieces();
    for (size_t i = sizeof a; i > 1; i--)
        put_piece(&s, a, i, USER_DEFINED, 0);
    assert_loads(s);
}

TEST(sentencepiece_model_refuses_the_same_piece_twice)
{
    assert_refused(with_piece("a", 1, NORMAL, 0));
    assert_refused(with_piece("a", 1, USER_DEFINED, 0));
    assert_refused(with_piece("a", 1, CONTROL, 0));
}

TEST(sentencepiece_model_needs_one_unknown_piece)
{
    struct strbuf s = {0};
    put_piece(&s, "a", 1, NORMAL, -1);
    assert_refused(s);
    assert_refused((struct strbuf){0});
    assert_refused(with_piece("?", 1, UNKNOWN, 0));
}

/* All byte pieces, or all but one. */
static struct strbuf with_bytes(int left_out, bool used)
{
    struct strbuf s = three_pieces(), trainer = {0};
    for (int byte = 0; byte < 256; byte++) {
        char name[8];
        snprintf(name, sizeof name, "<0x%02X>", (unsigned)byte);
        if (byte != left_out)
            put_piece(&s, name, 6, BYTE, 0);
    }
    put_number(&trainer, 35, used);
    put_message(&s, TRAINER, &trainer);
    return s;
}

TEST(sentencepiece_model_needs_all_bytes_or_none)
{
    assert_loads(with_bytes(-1, true));
    assert_refused(with_bytes(-1, false));
    assert_refused(with_bytes(77, true));
    assert_refused(with_piece("<0x4>", 5, BYTE, 0));
    struct strbuf s = with_bytes(-1, true);
    put_piece(&s, "<0xag>", 6, BYTE, 0);
    assert_refused(s);
}

TEST(sentencepiece_model_refuses_a_surface_of_unknown_words_that_is_no_text)
{
    static const struct {
        const char *text;
        bool good;
    } surface[] = {{" ? ", true}, {"", true}, {"\xFF", false}, {"a\nb", true}};
    for (size_t i = 0; i < sizeof surface / sizeof *surface; i++) {
        struct strbuf s = three_pieces(), trainer = {0};
        put_bytes(&trainer, 44, surface[i].text, strlen(surface[i].text));
        put_message(&s, TRAINER, &trainer);
        if (surface[i].good)
            assert_loads(s);
        else
            assert_refused(s);
    }
}

/* The library would split all its samples, however many there are. */
TEST(sentencepiece_model_ignores_the_self_test)
{
    struct strbuf s = {0}, sample = {0}, tests = {0}, rest = three_pieces();
    put_bytes(&sample, 1, "aaa", 3);
    put_bytes(&sample, 2, "no such pieces", 14);
    put_message(&tests, 1, &sample);
    put_message(&s, SELF_TEST, &tests);
    strbuf_add(&s, rest.text, rest.length);
    strbuf_release(&rest);
    assert_loads(s);
}
