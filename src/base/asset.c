#include "base/asset.h"

#include "base/bug.h"

#include <string.h>

const struct asset *asset_get(const char *name)
{
    const struct asset *asset = asset_files;
    while (asset->name && strcmp(asset->name, name) != 0)
        asset++;
    BUG_ON(!asset->name);
    return asset;
}
