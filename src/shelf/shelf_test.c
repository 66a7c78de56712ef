/* Ready models: cards, precedence of folders, paths and names. */
#include "attend/shelf.h"

#include "base/io.h"
#include "base/strbuf.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Two folders, below one of the test's own ---- */

static const char *const folders[] = {"one", "missing", "two", NULL};

static void write_file(const char *path, const char *bytes, size_t length)
{
    assert_int_equal(io_write(path, bytes, length, NULL), ATTEND_OK);
}
static void write_text(const char *path, const char *text) { write_file(path, text, strlen(text)); }

static void enter(char name[32])
{
    snprintf(name, 32, "shelf_test.XXXXXX");
    assert_non_null(mkdtemp(name));
    assert_int_equal(chdir(name), 0);
    assert_int_equal(mkdir("one", 0700), 0);
    assert_int_equal(mkdir("two", 0700), 0);
    write_text("one/words.safetensors", "12345");
    write_text("two/words.safetensors", "1");
    write_text("two/dates.safetensors", "");
    write_text("two/notes.md", "# no model\n");
}

static void leave(const char *name)
{
    static const char *const files[] = {"one/words.safetensors", "two/words.safetensors",
                                        "two/dates.safetensors", "two/notes.md",
                                        "one/words.md",          "dates"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        remove(files[i]);
    rmdir("one");
    rmdir("two");
    assert_int_equal(chdir(".."), 0);
    assert_int_equal(rmdir(name), 0);
}

static struct attend_shelf *open_shelf(void)
{
    struct attend_shelf *shelf = NULL;
    assert_int_equal(attend_shelf_open(&shelf, folders, NULL), ATTEND_OK);
    return shelf;
}

/* ---- Cards ---- */

/* The card of `words` after its file got these bytes; the shelf is the caller's to close. */
static const struct attend_card *card_of(struct attend_shelf **shelf, const char *bytes,
                                         size_t length)
{
    const struct attend_card *card = NULL;
    write_file("one/words.md", bytes, length);
    *shelf = open_shelf();
    assert_int_equal(attend_shelf_find(*shelf, "words", &card, NULL), ATTEND_OK);
    return card;
}

/* Of two rows with one name, the first counts. */
TEST(card_paragraph_and_first_table_are_read)
{
    static const char text[] =
        "# words\r\n\r\nSays \xc3\xa4 word,\r\n  twice. \r\n\r\nNot this.\r\n\r\n"
        "| fact | text |\r\n|:---|---|\r\n|figure|  9.5 % of 10 |\r\n"
        "| empty | |\r\n| | nameless |\r\n| figure | 2 |\r\n|\r\n\r\nMore.\r\n\r\n| figure | 1 |\n";
    char name[32];
    struct attend_shelf *shelf;
    enter(name);
    const struct attend_card *card = card_of(&shelf, text, sizeof text - 1);
    assert_string_equal(card->summary, "Says \xc3\xa4 word, twice.");
    assert_string_equal(card->text, text);
    assert_string_equal(card->path, "one/words.safetensors");
    assert_int_equal(card->bytes, 5);
    assert_int_equal(card->facts, 3);
    assert_string_equal(card->fact[0].name, "fact");
    assert_string_equal(attend_card_fact(card, "figure"), "9.5 % of 10");
    assert_string_equal(attend_card_fact(card, "empty"), "");
    assert_string_equal(attend_card_fact(card, "nothing"), "");
    attend_shelf_close(shelf);
    leave(name);
}

/* Cards that are no text, and texts that are no cards. */
TEST(card_of_any_bytes_is_a_card_or_none)
{
    static char large[64 * 1024 + 1];
    static const struct {
        const char *bytes;
        size_t length;
        const char *summary;
    } cases[] = {{"", 0, ""},         {"words", 5, "words"},    {"#", 1, ""},
                 {"|", 1, ""},        {"||||\n|-|", 8, ""},     {"\n\n\n", 3, ""},
                 {"a\n|b|c", 6, "a"}, {"a \x1b[31m b", 8, ""},  {"a\0b", 3, ""},
                 {"\xff\xfe", 2, ""}, {large, sizeof large, ""}};
    char name[32];
    enter(name);
    memset(large, 'a', sizeof large);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct attend_shelf *shelf;
        const struct attend_card *card = card_of(&shelf, cases[i].bytes, cases[i].length);
        assert_string_equal(card->summary, cases[i].summary);
        assert_true(card->facts >= 0 && card->facts <= 2);
        attend_shelf_close(shelf);
    }
    leave(name);
}

/* ---- Shelves ---- */

