#include "base/io.h"
#include "base/strbuf.h"
#include "test.h"
#include "corpus/pairs.h"
#include "corpus/pairs_read.h"
#include "corpus/reader.h"
#include "corpus/split.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char src[] = "pairs_read_test.src", tgt[] = "pairs_read_test.tgt",
                  tsv[] = "pairs_read_test.tsv";

static void write_file(const char *path, const char *bytes, size_t length)
{
    assert_int_equal(io_write(path, bytes, length, NULL), ATTEND_OK);
}
#define WRITE(path, text) write_file(path, text, sizeof text - 1)

static void remove_files(void)
{
    remove(src);
    remove(tgt);
    remove(tsv);
}

static struct pairs *new_pairs(void)
{
    struct pairs *p = NULL;
    assert_int_equal(pairs_new(&p, ".", NULL), ATTEND_OK);
    return p;
}

/* All pairs as one text: "line source|target;" for each. */
static char *print(struct pairs *p)
{
    struct strbuf out = {0};
    struct text_pair pair;
    strbuf_adds(&out, "");
    assert_int_equal(pairs_rewind(p, NULL), ATTEND_OK);
    while (pairs_next(p, &pair, NULL) == ATTEND_OK && pair.source)
        strbuf_addf(&out, "%zu %s|%s;", pair.line, pair.source, pair.target);
    return strbuf_detach(&out);
}

static void assert_reads(const struct pairs_input *input, struct pairs_faults *faults,
                         const char *want)
{
    struct pairs *p = new_pairs();
    struct attend_error err = {.message = ""};
    pairs_read(input, NULL, &p, faults, &err);
    assert_string_equal(err.message, "");
    char *got = print(p);
    assert_string_equal(got, want);
    free(got);
    pairs_free(p);
}

static void assert_refused(const struct pairs_input *input, enum attend_status want,
                           const char *message)
{
    struct pairs *p = new_pairs();
    struct pairs_faults faults = {0};
    struct attend_error err = {.message = ""};
    const enum attend_status status = pairs_read(input, NULL, &p, &faults, &err);
    assert_string_equal(err.message, message);
    assert_int_equal(status, want);
    pairs_free(p);
}

static void assert_fault(const struct pairs_faults *faults, enum pairs_fault fault, size_t count,
                         const char *file, size_t line)
{
    assert_int_equal(faults->of[fault].count, count);
    if (count == 0)
        return;
    assert_string_equal(faults->of[fault].file, file);
    assert_int_equal(faults->of[fault].line, line);
}

static const struct pairs_input two_files = {.source = src, .target = tgt};
static const struct pairs_input table = {.table = tsv};

/* ---- Two files ---- */

TEST(pairs_read_takes_two_files_of_either_line_end)
{
    struct pairs_faults faults = {0};
    WRITE(src, "\xEF\xBB\xBFone\r\n two \r\nth\tree\r\n");
    WRITE(tgt, "eins\nzwei\ndrei");
    assert_reads(&two_files, &faults, "1 one|eins;2  two |zwei;3 th\tree|drei;");
    for (int i = 0; i < PAIRS_FAULTS; i++)
        assert_int_equal(faults.of[i].count, 0);
    remove_files();
}

TEST(pairs_read_leaves_out_empty_sides_and_counts_them)
{
    struct pairs_faults faults = {0};
    WRITE(src, "one\n\nthree\n \t \nfive\n");
    WRITE(tgt, "eins\nzwei\n \nvier\nf\xC3\xBCnf\n");
    assert_reads(&two_files, &faults, "1 one|eins;5 five|f\xC3\xBCnf;");
    assert_fault(&faults, PAIRS_EMPTY_SIDE, 3, src, 2);
    remove_files();
}

TEST(pairs_read_names_both_files_when_their_lines_differ)
{
    WRITE(src, "a\nb\n");
    WRITE(tgt, "a\nb\nc\n\xFF\n\n");
    assert_refused(&two_files, ATTEND_DATA,
                   "pairs_read_test.src has 2 lines and pairs_read_test.tgt has 5: they must pair "
                   "line for line");
    const struct pairs_input turned = {.source = tgt, .target = src, .skip_broken = true};
    assert_refused(&turned, ATTEND_DATA,
                   "pairs_read_test.tgt has 5 lines and pairs_read_test.src has 2: they must pair "
                   "line for line");
    WRITE(src, "");
    assert_refused(&two_files, ATTEND_DATA,
                   "pairs_read_test.src has 0 lines and pairs_read_test.tgt has 5: they must pair "
                   "line for line");
    remove_files();
}

