#include "test.h"
#include "corpus/columns.h"

#include <string.h>

static struct columns from_names(const char *names, const char *features)
{
    struct columns c = {0};
    struct attend_error err = {.message = ""};
    columns_from_names(&c, &(struct columns_names){.names = names, .features = features}, &err);
    assert_string_equal(err.message, "");
    return c;
}

static struct columns from_header(const char *names, const char *features, const char *header)
{
    struct columns c = {0};
    struct attend_error err = {.message = ""};
    columns_from_header(&c, &(struct columns_names){.names = names, .features = features}, header,
                        "t.tsv", &err);
    assert_string_equal(err.message, "");
    return c;
}

static void assert_columns(struct columns c, int source, int target, int features, int needed)
{
    assert_int_equal(c.source, source);
    assert_int_equal(c.target, target);
    assert_int_equal(c.features, features);
    assert_int_equal(c.needed, needed);
}

TEST(columns_without_header_are_named_by_position)
{
    assert_columns(from_names(NULL, NULL), 0, 1, -1, 2);
    assert_columns(from_names("tgt,src", NULL), 1, 0, -1, 2);
    assert_columns(from_names("_,src,_,tgt", NULL), 1, 3, -1, 4);
    assert_columns(from_names("src,tgt,feat", NULL), 0, 1, -1, 2);
    assert_columns(from_names("src,tgt,feat", "feat"), 0, 1, 2, 3);
    assert_columns(from_names("tags,_,src,tgt", "tags"), 2, 3, 0, 4);
}

TEST(columns_with_header_are_found_by_name)
{
    assert_columns(from_header(NULL, NULL, "src\ttgt"), 0, 1, -1, 2);
    assert_columns(from_header(NULL, NULL, "id\ttgt\tsrc\t"), 2, 1, -1, 3);
    assert_columns(from_header("en,fr", NULL, "fr\tid\ten"), 2, 0, -1, 3);
    assert_columns(from_header("lemma,form", "tags", "lemma\tform\ttags"), 0, 1, 2, 3);
    assert_columns(from_header("en text,fr", NULL, "en text\tfr"), 0, 1, -1, 2);
}

static void assert_names_refused(const char *names, const char *features, const char *message)
{
    struct columns c;
    struct attend_error err = {.message = ""};
    assert_int_equal(
        columns_from_names(&c, &(struct columns_names){.names = names, .features = features}, &err),
        ATTEND_USAGE);
    assert_string_equal(err.message, message);
}

TEST(columns_names_that_do_not_fit_are_refused)
{
    assert_names_refused("src", NULL, "`columns` src has no column 'tgt'");
    assert_names_refused("", NULL, "`columns`  has no column 'src'");
    assert_names_refused("src, tgt", NULL, "`columns` src, tgt has no column 'tgt'");
    assert_names_refused("src,tgt,src", NULL,
                         "`columns` src,tgt,src has more than one column 'src'");
    assert_names_refused(NULL, "feat", "`columns` src,tgt has no column 'feat'");
    assert_names_refused("src,tgt", "tgt",
                         "`features` tgt is the source or the target; name another column");
}

static void assert_header_refused(const char *names, const char *features, const char *header,
                                  enum attend_status status, const char *message)
{
    struct columns c;
    struct attend_error err = {.message = ""};
    const struct columns_names asked = {.names = names, .features = features};
    assert_int_equal(columns_from_header(&c, &asked, header, "t.tsv", &err), status);
    assert_string_equal(err.message, message);
}

TEST(columns_that_the_header_lacks_are_refused_and_its_own_are_listed)
{
    assert_header_refused(NULL, NULL, "en\tfr", ATTEND_DATA,
                          "t.tsv:1: the header has no column 'src'; its columns are: en, fr");
    assert_header_refused("en,de", NULL, "en\tfr\t\x1B[31m", ATTEND_DATA,
                          "t.tsv:1: the header has no column 'de'; its columns are: en, fr, ?[31m");
    assert_header_refused(NULL, "tags", "src\ttgt", ATTEND_DATA,
                          "t.tsv:1: the header has no column 'tags'; its columns are: src, tgt");
    assert_header_refused(
        NULL, NULL, "src\ttgt\tsrc", ATTEND_DATA,
        "t.tsv:1: the header has more than one column 'src'; its columns are: src, tgt, src");
}

TEST(columns_with_header_take_two_names)
{
    static const char message[] = "`columns` with `header` takes two names, of the source and the "
                                  "target column, not 'a,b,c'";
    assert_header_refused("a,b,c", NULL, "a\tb\tc", ATTEND_USAGE, message);
    assert_header_refused("a,a", NULL, "a\tb", ATTEND_USAGE,
                          "`columns` with `header` a,a names one column twice");
    struct columns c;
    assert_int_equal(
        columns_from_header(&c, &(struct columns_names){.names = "a"}, "a\tb", "t.tsv", NULL),
        ATTEND_USAGE);
}

TEST(columns_of_a_long_header_are_listed_in_part)
{
    char header[2000];
    struct attend_error err = {.message = ""};
    struct columns c;
    memset(header, 'x', sizeof header);
    for (size_t i = 10; i < sizeof header; i += 11)
        header[i] = '\t';
    header[sizeof header - 1] = '\0';
    assert_int_equal(columns_from_header(&c, &(struct columns_names){0}, header, "t.tsv", &err),
                     ATTEND_DATA);
    assert_non_null(strstr(err.message, "xxxxxxxxxx, ..."));
    assert_true(strlen(err.message) < 300);
}

static void assert_field(struct columns_field field, const char *want)
{
    assert_int_equal(field.length, strlen(want));
    assert_memory_equal(field.text, want, field.length);
}

TEST(columns_split_finds_the_fields_of_a_row)
{
    const struct columns c = from_names("_,tgt,src,feat", "feat");
    struct columns_row row;
    static const char full[] = "id\ttarget \t source\tA;B\tmore";
    assert_int_equal(columns_split(&c, full, sizeof full - 1, &row), 5);
    assert_field(row.source, " source");
    assert_field(row.target, "target ");
    assert_field(row.features, "A;B");
    assert_int_equal(columns_split(&c, "\t\t\t", 3, &row), 4);
    assert_field(row.source, "");
    assert_field(row.features, "");
    assert_int_equal(columns_split(&c, "id\tt", 4, &row), 2);
    assert_field(row.target, "t");
    assert_null(row.source.text);
    assert_int_equal(columns_split(&c, "", 0, &row), 1);
}

TEST(columns_find_languages)
{
    struct columns c = {0};
    struct columns_row row;
    struct columns_names asked = {.names = "src,tgt,_,to,from", .languages = "from,to"};
    assert_int_equal(columns_from_names(&c, &asked, NULL), ATTEND_OK);
    assert_int_equal(c.language[0], 4);
    assert_int_equal(c.language[1], 3);
    assert_int_equal(c.needed, 5);
    assert_int_equal(columns_split(&c, "a\tb\tx\tde\ten", 11, &row), 5);
    assert_memory_equal(row.language[0].text, "en", 2);
    assert_memory_equal(row.language[1].text, "de", 2);
    asked.languages = "_,to";
    assert_int_equal(columns_from_names(&c, &asked, NULL), ATTEND_OK);
    assert_int_equal(c.language[0], -1);
    assert_int_equal(c.needed, 4);
    static const char *const wrong[] = {"from", "from,to,to", "to,to", "src,to", "x,to", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        asked.languages = wrong[i];
        assert_int_equal(columns_from_names(&c, &asked, NULL), ATTEND_USAGE);
    }
}
