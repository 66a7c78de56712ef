#include "corpus/dataset.h"

#include "base/io.h"
#include "base/strbuf.h"
#include "corpus/store.h"
#include "test.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char src[] = "dataset_test.src", tgt[] = "dataset_test.tgt", spaces[] = "spaces",
            chars[] = "char";

static void add_note(void *context, const char *text) { strbuf_addf(context, "%s\n", text); }

/* Words on the source side, characters on the target side. */
static enum attend_status load(struct dataset *d, const char *source, const char *target,
                               int max_length, struct strbuf *notes, struct attend_error *err)
{
    const struct attend_data_options options = {.train_src = src,
                                                .train_tgt = tgt,
                                                .tokenizer = spaces,
                                                .tgt_tokenizer = chars,
                                                .max_length = max_length};
    *d = (struct dataset){0};
    assert_int_equal(io_write(src, source, strlen(source), NULL), ATTEND_OK);
    assert_int_equal(io_write(tgt, target, strlen(target), NULL), ATTEND_OK);
    const enum attend_status status = dataset_load(
        d, &(struct dataset_job){.options = &options, .note = add_note, .context = notes}, err);
    remove(src);
    remove(tgt);
    return status;
}

/* The text of a sequence of ids. */
static char *text_of(const struct sequences *s, int i, const struct text_side *side)
{
    struct strbuf out = {0};
    text_side_join(side, s->ids + s->start[i], sequences_length(s, i), &out);
    return strbuf_detach(&out);
}

/* All pairs as "line source|target;", and the notes. */
static void assert_loads(const char *source, const char *target, int max_length, const char *want,
                         const char *noted)
{
    struct dataset d;
    struct corpus c;
    struct strbuf got = {0}, notes = {0};
    strbuf_adds(&notes, "");
    assert_int_equal(load(&d, source, target, max_length, &notes, NULL), ATTEND_OK);
    assert_int_equal(store_read_all(d.train, &c, NULL), ATTEND_OK);
    assert_int_equal(c.source.count, c.target.count);
    for (int i = 0; i < c.source.count; i++) {
        char *left = text_of(&c.source, i, &d.side[0]), *right = text_of(&c.target, i, &d.side[1]);
        strbuf_addf(&got, "%d %s|%s;", c.line[i], left, right);
        free(left);
        free(right);
    }
    assert_string_equal(got.text, want);
    assert_string_equal(notes.text, noted);
    strbuf_release(&got);
    strbuf_release(&notes);
    corpus_release(&c);
    dataset_release(&d);
}

TEST(dataset_encodes_both_sides_of_every_pair)
{
    assert_loads("the cat\nthe dog barks\n", "le chat\nwouf\n", 9,
                 "1 the cat|le chat;2 the dog barks|wouf;", "");
}

TEST(dataset_gives_frequent_pieces_the_first_ids)
{
    struct dataset d;
    struct corpus c;
    assert_int_equal(load(&d, "the cat\nthe dog\n", "le\nla\n", 9, &(struct strbuf){0}, NULL),
                     ATTEND_OK);
    assert_int_equal(store_read_all(d.train, &c, NULL), ATTEND_OK);
    assert_int_equal(c.source.ids[0], VOCAB_SPECIALS);
    assert_int_equal(c.source.ids[2], VOCAB_SPECIALS);
    corpus_release(&c);
    dataset_release(&d);
}

TEST(dataset_leaves_out_pairs_with_an_empty_side)
{
    assert_loads("a\n\nc\nd\n", "w\nx\n \t\nz\n", 9, "1 a|w;4 d|z;",
                 "2 pairs left out, empty side, the first at dataset_test.src:2\n");
}

TEST(dataset_leaves_out_pairs_with_a_side_over_the_limit)
{
    assert_loads("a b c\na b c d\na\na b c d\n", "xyz\nx\nwxyz\n\n", 3, "1 a b c|xyz;",
                 "1 pair left out, empty side, the first at dataset_test.tgt:4\n"
                 "2 pairs left out, longer than `max_length`, the first at dataset_test.src:2\n");
}

static void assert_load_fails(const char *source, const char *target, int max_length,
                              const char *message)
{
    struct dataset d;
    struct attend_error err = {.message = ""};
    struct strbuf notes = {0};
    assert_int_equal(load(&d, source, target, max_length, &notes, &err), ATTEND_DATA);
    assert_non_null(strstr(err.message, message));
    strbuf_release(&notes);
    dataset_release(&d);
}

TEST(dataset_of_files_that_do_not_pair_is_refused)
{
    assert_load_fails("a\nb\n", "x\n", 9,
                      "dataset_test.src has 2 lines and dataset_test.tgt has 1: they must pair "
                      "line for line");
}

TEST(dataset_without_a_usable_pair_is_refused)
{
    assert_load_fails("", "", 9, "dataset_test.src: holds no pair that can be used");
    assert_load_fails("\na b\nc\n", "x\nx\n\n", 1,
                      "dataset_test.src: has no line to train on: 0 are empty, 1 too long");
}
