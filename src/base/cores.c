#include "base/cores.h"

#include <stdio.h>
#include <stdlib.h>

/* The first of the processors that share a core, or -1 when unknown. It identifies the core in the
 * whole machine; core_id does not, because it starts again in every package. */
static int first_sibling(const char *folder, int processor)
{
    char path[512], text[32] = "";
    snprintf(path, sizeof path, "%s/cpu%d/topology/thread_siblings_list", folder, processor);
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    char *end = text;
    const char *line = fgets(text, sizeof text, file);
    const long first = line ? strtol(text, &end, 10) : -1;
    fclose(file);
    return end > text && first >= 0 && first <= processor ? (int)first : -1;
}

int cores_count(const char *folder, const bool *allowed, int processors)
{
    bool *seen = calloc((size_t)processors + 1, sizeof *seen);
    int count = 0;
    for (int i = 0; seen && i < processors; i++) {
        const int core = allowed[i] ? first_sibling(folder, i) : 0;
        if (core < 0) {
            count = 0;
            break;
        }
        count += allowed[i] && !seen[core];
        seen[core] |= allowed[i];
    }
    free(seen);
    return count;
}
