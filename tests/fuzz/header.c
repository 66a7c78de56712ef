/* The container of model files: the first byte is the amount of data, the rest is the JSON header.
 *
 * Aimed at: src/model/file.c src/base/json.c */
#include "fuzz.h"

#include "base/io.h"
#include "model/file.h"

#include <stdlib.h>
#include <string.h>

enum { LENGTH_SIZE = 8 };

static const char *const names[] = {"vocab.source", "a", "b", "encoder.embedding"};

/* Every byte of a tensor that is found is inside the file. */
static void check_tensor(struct file *f, const struct io_map *map, const char *name,
                         enum file_dtype dtype)
{
    struct attend_error err = {.message = ""};
    struct file_tensor t = {.name = name, .dtype = dtype, .rows = 1};
    const enum attend_status status = file_find_tensor(f, &t, &err);
    fuzz_check_error(status, &err);
    if (status)
        return;
    const unsigned char *at = t.bytes;
    const size_t size = t.cols * (dtype == FILE_F32 ? 4 : 1);
    FUZZ_CHECK(at >= map->bytes && size <= map->size &&
               (size_t)(at - map->bytes) <= map->size - size);
}

static void check_file(struct file *f, const struct io_map *map)
{
    struct attend_error err = {.message = ""};
    struct file_text text = {.name = "config"};
    fuzz_check_error(file_find_text(f, &text, &err), &err);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        check_tensor(f, map, names[i], FILE_U8);
        check_tensor(f, map, names[i], FILE_F32);
    }
    fuzz_check_error(file_check_all_found(f, "training.", &err), &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    const size_t zeros = fuzz_byte(&in), header = in.left;
    struct io_map map = {.size = LENGTH_SIZE + header + zeros, .copied = true};
    unsigned char *bytes = calloc(1, map.size);
    FUZZ_CHECK(bytes);
    for (int i = 0; i < LENGTH_SIZE; i++)
        bytes[i] = (unsigned char)((uint64_t)header >> (8 * i));
    if (header)
        memcpy(bytes + LENGTH_SIZE, in.at, header);
    map.bytes = bytes;
    struct file *f = NULL;
    struct attend_error err = {.message = ""};
    const enum attend_status status = file_open(&f, &map, "file", &err);
    fuzz_check_error(status, &err);
    if (!status)
        check_file(f, &map);
    file_close(f);
    free(bytes);
    return 0;
}
