#include "corpus/traps.h"

#include "base/strbuf.h"
#include "corpus/pairs.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

TEST(traps_know_headers)
{
    static const char *const yes[][2] = {{"source", "target"},
                                         {"src", "tgt"},
                                         {"en", "de"},
                                         {"EN", "FR"},
                                         {"word", "pronunciation"},
                                         {"source_text", "target text"},
                                         {"lemma\tfeatures", "form"}};
    static const char *const no[][2] = {
        {"the house", "das Haus"}, {"en", "huis"}, {"source", "source"},   {"", "target"},
        {"word up", "text"},       {"_", "_"},     {"resource", "target"}, {"en__de", "fr"},
        {"quelltext", "target"}};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (!traps_is_header(yes[i][0], yes[i][1]))
            fail_msg("%s and %s are names", yes[i][0], yes[i][1]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (traps_is_header(no[i][0], no[i][1]))
            fail_msg("%s and %s are words", no[i][0], no[i][1]);
}

static void add_note(void *context, const char *text) { strbuf_addf(context, "%s\n", text); }

static struct pairs *pairs_of(const char *first[2], const char *const form[2], int from, int to)
{
    struct pairs *p;
    assert_int_equal(pairs_new(&p, ".", NULL), ATTEND_OK);
    for (int i = first ? from - 1 : from; i < to; i++) {
        char text[2][64];
        for (int side = 0; side < 2; side++) {
            if (first && i < from)
                snprintf(text[side], sizeof *text, "%s", first[side]);
            else
                snprintf(text[side], sizeof *text, "%s%d", form[side], i);
        }
        const struct text_pair pair = {text[0],
                                       text[1],
                                       strlen(text[0]),
                                       strlen(text[1]),
                                       (size_t)(i - from) + (first ? 2 : 1),
                                       {0, 0},
                                       NULL,
                                       0};
        assert_int_equal(pairs_add(p, &pair, NULL), ATTEND_OK);
    }
    return p;
}

/* The notes on 40 training and 20 validation pairs of these forms; the numbers of the latter start
 * at `from`. */
static void assert_notes(const char *first[2], const char *const train[2],
                         const char *const valid[2], int from, const char *want)
{
    struct strbuf got = {0};
    struct traps_job job = {.train = pairs_of(first, train, 0, 40),
                            .valid = pairs_of(NULL, valid, from, from + 20),
                            .name = {"t.tsv", "v.tsv"},
                            .headless = {true, true},
                            .given = true,
                            .note = add_note,
                            .context = &got};
    strbuf_adds(&got, "");
    assert_int_equal(traps_find(&job, NULL), ATTEND_OK);
    assert_string_equal(got.text, want);
    strbuf_release(&got);
    pairs_free(job.train);
    pairs_free(job.valid);
}

static const char *const plain[] = {"See the cat ", "Voir le chat "},
                         *const lower[] = {"see the cat ", "voir le chat "},
                         *const upper[] = {"SEE THE CAT ", "VOIR LE CHAT "},
                         *const same[] = {"A cat ", "A cat "};

TEST(traps_are_silent_about_good_text)
{
    assert_notes(NULL, plain, plain, 40, "");
    assert_notes(NULL, lower, lower, 40, "");
}

TEST(traps_tell_of_a_header)
{
    const char *header[] = {"source", "target"}, *words[] = {"A", "cat"};
    assert_notes(header, plain, plain, 40,
                 "t.tsv:1: 'source' and 'target' look like names of columns; if this is a header, "
                 "use `header`\n");
    assert_notes(words, plain, plain, 40, "");
}

TEST(traps_take_words_of_the_text_for_words)
{
    const char *first[] = {"en", "de"};
    const char *const dutch[] = {"Jan en Piet ", "Jan und Piet "};
    assert_notes(first, dutch, plain, 40, "");
}

TEST(traps_tell_of_pairs_in_both_sets)
{
    const char *const other[] = {"See the cat ", "Vois le chat "};
    assert_notes(NULL, plain, plain, 30,
                 "10 of 20 validation sources (50.0 %) are in the training text too, 10 of them "
                 "with the same target; scores on them show memory, not skill\n");
    assert_notes(NULL, plain, other, 30,
                 "10 of 20 validation sources (50.0 %) are in the training text too, 0 of them "
                 "with the same target; scores on them show memory, not skill\n");
}

/* The notes on training pairs 0 to 9 in `train` and validation pairs 0 to 9 in `valid`, whose sources
 * are paths of files. */
static void assert_file_notes(const char *train, const char *valid, const char *want)
{
    static const char *const file[] = {"digit", "seven "};
    struct strbuf got = {0};
    struct traps_job job = {.train = pairs_of(NULL, file, 0, 10),
                            .valid = pairs_of(NULL, file, 0, 10),
                            .name = {train, valid},
                            .given = true,
                            .paths = true,
                            .beside = {train, valid},
                            .note = add_note,
                            .context = &got};
    strbuf_adds(&got, "");
    assert_int_equal(traps_find(&job, NULL), ATTEND_OK);
    assert_string_equal(got.text, want);
    strbuf_release(&got);
    pairs_free(job.train);
    pairs_free(job.valid);
}

TEST(traps_take_equal_paths_in_other_folders_for_other_files)
{
    assert_file_notes("train/list.tsv", "dev/list.tsv", "");
    assert_file_notes(
        "train.tsv", "dev.tsv",
        "10 of 10 validation sources (100.0 %) are in the training text too, 10 of them "
        "with the same target; scores on them show memory, not skill\n");
}

TEST(traps_tell_of_equal_sides)
{
    assert_notes(NULL, same, plain, 40,
                 "source and target are equal in 100 % of the training pairs; is the same file or "
                 "column given twice?\n");
}

TEST(traps_tell_of_other_case)
{
    assert_notes(NULL, plain, lower, 40,
                 "the validation source has no capital letters, but 100 % of the lines of the "
                 "training source have; write both alike\n"
                 "the validation target has no capital letters, but 100 % of the lines of the "
                 "training target have; write both alike\n");
    const char *const loud[] = {"SEE THE CAT ", "Voir le chat "};
    assert_notes(NULL, loud, plain, 40,
                 "the training source has no small letters, but 100 % of the lines of the "
                 "validation source have; write both alike\n");
    assert_notes(NULL, upper, upper, 40, "");
}
