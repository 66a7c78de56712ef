/* Files, compressed or not, through the stream and the line reader. Any way of reading gives the
 * same bytes.
 *
 * Aimed at: src/base/stream.c src/base/gzip.c src/base/zstd.c src/corpus/reader.c */
#include "fuzz.h"

#include "base/checksum.h"
#include "base/stream.h"
#include "base/utf8.h"
#include "corpus/reader.h"

#include <string.h>

enum { MOST = 1 << 16 }; /* limit in bytes: a small file can expand to any size */

struct outcome {
    enum attend_status status;
    size_t bytes;
    uint64_t sum;
};

static struct outcome read_all(const char *path, size_t room)
{
    static char buffer[1 << 16];
    struct attend_error err = {.message = ""};
    struct stream *s = NULL;
    struct checksum sum;
    struct outcome o = {.status = stream_open(&s, path, &err)};
    size_t got = 1;
    checksum_init(&sum);
    while (!o.status && got && o.bytes < MOST) {
        const size_t left = MOST - o.bytes;
        o.status = stream_read(s, buffer, room < left ? room : left, &got, &err);
        if (o.status)
            break;
        checksum_add(&sum, buffer, got);
        o.bytes += got;
    }
    fuzz_check_error(o.status, &err);
    o.sum = checksum_value(&sum);
    stream_close(s);
    return o;
}

static void read_lines(const char *path, size_t limit)
{
    struct attend_error err = {.message = ""};
    struct reader *r = NULL;
    struct reader_line line = {.text = ""};
    enum attend_status status = reader_open(&r, path, &err);
    if (!status)
        reader_set_limit(r, limit);
    for (size_t bytes = 0, number = 1; !status && line.text && bytes < MOST; number++) {
        status = reader_next(r, &line, &err);
        if (status || !line.text)
            break;
        bytes += line.length + 1;
        FUZZ_CHECK(line.number == number && line.length <= limit);
        if (line.fault)
            reader_refuse(r, &line, &err), fuzz_check_error(ATTEND_DATA, &err);
        else
            FUZZ_CHECK(strlen(line.text) == line.length &&
                       utf8_valid(line.text, line.length, NULL));
    }
    fuzz_check_error(status, &err);
    reader_close(r);
}

/* A zstd frame with a large window takes time and finds nothing new. */
static bool has_large_window(const uint8_t *data, size_t size)
{
    static const uint8_t begin[] = {0x28, 0xB5, 0x2F, 0xFD};
    for (size_t i = 0; i + 6 <= size; i++)
        if (memcmp(data + i, begin, 4) == 0 && (data[i + 5] >> 3) + 10 > 17)
            return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (has_large_window(data, size))
        return 0;
    const char *path = fuzz_file(0, data, size);
    const struct outcome large = read_all(path, 1 << 16), small = read_all(path, 511);
    /* From damaged data, more or fewer bytes may have been read before the error. */
    if (!large.status)
        FUZZ_CHECK(small.status == large.status && small.bytes == large.bytes &&
                   small.sum == large.sum);
    read_lines(path, 1000);
    return 0;
}
