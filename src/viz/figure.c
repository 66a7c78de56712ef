#include "viz/figure.h"

#include "base/bug.h"
#include "base/strbuf.h"
#include "viz/display_list.h"
#include "viz/legend.h"
#include "viz/panel.h"
#include "viz/matrix_view.h"

#include <math.h>
#include <stdlib.h>

/* Pixels. */
enum {
    MARGIN = 16,
    TITLE_SIZE = 16,
    TITLE_HEIGHT = 34,
    PANEL_TITLE_SIZE = 14,
    PANEL_TITLE_HEIGHT = 26,
    COLUMN_GAP = 36, /* between panels */
    ROW_GAP = 32,
    LEGEND_GAP = 28,
    LEGEND_GAP_BELOW = 22,
};

/* The preferred width / height of a grid of panels, and the cost of an empty cell. */
static const double ratio = 1.4, hole_cost = 0.6;

struct figure {
    const struct matrix_view *view;
    struct theme theme;
    struct label_set title; /* none or one */
    struct panel *panel;    /* (count) */
    int count, columns, rows;
    struct panel_room *column, *row; /* (columns), (rows): the maximum over their panels */
    double panel_title;              /* height */
    struct legend_size legend;
    double width, height;
    bool failed;
};

/* ---- The grid -------------------------------------------------------------------------------- */

static double title_width(const struct label_set *title, double size)
{
    return ceil(label_set_em(title) * size);
}

/* Set `columns`, `rows` and their sizes. */
static void set_grid(struct figure *f, int columns)
{
    f->columns = columns;
    f->rows = (f->count + columns - 1) / columns;
    for (int i = 0; i < f->count; i++)
        f->column[i] = f->row[i] = (struct panel_room){0};
    for (int i = 0; i < f->count; i++) {
        struct panel_room *column = &f->column[i % columns], *row = &f->row[i / columns];
        const struct panel_room *room = &f->panel[i].room;
        column->left = fmax(column->left, room->left);
        column->right = fmax(column->right, room->right);
        row->above = fmax(row->above, room->above);
        row->below = fmax(row->below, room->below);
    }
    for (int i = 0; i < f->count; i++) {
        struct panel_room *column = &f->column[i % columns];
        const double title = title_width(&f->panel[i].title, PANEL_TITLE_SIZE);
        column->right = fmax(column->right, title - column->left);
    }
}

/* Total width of the first `columns` columns, with the gaps after them. */
static double columns_width(const struct figure *f, int columns)
{
    double width = columns * COLUMN_GAP;
    for (int c = 0; c < columns; c++)
        width += f->column[c].left + f->column[c].right;
    return width;
}

static double rows_height(const struct figure *f, int rows)
{
    double height = rows * ROW_GAP;
    for (int r = 0; r < rows; r++)
        height += f->panel_title + f->row[r].above + f->row[r].below;
    return height;
}

static double grid_width(const struct figure *f)
{
    return f->count ? columns_width(f, f->columns) - COLUMN_GAP : 0;
}

static double grid_height(const struct figure *f)
{
    return f->count ? rows_height(f, f->rows) - ROW_GAP : 0;
}

/* How far the grid is from the preferred shape; 0 is best. */
static double grid_cost(const struct figure *f)
{
    const double holes = (double)f->columns * f->rows - f->count;
    return fabs(log(fmax(grid_width(f), 1) / fmax(grid_height(f), 1) / ratio)) +
           hole_cost * holes / f->count;
}

static void choose_grid(struct figure *f)
{
    int best = 1;
    double least = HUGE_VAL;
    for (int columns = 1; columns <= f->count; columns++) {
        set_grid(f, columns);
        if (grid_cost(f) < least) {
            least = grid_cost(f);
            best = columns;
        }
    }
    set_grid(f, best);
}

/* ---- Layout ---------------------------------------------------------------------------------- */

static double grid_top(const struct figure *f)
{
    return MARGIN + (f->title.count ? TITLE_HEIGHT : 0);
}

static double origin_x(const struct figure *f, int panel)
{
    const int column = panel % f->columns;
    return MARGIN + columns_width(f, column) + f->column[column].left;
}

static double origin_y(const struct figure *f, int panel)
{
    const int row = panel / f->columns;
    return grid_top(f) + rows_height(f, row) + f->panel_title + f->row[row].above;
}

/* To the right of the grid; with one row of panels, below the slanted labels of the last one. */
static double legend_x(const struct figure *f)
{
    const double right = MARGIN + grid_width(f);
    if (f->view->legend.below)
        return MARGIN;
    if (f->rows != 1)
        return right + LEGEND_GAP;
    const struct panel_room *last = &f->panel[f->count - 1].room;
    return origin_x(f, f->count - 1) + last->right - last->tuck + LEGEND_GAP;
}