TEST(shelf_lists_each_name_once_in_order)
{
    char name[32];
    enter(name);
    struct attend_shelf *shelf = open_shelf();
    assert_string_equal(attend_shelf_card(shelf, 0)->name, "dates");
    assert_string_equal(attend_shelf_card(shelf, 1)->path, "one/words.safetensors");
    assert_null(attend_shelf_card(shelf, 2));
    assert_null(attend_shelf_card(shelf, -1));
    assert_string_equal(attend_shelf_folder(shelf, 1), "missing");
    assert_null(attend_shelf_folder(shelf, 3));
    attend_shelf_close(shelf);
    assert_int_equal(attend_shelf_open(&shelf, NULL, NULL), ATTEND_OK);
    assert_null(attend_shelf_card(shelf, 0));
    attend_shelf_close(shelf);
    leave(name);
}

TEST(shelf_text_and_json_show_every_model)
{
    static const char card[] = "# words\n\nWords.\n\n| languages | en |\n| figure | 9 % |\n";
    char name[32];
    struct attend_shelf *shelf;
    enter(name);
    const struct attend_card *words = card_of(&shelf, card, sizeof card - 1);
    char *text = attend_shelf_text(shelf, 0), *json = attend_shelf_json(shelf),
         *one = attend_card_json(words);
    assert_string_equal(text, "dates  0.00 MB           (no card)\n"
                              "words  0.00 MB  en  9 %  Words.\n");
    assert_string_equal(
        json, "{\"models\":[{\"name\":\"dates\",\"path\":\"two/dates.safetensors\","
              "\"bytes\":0,\"summary\":\"\",\"facts\":{}},"
              "{\"name\":\"words\",\"path\":\"one/words.safetensors\",\"bytes\":5,"
              "\"summary\":\"Words.\",\"facts\":{\"languages\":\"en\",\"figure\":\"9 %\"}}],"
              "\"folders\":[\"one\",\"missing\",\"two\"]}");
    assert_non_null(strstr(one, "\"card\":\"# words\\n\\nWords."));
    attend_text_free(text);
    attend_text_free(json);
    attend_text_free(one);
    attend_shelf_close(shelf);
    leave(name);
}

TEST(shelf_text_has_a_few_lines_for_each_model_in_a_narrow_terminal)
{
    static const char card[] = "# words\n\nWords of all kinds.\n\n| languages | en |\n"
                               "| figure | 9 % of words wrong |\n";
    char name[32];
    struct attend_shelf *shelf;
    enter(name);
    card_of(&shelf, card, sizeof card - 1);
    char *wide = attend_shelf_text(shelf, 60), *narrow = attend_shelf_text(shelf, 40);
    assert_string_equal(wide, "dates  0.00 MB                          (no card)\n"
                              "words  0.00 MB  en  9 % of words wrong  Words of all kinds.\n");
    assert_string_equal(narrow, "dates  0.00 MB\n  (no card)\n"
                                "words  0.00 MB  en\n  Words of all kinds.\n"
                                "  9 % of words wrong\n");
    attend_text_free(wide);
    attend_text_free(narrow);
    attend_shelf_close(shelf);
    leave(name);
}

/* ---- Paths and names ---- */

static void assert_found(const char *text, const char *const *in, const char *wanted)
{
    char *path = NULL;
    assert_int_equal(attend_model_find(&path, text, in, NULL), ATTEND_OK);
    assert_string_equal(path, wanted);
    attend_text_free(path);
}

static void assert_lost(const char *text, const char *const *in, const char *message)
{
    char *path = NULL;
    struct attend_error err;
    assert_int_equal(attend_model_find(&path, text, in, &err), ATTEND_IO);
    assert_null(path);
    assert_string_equal(err.message, message);
}

TEST(model_find_takes_paths_files_and_then_names)
{
    char name[32];
    enter(name);
    assert_found("words", folders, "one/words.safetensors");
    assert_found("dates", folders, "two/dates.safetensors");
    assert_found("one/none", folders, "one/none");
    assert_found("none.safetensors", folders, "none.safetensors");
    write_text("dates", "a file");
    assert_found("dates", folders, "dates");
    assert_found("dates", NULL, "dates");
    remove("dates");
    assert_int_equal(mkdir("dates", 0700), 0);
    assert_found("dates", folders, "two/dates.safetensors");
    leave(name);
}

TEST(model_find_names_the_folders_and_the_nearest_name)
{
    static const char *const none[] = {NULL};
    char name[32];
    enter(name);
    assert_lost(
        "wrods", folders,
        "there is no file and no model 'wrods'; did you mean 'words'? (looked in one, missing, "
        "two)");
    assert_lost(
        "word", folders,
        "there is no file and no model 'word'; did you mean 'words'? (looked in one, missing, "
        "two)");
    assert_lost("pronunciation", folders,
                "there is no file and no model 'pronunciation' (looked in one, missing, two)");
    assert_lost("words", none, "there is no file and no model 'words' (looked in no folder)");
    assert_lost("", NULL, "there is no file and no model '' (looked in no folder)");
    leave(name);
}
