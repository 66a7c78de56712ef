#include "base/strbuf.h"
#include "test.h"
#include "lines_walk.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

/* The pieces of a text. */
struct pieces {
    char *item[4096];
    int count;
};

static void collect(void *context, const struct tokenizer_piece *piece)
{
    struct pieces *p = context;
    assert_true(piece->length > 0 && piece->from <= piece->to && p->count < 4096);
    p->item[p->count++] = strndup(piece->text, piece->length);
}

static void split(struct pieces *p, const struct tokenizer *t, const char *text)
{
    p->count = 0;
    assert_true(tokenizer_split(t, text, strlen(text), collect, p));
}

static char *join(const struct pieces *p, const struct tokenizer *t)
{
    struct strbuf out = {0};
    tokenizer_join(t, &out, (const char *const *)p->item, p->count);
    return strbuf_detach(&out);
}

static void pieces_release(struct pieces *p)
{
    while (p->count > 0)
        free(p->item[--p->count]);
}

static const char LESSON[] = "The quick brown fox jumps over the lazy dog, and 12 more.\n"
                             "\xD0\x9C\xD0\xB8\xD1\x80 \xD0\xB8 \xD1\x82\xD1\x80\xD1\x83\xD0\xB4\n"
                             "\xE0\xA4\xA8\xE0\xA4\xAE\xE0\xA4\xB8\xE0\xA5\x8D\xE0\xA4\xA4\xE0\xA5"
                             "\x87 \xE0\xA4\xA6\xE0\xA5\x81\xE0\xA4\xA8\n";

/* A tokenizer that is ready; rows with state learn from a few lines. */
static struct tokenizer *make(const char *name, const char *form, bool features)
{
    struct tokenizer *t = NULL;
    struct attend_error err = {.message = ""};
    struct lines lines;
    assert_true(lines_of(&lines, LESSON));
    struct lines_walk walk = {.lines = &lines};
    const struct tokenizer_settings settings = {.form = form, .features = features};
    if (tokenizer_new(&t, name, &settings, &err) ||
        tokenizer_learn(
            t, &(struct tokenizer_walk){lines_walk_next, &walk},
            &(struct tokenizer_lesson){.learn = attend_subwords_learn, .vocab_size = 200}, &err))
        fail_msg("%s: %s", name, err.message);
    lines_release(&lines);
    return t;
}

/* Checks the pieces of a text against `want`, where bars separate them. */
static void assert_pieces(const struct tokenizer *t, const char *text, const char *want)
{
    struct pieces p;
    struct strbuf got = {0};
    split(&p, t, text);
    strbuf_adds(&got, "");
    for (int i = 0; i < p.count; i++)
        strbuf_addf(&got, "%s%s", i ? "|" : "", p.item[i]);
    assert_string_equal(got.text, want);
    strbuf_release(&got);
    pieces_release(&p);
}

static void assert_splits(const char *name, const char *text, const char *want)
{
    struct tokenizer *t = make(name, NULL, false);
    assert_pieces(t, text, want);
    tokenizer_free(t);
}

TEST(tokenizer_find_knows_every_row_by_its_name)
{
    for (int i = 0; i < TOKENIZER_COUNT; i++) {
        assert_ptr_equal(tokenizer_find(tokenizers[i]->name), tokenizers[i]);
        assert_true(strlen(tokenizers[i]->help) > 0);
    }
    assert_ptr_equal(tokenizer_find("spaces"), &tokenizer_spaces);
    assert_ptr_equal(tokenizer_find("sentencepiece"), &tokenizer_sentencepiece);
    assert_null(tokenizer_find("chars"));
    assert_null(tokenizer_find(""));
}

TEST(tokenizer_new_refuses_names_it_does_not_know)
{
    struct tokenizer *t = NULL;
    struct attend_error err;
    assert_int_equal(tokenizer_new(&t, "words", NULL, &err), ATTEND_USAGE);
    struct strbuf known = {0};
    strbuf_adds(&known, "there is no tokenizer 'words'; known are");
    for (int i = 0; i < TOKENIZER_COUNT; i++)
        strbuf_addf(&known, "%s %s", i ? "," : "", tokenizers[i]->name);
    assert_string_equal(err.message, known.text);
    strbuf_release(&known);
    const struct tokenizer_settings settings = {.form = "nfd"};
    assert_int_equal(tokenizer_new(&t, "word", &settings, &err), ATTEND_USAGE);
    assert_string_equal(err.message, "there is no normal form 'nfd'; known are none, nfc and nfkc");
    assert_null(t);
    tokenizer_free(NULL);
}

