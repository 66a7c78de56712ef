#include "frames/source.h"

#include "frames/options.h"
#include "frames/reader.h"
#include "frames_fixture.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct frame_source *make(const char *reader)
{
    struct frame_source *s = NULL;
    struct attend_error err;
    if (frame_source_new(&s, reader, NULL, &err))
        fail_msg("%s", err.message);
    return s;
}

static void observe(struct frame_source *s, int rows, int width, float *value)
{
    const struct frames f = {.rows = rows, .width = width, .value = value};
    assert_int_equal(frame_source_observe(s, &f, NULL), ATTEND_OK);
}

/* ---- Every row of the table ---- */

TEST(source_every_reader_can_be_made_and_refuses_other_bytes)
{
    for (int i = 0; i < FRAME_READERS; i++) {
        const struct frame_reader *row = frame_readers[i];
        assert_string_equal(attend_frame_reader(i).name, row->name);
        assert_frames_refused(row->name, "", 0, "x", "x: is empty");
        struct frame_source *s = make(row->name);
        assert_string_equal(frame_source_reader(s), row->name);
        frame_source_free(s);
    }
    assert_null(attend_frame_reader(FRAME_READERS).name);
    assert_null(attend_frame_reader(-1).name);
}

TEST(source_unknown_reader_names_the_others)
{
    struct frame_source *s = NULL;
    struct attend_error err;
    assert_int_equal(frame_source_new(&s, "mp3", NULL, &err), ATTEND_USAGE);
    assert_non_null(strstr(err.message, "'mp3'"));
    assert_non_null(strstr(err.message, "npy"));
    assert_null(s);
}

TEST(source_wrong_options_are_refused)
{
    struct frame_source *s = NULL;
    struct attend_error err;
    struct attend_frame_options options = attend_frame_defaults();
    options.ink_step = 7;
    assert_int_equal(frame_source_new(&s, "npy", &options, &err), ATTEND_USAGE);
    assert_non_null(strstr(err.message, "ink"));
    options.size = 0;
    assert_int_equal(frame_source_new(&s, "npy", &options, &err), ATTEND_USAGE);
    assert_null(s);
}

/* ---- Mean and scale ---- */

TEST(source_normalizes_to_mean_0_and_variance_1)
{
    struct frame_source *s = make("npy");
    float x[8] = {1e6F, 2, 1e6F + 2, 4, 1e6F + 4, 6, 1e6F + 2, 8}, y[8];
    memcpy(y, x, sizeof y);
    assert_int_equal(frame_source_width(s), 0);
    observe(s, 1, 2, x);
    observe(s, 3, 2, x + 2);
    assert_int_equal(frame_source_width(s), 2);
    assert_false(frame_source_settled(s));
    assert_int_equal(frame_source_settle(s, NULL), ATTEND_OK);
    assert_true(frame_source_settled(s));
    frame_source_normalize(s, x, 4);
    for (int j = 0; j < 2; j++) {
        double sum = 0, square = 0;
        for (int i = 0; i < 4; i++) {
            sum += (double)x[2 * i + j];
            square += (double)(x[2 * i + j] * x[2 * i + j]);
        }
        assert_near(sum / 4, 0, 1e-6);
        assert_near(square / 4, 1, 1e-6);
    }
    frame_source_restore(s, x, 4);
    for (int i = 0; i < 8; i++)
        assert_near((double)x[i], (double)y[i], 1e-6);
    frame_source_free(s);
}

/* The squares of large numbers would swallow a small variance. */
TEST(source_scale_of_large_numbers_that_hardly_vary)
{
    struct frame_source *s = make("npy");
    float x[7] = {0, 64, 192, 128, 320, 576, 704}; /* variance 60687.67 */
    for (int i = 0; i < 7; i++)
        x[i] += 1e9F;
    observe(s, 7, 1, x);
    assert_int_equal(frame_source_settle(s, NULL), ATTEND_OK);
    frame_source_normalize(s, x, 7);
    assert_near((double)(x[6] - x[0]), 704 / sqrt(60687.67346938775), 1e-5);
    frame_source_free(s);
}

TEST(source_constant_column_becomes_0_and_keeps_its_unit)
{
    struct frame_source *s = make("npy");
    float x[3] = {0.1F, 0.1F, 0.1F}, other[1] = {0.6F};
    observe(s, 3, 1, x);
    assert_int_equal(frame_source_settle(s, NULL), ATTEND_OK);
    frame_source_normalize(s, x, 3);
    frame_source_normalize(s, other, 1);
    assert_near((double)x[1], 0, 1e-7);
    assert_near((double)other[0], 0.5, 1e-6);
    frame_source_free(s);
}

TEST(source_without_frames_cannot_be_settled)
{
    struct frame_source *s = make("npy");
    assert_int_equal(frame_source_settle(s, NULL), ATTEND_DATA);
    frame_source_free(s);
}

