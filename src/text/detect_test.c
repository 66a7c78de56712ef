#include "test.h"

#include "text/detect.h"

#include <stdlib.h>
#include <string.h>

static const char english[] =
    "the cat sat on the mat and the dog looked at it while they were waiting for the rain to stop "
    "there is nothing that we would rather do than read a good book in the evening";
static const char german[] =
    "die katze sa\xc3\x9f auf der matte und der hund schaute sie an w\xc3\xa4hrend sie auf das "
    "ende des regens warteten es gibt nichts was wir lieber tun als am abend ein gutes buch zu "
    "lesen";
static const char hindi[] = "\xe0\xa4\xae\xe0\xa5\x88\xe0\xa4\x82 \xe0\xa4\x98\xe0\xa4\xb0 "
                            "\xe0\xa4\x9c\xe0\xa4\xbe \xe0\xa4\xb0\xe0\xa4\xb9\xe0\xa4\xbe "
                            "\xe0\xa4\xb9\xe0\xa5\x82\xe0\xa4\x81";
static const char *const texts[] = {english, german, hindi};
enum { LANGUAGES = 3 };

struct three {
    struct detect d[LANGUAGES];
};

static struct three *learn(void)
{
    struct three *all = malloc(sizeof *all);
    assert_non_null(all);
    for (int l = 0; l < LANGUAGES; l++) {
        struct detect_counts *counts = calloc(1, sizeof *counts);
        assert_non_null(counts);
        for (int times = 0; times < 50; times++)
            assert_true(detect_count(counts, texts[l]));
        detect_make(&all->d[l], counts);
        free(counts);
    }
    return all;
}

static void guess(const struct three *all, const char *text, double *out)
{
    const struct detect *const languages[] = {&all->d[0], &all->d[1], &all->d[2]};
    assert_true(detect_bits(languages, LANGUAGES, text, out));
    detect_shares(out, LANGUAGES);
}

TEST(detect_new_text_goes_to_its_language)
{
    static const char *const lines[] = {
        "they would rather sit in the rain", "wir schauen am Abend den Hund an",
        "\xe0\xa4\x98\xe0\xa4\xb0 \xe0\xa4\xae\xe0\xa5\x88\xe0\xa4\x82"};
    struct three *all = learn();
    double out[LANGUAGES + 1];
    for (int l = 0; l < LANGUAGES; l++) {
        guess(all, lines[l], out);
        assert_true(out[l] > 0.9);
    }
    free(all);
}

TEST(detect_shares_sum_to_one_with_chance)
{
    struct three *all = learn();
    double out[LANGUAGES + 1], sum = 0;
    guess(all, "the book", out);
    for (int l = 0; l <= LANGUAGES; l++)
        sum += out[l];
    assert_near(sum, 1, 1e-12);
    free(all);
}

TEST(detect_foreign_script_fits_nothing)
{
    struct three *all = learn();
    double out[LANGUAGES + 1];
    guess(all, "\xd0\xbf\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82 \xd0\xbc\xd0\xb8\xd1\x80", out);
    for (int l = 0; l < LANGUAGES; l++)
        assert_true(out[l] < 0.2);
    free(all);
}

TEST(detect_text_without_letters_says_nothing)
{
    struct three *all = learn();
    double out[LANGUAGES + 1];
    static const char *const empty[] = {"", "12345", " ... !", "\xe2\x96\x81"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        guess(all, empty[i], out);
        for (int l = 0; l <= LANGUAGES; l++)
            assert_near(out[l], 1.0 / (LANGUAGES + 1), 1e-12);
    }
    free(all);
}

TEST(detect_case_digits_and_punctuation_make_no_difference)
{
    struct three *all = learn();
    double a[LANGUAGES + 1], b[LANGUAGES + 1];
    guess(all, "the dog looked", a);
    guess(all, "  The 3,  DOG: looked!", b);
    for (int l = 0; l <= LANGUAGES; l++)
        assert_near(a[l], b[l], 1e-12);
    free(all);
}

/* Files store the costs, so the hash of an n-gram must never change. */
TEST(detect_costs_are_those_of_files)
{
    struct detect_counts *counts = calloc(1, sizeof *counts);
    struct detect *d = malloc(sizeof *d);
    assert_true(counts && d);
    assert_true(detect_count(counts, "ab"));
    detect_make(d, counts);
    int grams = 0, place = 0;
    for (int order = 0; order < DETECT_ORDERS; order++)
        for (int c = 0; c < DETECT_CELLS; c++) {
            grams += (int)counts->cell[order][c];
            if (counts->cell[order][c]) {
                place += (order + 1) * c;
                assert_int_equal(d->cost[order][c], 75); /* 8 log2(1027 / 1.5) */
            }
        }
    assert_int_equal(grams, 8); /* a, b; _a, ab, b_; __a, _ab, ab_ */
    assert_int_equal(place, 21981);
    free(counts);
    free(d);
}