TEST(pairs_read_stops_at_a_broken_line_and_says_how_to_go_on)
{
    WRITE(src, "a\nb\nc\n");
    WRITE(tgt, "a\nb\xFF\nc\n");
    assert_refused(&two_files, ATTEND_DATA,
                   "pairs_read_test.tgt:2: invalid UTF-8 at byte 2 of the line; convert the file "
                   "to UTF-8, or skip such pairs with `skip_broken`");
    WRITE(src, "a\nb\nc\0\n");
    WRITE(tgt, "a\nb\nc\n");
    assert_refused(
        &two_files, ATTEND_DATA,
        "pairs_read_test.src:3: NUL at byte 2 of the line; convert the file to UTF-8, or "
        "skip such pairs with `skip_broken`");
    remove_files();
}

/* One line with each fault, the long one last. */
TEST(pairs_read_skips_broken_pairs_when_told_to)
{
    struct strbuf text = {0};
    struct pairs_faults faults = {0};
    strbuf_add(&text, "a\n\xFF\nc\0\nd\ne\n\xFF\n", 14);
    for (size_t i = 0; i < (size_t)3 << 20; i++)
        strbuf_addc(&text, 'x');
    strbuf_adds(&text, "\nh\n");
    write_file(src, text.text, text.length);
    WRITE(tgt, "A\nB\nC\nD\0\n\nF\0\nG\nH\n");
    struct pairs_input input = two_files;
    input.skip_broken = true;
    assert_reads(&input, &faults, "1 a|A;8 h|H;");
    assert_fault(&faults, PAIRS_NOT_UTF8, 2, src, 2);
    assert_fault(&faults, PAIRS_NUL, 2, src, 3);
    assert_fault(&faults, PAIRS_EMPTY_SIDE, 1, tgt, 5);
    assert_fault(&faults, PAIRS_TOO_LONG, 1, src, 7);
    assert_fault(&faults, PAIRS_MISSING_COLUMN, 0, NULL, 0);

    input.skip_broken = false;
    WRITE(tgt, "A\nB\nC\n");
    strbuf_clear(&text);
    strbuf_adds(&text, "a\nb\n");
    for (size_t i = 0; i <= READER_MAX_LENGTH; i++)
        strbuf_addc(&text, 'x');
    write_file(src, text.text, text.length);
    assert_refused(&input, ATTEND_DATA,
                   "pairs_read_test.src:3: longer than 1048576 bytes; split the line, or skip such "
                   "pairs with `skip_broken`");
    strbuf_release(&text);
    remove_files();
}

TEST(pairs_read_takes_standard_input_for_one_file)
{
    struct pairs_faults faults = {0};
    WRITE(src, "one\n\n");
    WRITE(tgt, "eins\nzwei\n");
    assert_non_null(freopen(src, "rb", stdin));
    const struct pairs_input input = {.source = "-", .target = tgt};
    assert_reads(&input, &faults, "1 one|eins;");
    assert_fault(&faults, PAIRS_EMPTY_SIDE, 1, "standard input", 2);
    const struct pairs_input both = {.source = "-", .target = "-"};
    assert_refused(&both, ATTEND_USAGE, "only one of two files can be standard input");
    remove_files();
}

TEST(pairs_read_takes_two_files_or_a_table)
{
    const char *message = "give two files, source and target, or one table";
    assert_refused(&(struct pairs_input){0}, ATTEND_USAGE, message);
    assert_refused(&(struct pairs_input){.source = src}, ATTEND_USAGE, message);
    assert_refused(&(struct pairs_input){.source = src, .table = tsv}, ATTEND_USAGE, message);
    message =
        "`columns`, `features`, `language_columns` and `header` go with one table, not with two "
        "files";
    struct pairs_input input = {.source = src, .target = tgt, .header = true};
    assert_refused(&input, ATTEND_USAGE, message);
    input = (struct pairs_input){.source = src, .target = tgt, .columns = "src,tgt"};
    assert_refused(&input, ATTEND_USAGE, message);
    input = (struct pairs_input){.source = src, .target = "no-such-file"};
    WRITE(src, "a\n");
    assert_refused(&input, ATTEND_IO, "no-such-file: cannot be opened: No such file or directory");
    remove_files();
}

TEST(pairs_read_without_a_pair_is_refused)
{
    WRITE(src, "\n\n");
    WRITE(tgt, "a\nb\n");
    assert_refused(&two_files, ATTEND_DATA, "pairs_read_test.src: holds no pair that can be used");
    WRITE(src, "");
    WRITE(tgt, "");
    assert_refused(&two_files, ATTEND_DATA, "pairs_read_test.src: holds no pair that can be used");
    remove_files();
}

/* ---- A table ---- */