TEST(source_takes_frames_of_a_caller_and_refuses_another_width)
{
    struct frame_source *s = make("npy");
    struct frames f = {0};
    struct attend_error err;
    float x[4] = {1, 3, 1, 5};
    observe(s, 2, 2, x);
    frame_source_settle(s, NULL);
    const struct attend_frames right = {2, 2, x}, wrong = {1, 3, x}, none = {0, 2, x};
    assert_int_equal(frame_source_take(s, &right, "input", &f, &err), ATTEND_OK);
    assert_near((double)f.value[1], -1, 1e-6);
    assert_near((double)f.value[3], 1, 1e-6);
    frames_release(&f);
    assert_int_equal(frame_source_take(s, &wrong, "input", &f, &err), ATTEND_FORMAT);
    assert_string_equal(err.message,
                        "input: its rows have 3 numbers, those of the training data have 2");
    assert_int_equal(frame_source_take(s, &none, "input", &f, &err), ATTEND_FORMAT);
    x[2] = NAN;
    assert_int_equal(frame_source_take(s, &right, "input", &f, &err), ATTEND_FORMAT);
    const struct frames odd = {.rows = 1, .width = 3, .value = x};
    assert_int_equal(frame_source_observe(s, &odd, &err), ATTEND_DATA);
    frame_source_free(s);
}

/* ---- As text ---- */

TEST(source_text_restores_everything)
{
    struct attend_frame_options options = attend_frame_defaults();
    struct frame_source *s = NULL, *parsed = NULL, *copy = NULL;
    options.ink_step = 0.125;
    options.sound_deltas = true;
    options.image_layout = "patches";
    assert_int_equal(frame_source_new(&s, "npy", &options, NULL), ATTEND_OK);
    float x[6] = {1, 2, 3, 4, 5, 7.1F}, y[6], z[6];
    observe(s, 2, 3, x);
    frame_source_settle(s, NULL);
    memcpy(y, x, sizeof y);
    memcpy(z, x, sizeof z);
    char *text = frame_source_text(s);
    assert_int_equal(frame_source_parse(&parsed, text, strlen(text), NULL), ATTEND_OK);
    assert_int_equal(frame_source_copy(&copy, parsed, NULL), ATTEND_OK);
    char *again = frame_source_text(copy);
    assert_string_equal(text, again);
    assert_string_equal(frame_source_options(copy)->image_layout, "patches");
    assert_int_equal(frame_source_width(copy), 3);
    frame_source_normalize(s, y, 2);
    frame_source_normalize(copy, z, 2);
    assert_memory_equal(y, z, sizeof y);
    free(text);
    free(again);
    frame_source_free(s);
    frame_source_free(parsed);
    frame_source_free(copy);
}

TEST(source_copy_in_the_middle_of_observing_continues)
{
    struct frame_source *s = make("npy"), *copy = NULL;
    float x[3] = {1, 2, 6};
    observe(s, 2, 1, x);
    assert_int_equal(frame_source_copy(&copy, s, NULL), ATTEND_OK);
    observe(s, 1, 1, x + 2);
    observe(copy, 1, 1, x + 2);
    frame_source_settle(s, NULL);
    frame_source_settle(copy, NULL);
    char *a = frame_source_text(s), *b = frame_source_text(copy);
    assert_string_equal(a, b);
    free(a);
    free(b);
    frame_source_free(s);
    frame_source_free(copy);
}

TEST(source_parse_hostile_text_is_refused)
{
#define HEAD "{\"reader\":\"npy\",\"options\":{},\"rate\":0,"
    static const char *const texts[] = {
        "",
        "[]",
        "{}",
        "{\"reader\":\"mp3\",\"options\":{},\"width\":1,\"rate\":0}",
        "{\"reader\":7,\"options\":{},\"width\":1,\"rate\":0}",
        "{\"reader\":\"npy\",\"width\":1,\"rate\":0}",
        "{\"reader\":\"npy\",\"options\":{},\"width\":1,\"rate\":1e9}",
        "{\"reader\":\"npy\",\"options\":{\"sound-bands\":100000},\"width\":1,\"rate\":0}",
        "{\"reader\":\"npy\",\"options\":{\"nobody\":1},\"width\":1,\"rate\":0}",
        "{\"reader\":\"npy\",\"options\":{\"image-layout\":\"spiral\"},\"width\":1,\"rate\":0}",
        HEAD "\"width\":-1}",
        HEAD "\"width\":1.5}",
        HEAD "\"width\":99999999}",
        HEAD "\"width\":\"1\"}",
        HEAD "\"width\":2,\"mean\":[1],\"scale\":[1]}",
        HEAD "\"width\":2,\"mean\":[1,2]}",
        HEAD "\"width\":0,\"mean\":[],\"scale\":[]}",
        HEAD "\"width\":1,\"mean\":[1e300],\"scale\":[1]}",
        HEAD "\"width\":1,\"mean\":[null],\"scale\":[1]}",
        HEAD "\"width\":1,\"mean\":[1],\"scale\":[0]}",
        HEAD "\"width\":1,\"mean\":[1],\"scale\":[-1]}",
        HEAD "\"width\":1,\"mean\":{},\"scale\":[1]}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct frame_source *s = NULL;
        struct attend_error err = {.message = ""};
        if (frame_source_parse(&s, texts[i], strlen(texts[i]), &err) != ATTEND_FORMAT)
            fail_msg("accepted: %s", texts[i]);
        assert_null(s);
        assert_true(err.message[0]);
    }
}
