#include "nn/cell.h"

#include <string.h>

#define ROW(name) &cell_##name,
const struct cell_ops *const cells[] = {CELL_LIST(ROW) NULL};
#undef ROW

const struct cell_ops *cell_find(const char *name)
{
    for (const struct cell_ops *const *cell = cells; *cell; cell++)
        if (strcmp((*cell)->name, name) == 0)
            return *cell;
    return NULL;
}
