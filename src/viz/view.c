#include "viz/view.h"

#include "base/bug.h"
#include "viz/links_plot.h"
#include "viz/links_term.h"
#include "viz/matrix_plot.h"
#include "viz/matrix_term.h"
#include "viz/salience_plot.h"
#include "viz/salience_term.h"
#include "viz/theme.h"

static const struct view views[] = {
    [ATTEND_VIEW_HEATMAP] = {.measure = matrix_plot_measure,
                             .draw = matrix_plot_draw,
                             .term = matrix_term_add,
                             .legend = {.caption = "weight", .colour = theme_weight}},
    [ATTEND_VIEW_LINKS] = {.measure = links_plot_measure,
                           .draw = links_plot_draw,
                           .term = links_term_add,
                           .legend = {.caption = "weight",
                                      .note = "(weights under 0.05 left out)",
                                      .below = true,
                                      .colour = links_plot_colour,
                                      .width = links_plot_width}},
    [ATTEND_VIEW_SALIENCE] = {.measure = salience_plot_measure,
                              .draw = salience_plot_draw,
                              .term = salience_term_add,
                              .legend = {.caption = "sum of weights, as a part of the largest",
                                         .below = true,
                                         .colour = theme_weight}},
};

const struct view *view_of(enum attend_view view)
{
    BUG_ON((unsigned)view >= sizeof views / sizeof *views);
    return &views[view];
}