/* ---- Rows ---- */

TEST(spaces_splits_at_runs_of_spaces_and_tabs)
{
    assert_splits("spaces", "a bc  d\t\te", "a|bc|d|e");
    assert_splits("spaces", " \ta b\t ", "a|b");
    assert_splits("spaces", "", "");
    assert_splits("spaces", " \t ", "");
    /* A no-break space keeps a word together. */
    assert_splits("spaces", "10\xC2\xA0km x", "10\xC2\xA0km|x");
}

TEST(char_splits_into_what_a_reader_calls_characters)
{
    assert_splits("char", "abc", "a|b|c");
    assert_splits("char", "e\xCC\x81t\xC3\xA9", "e\xCC\x81|t|\xC3\xA9");
    /* A family of three joined by U+200D, and a flag of two letters. */
    assert_splits("char",
                  "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7x"
                  "\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA",
                  "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7|x|"
                  "\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA");
}

TEST(char_keeps_white_space_within_and_drops_it_around)
{
    assert_splits("char", " \ta  b\t", "a| | |b");
    assert_splits("char", "", "");
    assert_splits("char", "  ", "");
}

#define M "\xEF\xBF\xAD" /* U+FFED */

TEST(word_sets_punctuation_apart_and_marks_where_it_touched)
{
    assert_splits("word", "Hello, world!", "Hello|" M ",|world|" M "!");
    assert_splits("word", "(see p. 7)", "(" M "|see|p|" M ".|7|" M ")");
    assert_splits("word", "don't", "don|" M "'" M "|t");
    assert_splits("word", "wait ... \"no\"", "wait|.|" M ".|" M ".|\"" M "|no|" M "\"");
    assert_splits("word", " \t", "");
    /* Letters with marks, numbers and joiners are parts of words: one Hindi and one Persian
     * word. */
    assert_splits("word", "\xE0\xA4\xA8\xE0\xA5\x87\xE2\x80\x8D\xE0\xA5\xA4",
                  "\xE0\xA4\xA8\xE0\xA5\x87\xE2\x80\x8D|" M "\xE0\xA5\xA4");
    assert_splits("word", "\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xB1\xD9\x88\xD8\xAF",
                  "\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xB1\xD9\x88\xD8\xAF");
    /* A red heart is a symbol and a selector. */
    assert_splits("word",
                  "a\xE2\x9D\xA4\xEF\xB8\x8F"
                  "b",
                  "a|" M "\xE2\x9D\xA4\xEF\xB8\x8F" M "|b");
}

TEST(word_makes_a_mark_of_the_text_the_square_that_it_is)
{
    assert_splits("word", M " a" M "b", "\xE2\x96\xA0|a|" M "\xE2\x96\xA0" M "|b");
    struct tokenizer *t = make("word", NULL, false);
    struct strbuf out = {0};
    const char *odd[] = {M, "a", M M, "b", M M M};
    tokenizer_join(t, &out, odd, 5);
    assert_string_equal(out.text, " ab" M);
    strbuf_release(&out);
    tokenizer_free(t);
}

/* ---- Round trips ---- */

/* The white space of a line that each tokenizer keeps, computed without splitting. */
static char *trimmed(const char *text)
{
    size_t length;
    text += strspn(text, " \t");
    for (length = strlen(text); length && strchr(" \t", text[length - 1]); length--)
        ;
    return strndup(text, length);
}

static char *collapsed(const char *text)
{
    char *out = trimmed(text), *to = out;
    for (const char *from = out; *from; from++)
        if (!strchr(" \t", *from))
            *to++ = *from;
        else if (!strchr(" \t", from[1]))
            *to++ = ' ';
    *to = '\0';
    return out;
}

/* The text with one character replaced by another. */
static char *replaced(const char *text, const char *from, const char *to)
{
    struct strbuf out = {0};
    strbuf_adds(&out, "");
    for (const char *next; (next = strstr(text, from)); text = next + strlen(from)) {
        strbuf_add(&out, text, (size_t)(next - text));
        strbuf_adds(&out, to);
    }
    strbuf_adds(&out, text);
    return strbuf_detach(&out);
}

