#include "model/frame_masks.h"

#include "base/arena.h"
#include "model/batch.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS = 5, WIDTH = 20, FRAMES = 90 };
static size_t start[] = {0, 30, 31, 50, 52, FRAMES};
static float rows[FRAMES * WIDTH];
static const struct sequences source = {
    .count = ITEMS, .start = start, .width = WIDTH, .rows = rows};
static const int ALL[] = {0, 1, 2, 3, 4};

/* The frames of the items after masking, in the order of `rows`, for the caller to free. All frames
 * are 1 before. */
static real *masked(const struct frame_masks *m, const int *items, int count, int lanes, int times)
{
    const struct batch_text text = {.source = &source, .item = items, .count = count};
    struct batch b;
    struct arena counting = {0}, arena = {0};
    real *out = calloc(FRAMES * WIDTH, sizeof *out);
    for (int i = 0; i < FRAMES * WIDTH; i++)
        rows[i] = 1;
    batch_bind(&b, &counting, &text, lanes, 0);
    assert_int_equal(arena_reserve(&arena, counting.used, NULL), ATTEND_OK);
    batch_bind(&b, &arena, &text, lanes, 0);
    batch_fill(&b, &text);
    for (int i = 0; i < times; i++)
        for (int lane = 0; lane < lanes; lane++)
            frame_masks_apply(m, &b, lane);
    for (int row = 0; row < b.source_rows; row++) {
        const int *place = b.level[0].place + 2 * row;
        memcpy(out + (start[place[0]] + (size_t)place[1]) * WIDTH,
               b.source_frame + (size_t)row * WIDTH, WIDTH * sizeof *out);
    }
    arena_release(&arena);
    return out;
}

/* Frames of an item that are all 0, and columns. */
static int silent_frames(const real *x, int item)
{
    int count = 0;
    for (size_t t = start[item]; t < start[item + 1]; t++) {
        bool silent = true;
        for (size_t k = 0; k < WIDTH; k++)
            silent = silent && x[t * WIDTH + k] == 0;
        count += silent;
    }
    return count;
}

static int silent_columns(const real *x, int item)
{
    int count = 0;
    for (size_t k = 0; k < WIDTH; k++) {
        bool silent = true;
        for (size_t t = start[item]; t < start[item + 1]; t++)
            silent = silent && x[t * WIDTH + k] == 0;
        count += silent;
    }
    return count;
}

static int zeros(const real *x, int item)
{
    int count = 0;
    for (size_t i = start[item] * WIDTH; i < start[item + 1] * WIDTH; i++)
        count += x[i] == 0;
    return count;
}

TEST(frame_masks_cover_whole_frames_and_columns_up_to_their_share)
{
    int frames = 0, columns = 0;
    for (uint64_t key = 0; key < 50; key++) {
        const struct frame_masks m = {
            .times = 2, .time_share = 0.2, .bands = 1, .band_share = 0.25, .key = key};
        real *x = masked(&m, ALL, ITEMS, 2, 1);
        for (int item = 0; item < ITEMS; item++) {
            const int length = (int)(start[item + 1] - start[item]);
            const int t = silent_frames(x, item), k = silent_columns(x, item);
            assert_int_equal(zeros(x, item), t * WIDTH + k * length - t * k);
            assert_in_range(t, 0, 2 * (length / 5));
            assert_in_range(k, 0, WIDTH / 4);
            frames += t;
            columns += k;
        }
        free(x);
    }
    /* The mean of a mask is half its largest width: 2 * (6 + 0 + 3 + 0 + 7) / 2 frames in a batch,
     * less where two overlap, and 5 / 2 columns of each of its items. */
    assert_in_range(frames, 50 * 12, 50 * 17);
    assert_in_range(columns, 50 * 11, 50 * 14);
}

TEST(frame_masks_depend_only_on_key_and_item)
{
    static const int other[] = {4, 2};
    struct frame_masks m = {.times = 3, .time_share = 0.3, .bands = 2, .band_share = 0.3, .key = 9};
    real *x = masked(&m, ALL, ITEMS, 3, 1), *again = masked(&m, ALL, ITEMS, 1, 2),
         *part = masked(&m, other, 2, 1, 1);
    assert_memory_equal(x, again, FRAMES * WIDTH * sizeof *x);
    for (int i = 0; i < 2; i++)
        assert_memory_equal(x + start[other[i]] * WIDTH, part + start[other[i]] * WIDTH,
                            (start[other[i] + 1] - start[other[i]]) * WIDTH * sizeof *x);
    m.key++;
    real *next = masked(&m, ALL, ITEMS, 1, 1);
    assert_true(memcmp(x, next, FRAMES * WIDTH * sizeof *x) != 0);
    free(x);
    free(again);
    free(part);
    free(next);
}

TEST(frame_masks_of_none_change_nothing)
{
    const struct frame_masks none = {.time_share = 1, .band_share = 1, .key = 3};
    real *x = masked(&none, ALL, ITEMS, 1, 1);
    for (int i = 0; i < FRAMES * WIDTH; i++)
        assert_true(x[i] == 1);
    free(x);
}
