#include "viz/matrix_view.h"

#include "base/bug.h"
#include "viz/image_plot.h"
#include "viz/ink_plot.h"
#include "viz/links_plot.h"
#include "viz/links_term.h"
#include "viz/matrix_plot.h"
#include "viz/matrix_term.h"
#include "viz/salience_plot.h"
#include "viz/salience_term.h"
#include "viz/spectrogram_plot.h"
#include "viz/theme.h"

static const struct matrix_view views[] = {
    [ATTEND_VIEW_HEATMAP] = {.measure = matrix_plot_measure,
                             .draw = matrix_plot_draw,
                             .term = matrix_term_add,
                             .legend = {.caption = "weight", .color = theme_weight}},
    [ATTEND_VIEW_LINKS] = {.measure = links_plot_measure,
                           .draw = links_plot_draw,
                           .term = links_term_add,
                           .legend = {.caption = "weight",
                                      .note = "(weights under 0.05 left out)",
                                      .below = true,
                                      .color = links_plot_color,
                                      .width = links_plot_width}},
    [ATTEND_VIEW_SALIENCE] = {.measure = salience_plot_measure,
                              .draw = salience_plot_draw,
                              .term = salience_term_add,
                              .legend = {.caption = "sum of weights, as a part of the largest",
                                         .below = true,
                                         .color = theme_weight}},
};

#define SPECTROGRAM                                                                                \
    {                                                                                              \
        .measure = spectrogram_plot_measure, .draw = spectrogram_plot_draw,                        \
        .term = spectrogram_term_add, .legend = {                                                  \
            .caption = "weight, as a part of the largest in its row",                              \
            .below = true,                                                                         \
            .color = theme_weight                                                                  \
        }                                                                                          \
    }

static const struct matrix_view frame_views[] = {
    [ATTEND_FRAMES_ARRAY] = SPECTROGRAM,
    [ATTEND_FRAMES_SOUND] = SPECTROGRAM,
    [ATTEND_FRAMES_INK] = {.measure = ink_plot_measure,
                           .draw = ink_plot_draw,
                           .term = ink_term_add,
                           .legend = {.caption =
                                          "The color is that of the word with the most weight; "
                                          "the line is as thick as its weight.",
                                      .note = "(letters: the word with the most weight)",
                                      .below = true}},
    [ATTEND_FRAMES_COLUMNS] = {.measure = image_plot_measure,
                               .draw = image_plot_draw,
                               .term = image_columns_term_add,
                               .legend = {.caption = "light where the word attends most",
                                          .below = true}},
    [ATTEND_FRAMES_PATCHES] = {.measure = image_plot_measure,
                               .draw = image_plot_draw,
                               .term = image_patches_term_add,
                               .legend = {.caption = "light where the word attends most",
                                          .below = true}},
};

const struct matrix_view *matrix_view_of(enum attend_view view)
{
    BUG_ON((unsigned)view >= sizeof views / sizeof *views);
    return &views[view];
}

const struct matrix_view *matrix_view_for(const struct attend_matrix *matrix, int count,
                                          const struct attend_style *style)
{
    if (count == 0 || !matrix->frames)
        return matrix_view_of(style->view);
    const enum attend_frames_kind kind = matrix->frames->kind;
    BUG_ON((unsigned)kind >= sizeof frame_views / sizeof *frame_views);
    for (int i = 0; i < count; i++)
        if (!matrix[i].frames || matrix[i].frames->kind != kind)
            return matrix_view_of(style->view);
    return &frame_views[kind];
}
