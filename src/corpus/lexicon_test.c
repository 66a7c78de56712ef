#include "corpus/lexicon.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[64];

static enum attend_status load(struct lexicon *l, const char *text, struct attend_error *err)
{
    snprintf(path, sizeof path, "lexicon_test.%ld.tsv", (long)getpid());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    const enum attend_status status = lexicon_load(l, path, err);
    assert_int_equal(unlink(path), 0);
    return status;
}

TEST(lexicon_finds_what_the_file_says)
{
    struct lexicon l = {0};
    struct attend_error err = {.message = ""};
    assert_int_equal(load(&l,
                          "\xEF\xBB\xBF"
                          "cat\tchat\r\n\n New York \t la  pomme \ncat\tminou\nx\ty",
                          &err),
                     ATTEND_OK);
    assert_string_equal(lexicon_find(&l, "cat"), "chat");
    assert_string_equal(lexicon_find(&l, "  New York\t"), "la  pomme");
    assert_string_equal(lexicon_find(&l, "x"), "y");
    assert_null(lexicon_find(&l, "ca"));
    assert_null(lexicon_find(&l, ""));
    lexicon_release(&l);
    assert_null(lexicon_find(&l, "cat"));
}

TEST(lexicon_holds_many)
{
    struct lexicon l = {0};
    struct strbuf text = {0};
    for (int i = 0; i < 5000; i++)
        strbuf_addf(&text, "word%d\tmot%d\n", i, i);
    assert_int_equal(load(&l, text.text, NULL), ATTEND_OK);
    for (int i = 0; i < 5000; i += 7) {
        char source[16], target[16];
        snprintf(source, sizeof source, "word%d", i);
        snprintf(target, sizeof target, "mot%d", i);
        assert_string_equal(lexicon_find(&l, source), target);
    }
    lexicon_release(&l);
    strbuf_release(&text);
}

TEST(lexicon_names_the_line_at_fault)
{
    static const struct {
        const char *text, *want;
    } row[] = {
        {"a\tb\nno tab\n", ":2: has no tab; write the source, one tab and the target"},
        {"a\tb\tc\n", ":1: has several tabs; write the source, one tab and the target"},
        {"\n \tb\n", ":2: has no source; write it or take the line out"},
        {"a\t\n", ":1: has no target; write it or take the line out"},
        {"a\t\xC3\x28\n", ":1: invalid UTF-8 at byte 3 of the line; convert the file to UTF-8"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct lexicon l = {0};
        struct attend_error err = {.message = ""};
        char want[160];
        assert_int_equal(load(&l, row[i].text, &err), ATTEND_DATA);
        snprintf(want, sizeof want, "%s%s", path, row[i].want);
        assert_string_equal(err.message, want);
        assert_int_equal(l.source.count, 0);
    }
    struct lexicon l = {0};
    assert_int_equal(lexicon_load(&l, "lexicon_test.none", NULL), ATTEND_IO);
}