static char *kept_by_word(const char *text)
{
    char *squares = replaced(text, M, "\xE2\x96\xA0"), *out = collapsed(squares);
    free(squares);
    return out;
}

static char *kept_by_sentencepiece(const char *text)
{
    char *blanks = replaced(text, "\xE2\x96\x81", " "), *out = collapsed(blanks);
    free(blanks);
    return out;
}

static const struct {
    const char *name;
    char *(*kept)(const char *text);
} rows[] = {{"spaces", collapsed},
            {"char", trimmed},
            {"word", kept_by_word},
            {"sentencepiece", kept_by_sentencepiece}};

static void assert_joins(const struct tokenizer *t, const char *text, char *want)
{
    struct pieces p, again;
    split(&p, t, text);
    char *got = join(&p, t);
    assert_string_equal(got, want);
    split(&again, t, got);
    assert_int_equal(again.count, p.count);
    for (int i = 0; i < p.count; i++)
        assert_string_equal(again.item[i], p.item[i]);
    free(got);
    free(want);
    pieces_release(&p);
    pieces_release(&again);
}

static void assert_round_trips(const char *const *texts, int count)
{
    assert_int_equal(sizeof rows / sizeof *rows, TOKENIZER_COUNT);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct tokenizer *t = make(rows[r].name, NULL, false);
        for (int i = 0; i < count; i++)
            assert_joins(t, texts[i], rows[r].kept(texts[i]));
        tokenizer_free(t);
    }
}

TEST(tokenizer_join_undoes_split)
{
    static const char *const texts[] = {
        "",
        " ",
        "a",
        "a b",
        " a \t b ",
        "caf\xC3\xA9 e\xCC\x81",
        "\r",
        "</s>",
        "<unk> <s>",
        "Well -- \"I'd say, (perhaps) [no]...\" 3.14 = 50%",
        "\xD0\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82, \xD0\xBC\xD0\xB8\xD1\x80!",
        "\xE4\xBD\xA0\xE5\xA5\xBD\xEF\xBC\x8C\xE4\xB8\x96\xE7\x95\x8C\xE3\x80\x82",
        "\xD9\x85\xD8\xB1\xD8\xAD\xD8\xA8\xD8\xA7\xD8\x9F \xD9\x86\xD8\xB9\xD9\x85",
        "\xE0\xA4\xA8\xE0\xA4\xAE\xE0\xA4\xB8\xE0\xA5\x8D\xE0\xA4\xA4\xE0\xA5\x87\xE0\xA5\xA4",
        "\xD8\x80  x", /* U+0600 forms a cluster with the character after it */
        "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7! ",
        "\xEF\xBF\xAD x\xEF\xBF\xADy \xEF\xBF\xAD",
    };
    assert_round_trips(texts, sizeof texts / sizeof *texts);
}

/* An empty list may be NULL, to which nothing may be added, not even 0. */
TEST(tokenizer_join_of_nothing_is_nothing)
{
    for (int i = 0; i < TOKENIZER_COUNT; i++) {
        struct tokenizer *t = make(tokenizers[i]->name, NULL, false);
        struct strbuf out = {0};
        tokenizer_join(t, &out, NULL, 0);
        assert_int_equal(out.length, 0);
        strbuf_release(&out);
        tokenizer_free(t);
    }
}

TEST(tokenizer_join_undoes_split_on_hard_text)
{
    const char *data = getenv("ATTEND_DATA"), *names[] = {"UTF-8-demo.txt", "blns.txt"};
    const int at_least[] = {200, 700};
    if (!data)
        skip();
    for (int f = 0; f < 2; f++) {
        struct strbuf path = {0};
        struct lines lines = {0};
        struct attend_error err = {.message = ""};
        strbuf_addf(&path, "%s/hard-text/%s", data, names[f]);
        lines_read(&lines, path.text, &err);
        assert_string_equal(err.message, "");
        assert_true(lines.count > at_least[f]);
        const char **texts = calloc((size_t)lines.count, sizeof *texts);
        for (int i = 0; i < lines.count; i++)
            texts[i] = lines_at(&lines, i, NULL);
        assert_round_trips(texts, lines.count);
        free(texts);
        lines_release(&lines);
        strbuf_release(&path);
    }
}

/* ---- Settings of every row ---- */

#define O "\xE2\x9F\xA8" /* U+27E8 */
#define C "\xE2\x9F\xA9" /* U+27E9 */