TEST(pairs_read_takes_a_table)
{
    struct pairs_faults faults = {0};
    WRITE(tsv, "one\teins\r\ntwo\tzwei\tmore\r\n\r\n\tdrei\r\nvier\t \r\n \t \r\nsix\tsechs");
    assert_reads(&table, &faults, "1 one|eins;2 two|zwei;7 six|sechs;");
    assert_fault(&faults, PAIRS_EMPTY_SIDE, 4, tsv, 3);
    struct pairs_input input = table;
    input.columns = "_,src,tgt";
    WRITE(tsv, "1\ta\tA\n2\tb\tB\n");
    assert_reads(&input, &faults, "1 a|A;2 b|B;");
    remove_files();
}

TEST(pairs_read_takes_a_compressed_table_from_standard_input)
{
    struct pairs_faults faults = {0};
    gzFile file = gzopen(tsv, "wb");
    gzputs(file, "one\teins\n");
    gzclose(file);
    assert_non_null(freopen(tsv, "rb", stdin));
    assert_reads(&(struct pairs_input){.table = "-"}, &faults, "1 one|eins;");
    remove_files();
}

TEST(pairs_read_stops_at_a_row_that_lacks_a_column)
{
    struct pairs_faults faults = {0};
    struct pairs_input input = table;
    WRITE(tsv, "a\tA\nb B\nc\tC\nd\n\xFF\tE\n");
    assert_refused(&input, ATTEND_DATA,
                   "pairs_read_test.tsv:2: has 1 column and needs 2; put a TAB between columns, or "
                   "skip such pairs with `skip_broken`");
    input.columns = "src,tgt,feat";
    input.features = "feat";
    assert_refused(
        &input, ATTEND_DATA,
        "pairs_read_test.tsv:1: has 2 columns and needs 3; put a TAB between columns, or "
        "skip such pairs with `skip_broken`");
    input = (struct pairs_input){.table = tsv, .skip_broken = true};
    assert_reads(&input, &faults, "1 a|A;3 c|C;");
    assert_fault(&faults, PAIRS_MISSING_COLUMN, 2, tsv, 2);
    assert_fault(&faults, PAIRS_NOT_UTF8, 1, tsv, 5);
    remove_files();
}

TEST(pairs_read_features_travel_with_the_source)
{
    struct pairs_faults faults = {0};
    struct pairs_input input = {.table = tsv, .columns = "src,tgt,feat", .features = "feat"};
    WRITE(tsv, "Hund\tHunde\tN;PL\nHund\tHund\t\n");
    assert_reads(&input, &faults, "1 Hund\tN;PL|Hunde;2 Hund\t|Hund;");
    remove_files();
}

TEST(pairs_read_finds_columns_by_the_header)
{
    struct pairs_faults faults = {0};
    struct pairs_input input = {.table = tsv, .header = true};
    WRITE(tsv, "\xEF\xBB\xBFtgt\tid\tsrc\r\nA\t1\ta\r\nB\t2\tb\r\n");
    assert_reads(&input, &faults, "2 a|A;3 b|B;");
    input.features = "id";
    assert_reads(&input, &faults, "2 a\t1|A;3 b\t2|B;");
    input = (struct pairs_input){.table = tsv, .header = true, .columns = "id,tgt"};
    assert_reads(&input, &faults, "2 1|A;3 2|B;");
    input.columns = "id,de";
    assert_refused(
        &input, ATTEND_DATA,
        "pairs_read_test.tsv:1: the header has no column 'de'; its columns are: tgt, id, src");
    remove_files();
}

TEST(pairs_read_needs_a_header_that_can_be_read)
{
    struct pairs_input input = {.table = tsv, .header = true, .skip_broken = true};
    WRITE(tsv, "");
    assert_refused(&input, ATTEND_DATA,
                   "pairs_read_test.tsv: is empty; line 1 must hold the names of columns");
    WRITE(tsv, "src\ttgt\xFF\na\tA\n");
    assert_refused(&input, ATTEND_DATA,
                   "pairs_read_test.tsv:1: invalid UTF-8 at byte 8 of the line; convert the file "
                   "to UTF-8");
    WRITE(tsv, "src\ttgt\n");
    assert_refused(&input, ATTEND_DATA, "pairs_read_test.tsv: holds no pair that can be used");
    remove_files();
}

/* ---- Sets ---- */

enum { SOURCES = 400, TIMES = 3 };

/* Every source occurs several times, with different targets and features. */
static void write_repeated_sources(void)
{
    struct strbuf text = {0};
    for (int i = 0; i < SOURCES * TIMES; i++)
        strbuf_addf(&text, "source %d\ttarget %d\tF%d\n", i % SOURCES, i, i % 7);
    write_file(tsv, text.text, text.length);
    strbuf_release(&text);
}

