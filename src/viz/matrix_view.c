#include "viz/matrix_view.h"

#include "base/bug.h"
#include "viz/links_plot.h"
#include "viz/links_term.h"
#include "viz/matrix_plot.h"
#include "viz/matrix_term.h"
#include "viz/salience_plot.h"
#include "viz/salience_term.h"
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

const struct matrix_view *matrix_view_of(enum attend_view view)
{
    BUG_ON((unsigned)view >= sizeof views / sizeof *views);
    return &views[view];
}