static double legend_y(const struct figure *f)
{
    if (f->view->legend.below)
        return grid_top(f) + grid_height(f) + LEGEND_GAP_BELOW;
    return f->count ? origin_y(f, 0) : grid_top(f);
}

static void lay_out(struct figure *f)
{
    for (int i = 0; i < f->count; i++) {
        f->view->measure(&f->panel[i]);
        f->failed |= f->panel[i].failed;
    }
    choose_grid(f);
    f->legend = legend_measure(&f->view->legend, f->count ? f->row[0].below : 0);
    const double title = title_width(&f->title, TITLE_SIZE);
    const double right = fmax(MARGIN + fmax(grid_width(f), title), legend_x(f) + f->legend.width);
    const double bottom = fmax(grid_top(f) + grid_height(f), legend_y(f) + f->legend.height);
    f->width = ceil(right + MARGIN);
    f->height = ceil(bottom + MARGIN);
}

/* ---- Setup and release ----------------------------------------------------------------------- */

static int longest_side(const struct attend_matrix *matrix, int count)
{
    int longest = 0;
    for (int i = 0; i < count; i++) {
        longest = matrix[i].source_count > longest ? matrix[i].source_count : longest;
        longest = matrix[i].target_count > longest ? matrix[i].target_count : longest;
    }
    return longest;
}

static void figure_init(struct figure *f, const struct attend_matrix *matrix, int count,
                        const struct attend_style *style)
{
    BUG_ON(count < 0);
    *f = (struct figure){.view = matrix_view_for(matrix, count, style),
                         .theme = theme_of(style->dark, style->scale),
                         .count = count};
    const size_t places = count ? (size_t)count : 1;
    label_set_init(&f->title, &style->title, style->title ? 1 : 0);
    f->panel = calloc(places, sizeof *f->panel);
    f->column = calloc(places, sizeof *f->column);
    f->row = calloc(places, sizeof *f->row);
    f->failed = f->title.failed || !f->panel || !f->column || !f->row;
    for (int i = 0; i < count && !f->failed; i++) {
        panel_init(&f->panel[i], &matrix[i], style, &f->theme);
        f->panel[i].longest = longest_side(matrix, count);
        f->panel[i].panels = count;
        f->panel_title = f->panel[i].title.count ? PANEL_TITLE_HEIGHT : f->panel_title;
        f->failed = f->panel[i].failed;
    }
}

static void figure_release(struct figure *f)
{
    for (int i = 0; i < f->count && f->panel; i++)
        panel_release(&f->panel[i]);
    label_set_release(&f->title);
    free(f->panel);
    free(f->column);
    free(f->row);
}

/* ---- Drawing --------------------------------------------------------------------------------- */

/* A title starts at the side where its script starts. */
static void draw_title(struct display_list *list, const struct figure *f,
                       const struct label_set *title, double size, double left, double right,
                       double y)
{
    if (!title->count)
        return;
    const bool reversed = label_direction(title->text[0]) == LABEL_RIGHT_TO_LEFT;
    display_list_text(list, (struct display_text){.x = reversed ? right : left,
                                                  .y = y + size,
                                                  .size = size,
                                                  .anchor = reversed ? ANCHOR_END : ANCHOR_START,
                                                  .color = f->theme.ink,
                                                  .text = title->text[0]});
}

static void draw_panel(struct display_list *list, const struct figure *f, int i)
{
    const struct panel_room *column = &f->column[i % f->columns], *row = &f->row[i / f->columns];
    const double x = origin_x(f, i), y = origin_y(f, i);
    draw_title(list, f, &f->panel[i].title, PANEL_TITLE_SIZE, x - column->left, x + column->right,
               y - row->above - f->panel_title);
    f->view->draw(list, &f->panel[i], x, y);
}

static void draw_all(struct display_list *list, const struct figure *f)
{
    display_list_rect(list, (struct display_rect){0, 0, f->width, f->height, f->theme.paper, NULL});
    draw_title(list, f, &f->title, TITLE_SIZE, MARGIN, f->width - MARGIN, MARGIN);
    for (int i = 0; i < f->count; i++)
        draw_panel(list, f, i);
    legend_draw(list, &f->view->legend, &f->theme, &f->legend, legend_x(f), legend_y(f));
}

void figure_draw(struct display_list *list, const struct attend_matrix *matrix, int count,
                 const struct attend_style *style)
{
    struct figure f;
    figure_init(&f, matrix, count, style);
    if (!f.failed)
        lay_out(&f);
    const char *single = count == 1 ? matrix[0].title : NULL;
    const char *title = style->title ? style->title : single;
    display_list_init(list, f.width, f.height, title ? title : "attention weights");
    list->failed |= f.failed;
    if (!list->failed)
        draw_all(list, &f);
    figure_release(&f);
}
