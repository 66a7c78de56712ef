#include "model/placement.h"

#include <stddef.h>
#include <string.h>

#define ROW(name) &placement_##name,
const struct placement_ops *const placements[] = {PLACEMENT_LIST(ROW) NULL};
#undef ROW

const struct placement_ops *placement_find(const char *name)
{
    for (const struct placement_ops *const *placement = placements; *placement; placement++)
        if (strcmp((*placement)->name, name) == 0)
            return *placement;
    return NULL;
}

void placement_stack(struct placement_layer *layer, int from, int to)
{
    for (int l = from; l < to; l++)
        layer[l] = (struct placement_layer){.kind = LAYER_CELL, .word = l == 0, .below = l > 0};
}
