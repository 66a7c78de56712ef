#include "browser/engine.h"

#include "base/error.h"

#include <string.h>

enum attend_status engine_map(struct io_map *map, const char *path, struct attend_error *err)
{
    static const unsigned char magic[] = {0, 'a', 's', 'm'};
    const enum attend_status status = io_map(map, path, err);
    if (status)
        return status;
    if (map->size < sizeof magic || memcmp(map->bytes, magic, sizeof magic) != 0)
        return error_set(err, ATTEND_FORMAT, "%s: is not WebAssembly; build it with `make wasm`",
                         path);
    return ATTEND_OK;
}