/* The set of each source; no source may be in two. */
static void find_sets(struct pairs *const sink[], int sets, int set_of[SOURCES])
{
    for (int i = 0; i < SOURCES; i++)
        set_of[i] = -1;
    for (int s = 0; s < sets; s++) {
        struct text_pair pair;
        assert_int_equal(pairs_rewind(sink[s], NULL), ATTEND_OK);
        while (pairs_next(sink[s], &pair, NULL) == ATTEND_OK && pair.source) {
            const long i = strtol(pair.source + strlen("source "), NULL, 10);
            assert_true(set_of[i] == -1 || set_of[i] == s);
            set_of[i] = s;
        }
    }
}

static void read_split(const struct pairs_input *input, uint64_t seed, int set_of[SOURCES])
{
    struct split split = {.seed = seed};
    struct pairs *sink[SPLIT_MAX_SETS];
    struct pairs_faults faults = {0};
    struct attend_error err = {.message = ""};
    size_t all = 0;
    assert_int_equal(split_parse(&split, "0.6,0.3,0.1", NULL), ATTEND_OK);
    for (int s = 0; s < split.sets; s++)
        sink[s] = new_pairs();
    pairs_read(input, &split, sink, &faults, &err);
    assert_string_equal(err.message, "");
    find_sets(sink, split.sets, set_of);
    for (int s = 0; s < split.sets; s++) {
        all += pairs_count(sink[s]);
        /* Four standard deviations of 400 samples, each three times. */
        assert_near((double)pairs_count(sink[s]) / (SOURCES * TIMES), split.share[s], 0.1);
        pairs_free(sink[s]);
    }
    assert_int_equal(all, SOURCES * TIMES);
}

TEST(pairs_read_splits_by_source_whatever_the_features)
{
    int plain[SOURCES], again[SOURCES], featured[SOURCES], other[SOURCES], moved = 0;
    struct pairs_input input = {.table = tsv, .columns = "src,tgt,feat"};
    write_repeated_sources();
    read_split(&input, 5, plain);
    read_split(&input, 5, again);
    read_split(&input, 6, other);
    input.features = "feat";
    read_split(&input, 5, featured);
    for (int i = 0; i < SOURCES; i++) {
        assert_int_equal(plain[i], again[i]);
        assert_int_equal(plain[i], featured[i]);
        moved += plain[i] != other[i];
    }
    assert_true(moved > SOURCES / 4);
    remove_files();
}

TEST(pairs_read_names_a_set_that_got_nothing)
{
    struct split split = {.seed = 1};
    struct pairs *sink[2] = {new_pairs(), new_pairs()};
    struct pairs_faults faults = {0};
    struct attend_error err = {.message = ""};
    WRITE(tsv, "a\tA\na\tB\n");
    assert_int_equal(split_parse(&split, "0.999999,0.000001", NULL), ATTEND_OK);
    assert_int_equal(pairs_read(&table, &split, sink, &faults, &err), ATTEND_DATA);
    assert_string_equal(err.message, "`split` gives set 2 none of the 2 pairs of "
                                     "pairs_read_test.tsv; give it a larger share");
    pairs_free(sink[0]);
    pairs_free(sink[1]);
    remove_files();
}

/* ---- Hostile text ---- */

static void assert_unchanged(const char *path)
{
    struct pairs *p = new_pairs();
    struct pairs_faults faults = {0};
    struct strbuf bytes = {0};
    struct text_pair pair;
    const struct pairs_input input = {.source = path, .target = path};
    assert_int_equal(pairs_read(&input, NULL, &p, &faults, NULL), ATTEND_OK);
    assert_int_equal(io_read(path, &bytes, NULL), ATTEND_OK);
    assert_int_equal(pairs_rewind(p, NULL), ATTEND_OK);
    size_t number = 0;
    for (char *at = bytes.text, *end; *at; at = end + 1) {
        end = strchr(at, '\n');
        assert_non_null(end);
        *end = '\0';
        number++;
        if (at[strspn(at, " \t")] == '\0')
            continue;
        assert_int_equal(pairs_next(p, &pair, NULL), ATTEND_OK);
        assert_string_equal(pair.source, at);
        assert_string_equal(pair.target, at);
        assert_int_equal(pair.line, number);
    }
    assert_int_equal(pairs_count(p) + faults.of[PAIRS_EMPTY_SIDE].count, number);
    strbuf_release(&bytes);
    pairs_free(p);
}

TEST(pairs_read_hard_text_comes_through_unchanged)
{
    const char *data = getenv("ATTEND_DATA"), *names[] = {"UTF-8-demo.txt", "blns.txt"};
    if (!data) {
        print_message("skipped: ATTEND_DATA is not set\n");
        skip();
    }
    for (int i = 0; i < 2; i++) {
        struct strbuf path = {0};
        strbuf_addf(&path, "%s/hard-text/%s", data, names[i]);
        assert_unchanged(path.text);
        strbuf_release(&path);
    }
}
