/* What the tests of pictures of attention over frames share: a matrix over frames whose target words
 * attend in order, each to its own part, with a peak in the middle of it. */
#ifndef ATTEND_TESTS_FRAMES_PICTURE_FIXTURE_H
#define ATTEND_TESTS_FRAMES_PICTURE_FIXTURE_H

#include "picture_fixture.h"

static const char *const digit_words[] = {"zero", "one",   "two",   "three", "four", "five",
                                          "six",  "seven", "eight", "nine",  "ten",  "</s>"};

struct frames_sample {
    struct attend_frames_view view;
    struct attend_matrix matrix;
    float *value, *weight;
};

/* Word t of T attends to columns t S / T .. (t + 1) S / T of S, most to the middle one. */
static inline float sample_weight(int t, int T, int s, int S)
{
    const double place = (s + 0.5) * T / S - t;
    return place > 0 && place < 1 ? (float)(0.2 * (0.5 - fabs(place - 0.5))) : 0;
}

static inline struct frames_sample frames_sample(enum attend_frames_kind kind, int rows, int width,
                                                 int stride, int columns, int words)
{
    struct frames_sample s = {.value = calloc((size_t)rows * (size_t)width + 1, sizeof(float)),
                              .weight = calloc((size_t)columns * (size_t)words + 1, sizeof(float))};
    s.view = (struct attend_frames_view){
        .kind = kind, .rows = rows, .width = width, .value = s.value, .stride = stride};
    s.matrix = (struct attend_matrix){
        .target = digit_words, .source_count = columns, .target_count = words, .weight = s.weight};
    for (int t = 0; t < words; t++)
        for (int k = 0; k < columns; k++)
            s.weight[t * columns + k] = sample_weight(t, words, k, columns);
    return s;
}

static inline struct display_list frames_draw(struct frames_sample *s, bool dark)
{
    s->matrix.frames = &s->view;
    return draw_one(s->matrix, (struct attend_style){.dark = dark});
}

static inline char *frames_svg(struct frames_sample *s)
{
    struct display_list list = frames_draw(s, false);
    char *svg = svg_of(&list);
    display_list_release(&list);
    return svg;
}

static inline char *frames_text(struct frames_sample *s, enum term_palette palette, int width)
{
    struct strbuf out = {0};
    s->matrix.frames = &s->view;
    figure_term(&out, &s->matrix, 1, &(struct attend_style){.width = width}, palette);
    assert_false(out.failed);
    assert_true(utf8_valid(out.text, out.length, NULL));
    return strbuf_detach(&out);
}

static inline void frames_sample_release(struct frames_sample *s)
{
    free(s->value);
    free(s->weight);
}

/* Every number of every shape is finite, and every picture is inside the picture. */
static inline void assert_shapes_finite(const struct display_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct display_shape *shape = &list->shape[i];
        if (shape->kind == DISPLAY_IMAGE) {
            const struct display_image *image = &shape->image;
            assert_true(image->x >= 0 && image->x + image->width <= list->width);
            assert_true(image->y >= 0 && image->y + image->height <= list->height);
        }
        for (int k = 0; shape->kind == DISPLAY_POLYLINE && k < shape->polyline.count; k++) {
            assert_true(shape->polyline.x[k] >= 0 && shape->polyline.x[k] <= list->width);
            assert_true(shape->polyline.y[k] >= 0 && shape->polyline.y[k] <= list->height);
        }
    }
}

/* Columns of the longest line; the text is cut at its ends. */
static inline int longest_line(char *text)
{
    int longest = 0;
    for (char *end; *text; text = end + 1) {
        end = strchr(text, '\n');
        *end = '\0';
        longest = utf8_columns(text) > longest ? utf8_columns(text) : longest;
    }
    return longest;
}

/* The n-th image, from 0. */
static inline const struct display_image *image_at(const struct display_list *list, int n)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->shape[i].kind == DISPLAY_IMAGE && n-- == 0)
            return &list->shape[i].image;
    fail_msg("no image %d", n);
    return NULL;
}

#endif
