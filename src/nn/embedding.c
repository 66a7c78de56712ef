#include "nn/embedding.h"

#include <math.h>
#include <string.h>

void embedding_declare(struct embedding *l, struct param_set *set, const char *path, int V, int E)
{
    param_declare(set, &l->table, path, "table", V, E);
    l->table.table = true;
    param_start(&l->table, PARAM_NORMAL, 1 / sqrt(E));
}

void embedding_forward(const struct embedding *l, struct compute *c, const int *ids,
                       struct view out)
{
    const size_t E = (size_t)l->table.cols;
    int from, to;
    worker_share(c->worker, out.rows, 1, &from, &to);
    for (int i = from; i < to; i++) {
        const size_t id = (size_t)ids[i];
        real *row = out.at + i * out.row;
        if (l->table.int8)
            quant_expand(l->table.int8 + id * E, l->table.scales[id], l->table.cols, row);
        else
            memcpy(row, l->table.value + id * E, E * sizeof(real));
    }
}

void embedding_backward(const struct embedding *l, struct compute *c, const int *ids,
                        struct view d_out)
{
    const size_t E = (size_t)l->table.cols;
    int from, to;
    worker_share(c->worker, l->table.cols, 16, &from, &to);
    for (int i = 0; i < d_out.rows; i++) {
        real *grad = l->table.grad + (size_t)ids[i] * E;
        for (int e = from; e < to; e++)
            grad[e] += d_out.at[i * d_out.row + e];
    }
}
