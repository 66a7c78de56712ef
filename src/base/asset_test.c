#include "test.h"

#include "base/asset.h"
#include "base/io.h"
#include "base/strbuf.h"

#include <string.h>

TEST(asset_every_file_is_its_bytes_and_a_nul)
{
    int count = 0;
    for (const struct asset *asset = asset_files; asset->name; asset++, count++) {
        struct strbuf path = {0}, file = {0};
        strbuf_addf(&path, "%s/web/%s", ATTEND_SOURCE, asset->name);
        assert_int_equal(io_read(path.text, &file, NULL), ATTEND_OK);
        assert_int_equal(asset->size, file.length);
        assert_memory_equal(asset->bytes, file.text, file.length);
        assert_int_equal(asset->bytes[asset->size], '\0');
        assert_ptr_equal(asset_get(asset->name), asset);
        strbuf_release(&path);
        strbuf_release(&file);
    }
    assert_true(count >= 4);
}
