#include "nn/guide.h"

#include "base/arena.h"

#include <math.h>
#include <string.h>

static const double FLOOR = 1e-6;

void guide_bind(struct guide *g, struct arena *arena, int rows, int links)
{
    *g = (struct guide){.rows = rows,
                        .from = arena_take(arena, sizeof(int), (size_t)rows),
                        .count = arena_take(arena, sizeof(int), (size_t)rows),
                        .at = arena_take(arena, sizeof(int), (size_t)links)};
}

void guide_clear(struct guide *g)
{
    g->used = 0;
    if (g->rows)
        memset(g->count, 0, (size_t)g->rows * sizeof *g->count);
}

void guide_add(struct guide *g, int row, int position)
{
    if (g->count[row]++ == 0)
        g->from[row] = g->used;
    g->at[g->used++] = position;
}

/* a_ij, the mean of the heads. */
static double mean_weight(struct view weight, int row, int heads, int position)
{
    const int S = weight.cols / heads;
    double sum = 0;
    for (int g = 0; g < heads; g++)
        sum += (double)weight.at[row * weight.row + g * S + position];
    return sum / heads;
}

double guide_loss(const struct guide *g, struct view weight, int heads)
{
    double loss = 0;
    for (int i = 0; i < g->rows; i++)
        for (int k = 0; k < g->count[i]; k++)
            loss -= log(mean_weight(weight, i, heads, g->at[g->from[i] + k]) + FLOOR) / g->count[i];
    return loss;
}

/* loss_i = -1/|L| sum log(a_j + FLOOR): d_a_gj = -1 / (|L| G (a_j + FLOOR)) */
void guide_backward(const struct guide *g, int row, struct view weight, int heads, double factor,
                    struct view d_weight)
{
    const int S = weight.cols / heads;
    for (int i = 0; i < d_weight.rows && g->rows && factor > 0; i++)
        for (int k = 0; k < g->count[row + i]; k++) {
            const int j = g->at[g->from[row + i] + k];
            const double share = factor / g->count[row + i] / heads;
            const real d = (real)(-share / (mean_weight(weight, i, heads, j) + FLOOR));
            for (int h = 0; h < heads; h++)
                d_weight.at[i * d_weight.row + h * S + j] += d;
        }
}