TEST(tokenizer_features_stand_in_front_as_pieces_of_their_own)
{
    struct tokenizer *t = make("char", NULL, true);
    assert_pieces(t, "go\tV;PST", O "V" C "|" O "PST" C "|g|o");
    assert_pieces(t, "go\t V ; 3 SG;;\t", O "V" C "|" O "3 SG" C "|g|o");
    assert_pieces(t, "go", "g|o");
    assert_pieces(t, "go\t", "g|o");
    assert_pieces(t, "\tV", O "V" C);
    assert_pieces(t, "a\tV\tW;X", O "V\tW" C "|" O "X" C "|a");
    tokenizer_free(t);
    t = make("spaces", NULL, false);
    assert_pieces(t, "go\tV;PST", "go|V;PST");
    tokenizer_free(t);
}

TEST(tokenizer_features_come_back_behind_a_tab)
{
    for (int i = 0; i < TOKENIZER_COUNT; i++) {
        struct tokenizer *t = make(tokenizers[i]->name, NULL, true);
        assert_joins(t, "went away\tV;PST", strdup("went away\tV;PST"));
        assert_joins(t, "went", strdup("went"));
        tokenizer_free(t);
    }
}

TEST(tokenizer_normal_forms_make_alike_texts_the_same)
{
    static const char text[] = "e\xCC\x81\xEF\xAC\x81\xEF\xBC\xA1";
    struct tokenizer *none = make("spaces", "none", false), *nfc = make("spaces", "nfc", false),
                     *nfkc = make("spaces", "nfkc", true);
    assert_pieces(none, text, text);
    assert_pieces(nfc, text, "\xC3\xA9\xEF\xAC\x81\xEF\xBC\xA1");
    assert_pieces(nfkc, text,
                  "\xC3\xA9"
                  "fiA");
    assert_pieces(nfkc, "", "");
    assert_pieces(nfkc, "x\te\xCC\x81", O "\xC3\xA9" C "|x");
    tokenizer_free(none);
    tokenizer_free(nfc);
    tokenizer_free(nfkc);
}

TEST(tokenizer_copy_does_the_same)
{
    for (int i = 0; i < TOKENIZER_COUNT; i++) {
        struct tokenizer *t = make(tokenizers[i]->name, "nfc", true), *copy = NULL;
        struct pieces p;
        assert_int_equal(tokenizer_copy(&copy, t, NULL), ATTEND_OK);
        assert_ptr_equal(copy->ops, t->ops);
        split(&p, copy, "the\xCC\x81 lazy dog.\tA;B");
        assert_string_equal(p.item[1], O "B" C);
        char *got = join(&p, t);
        assert_string_equal(got, "th\xC3\xA9 lazy dog.\tA;B");
        free(got);
        pieces_release(&p);
        tokenizer_free(t);
        tokenizer_free(copy);
    }
}

TEST(tokenizer_without_state_refuses_one)
{
    struct tokenizer *t = NULL;
    struct attend_error err;
    assert_int_equal(tokenizer_load(&t, "char", NULL, "x", 1, &err), ATTEND_FORMAT);
    assert_string_equal(err.message, "the tokenizer char learns nothing, but has a state");
    assert_int_equal(tokenizer_load(&t, "sentencepiece", NULL, "", 0, &err), ATTEND_FORMAT);
    assert_int_equal(tokenizer_load(&t, "words", NULL, "", 0, &err), ATTEND_FORMAT);
    assert_null(t);
}

TEST(tokenizer_vocab_counts_pieces_and_features)
{
    static const char text[] = "a b a\tX;Y\na\tX\n";
    struct lines lines;
    struct vocab *v = NULL;
    struct strbuf got = {0};
    struct tokenizer *t = make("spaces", NULL, true);
    assert_true(lines_of(&lines, text));
    struct lines_walk walk = {.lines = &lines};
    assert_int_equal(
        tokenizer_vocab(&v, t, &(struct tokenizer_walk){lines_walk_next, &walk}, 6, NULL),
        ATTEND_OK);
    vocab_write(v, &got);
    assert_string_equal(got.text, "<unk>\n<s>\n</s>\na\n" O "X" C "\nb\n");
    strbuf_release(&got);
    vocab_free(v);
    tokenizer_free(t);
    lines_release(&lines);
}
