#include "base/io.h"
#include "base/strbuf.h"
#include "base/stream.h"
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

static const char path[] = "stream_test.tmp";

/* ---- Compressed files, made here ---- */

static void add_gzip(struct strbuf *out, const char *bytes, size_t length)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)length};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    const uLong bound = deflateBound(&z, (uLong)length);
    char *made = malloc(bound);
    z.next_out = (Bytef *)made;
    z.avail_out = (uInt)bound;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    strbuf_add(out, made, z.total_out);
    deflateEnd(&z);
    free(made);
}

static void add_zstd(struct strbuf *out, const char *bytes, size_t length)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    const size_t bound = ZSTD_compressBound(length);
    char *made = malloc(bound);
    const size_t size = ZSTD_compress2(context, made, bound, bytes, length);
    assert_false(ZSTD_isError(size));
    strbuf_add(out, made, size);
    ZSTD_freeCCtx(context);
    free(made);
}

struct kind {
    const char *name;
    void (*add)(struct strbuf *, const char *, size_t);
};
static const struct kind kinds[] = {{"gzip", add_gzip}, {"zstd", add_zstd}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A text that does not compress to almost nothing. */
static void add_words(struct strbuf *out, int words)
{
    unsigned state = 12345;
    for (int i = 0; i < words; i++) {
        state = state * 1664525u + 1013904223u;
        strbuf_addf(out, "%x%c", state >> 12, i % 9 ? ' ' : '\n');
    }
}

/* ---- Reading them back ---- */

static enum attend_status read_all(const char *name, size_t room, struct strbuf *out,
                                   struct attend_error *err)
{
    struct stream *s = NULL;
    enum attend_status status = stream_open(&s, name, err);
    char *block = malloc(room);
    for (size_t got = 1; !status && got > 0;) {
        status = stream_read(s, block, room, &got, err);
        if (!status)
            strbuf_add(out, block, got);
    }
    free(block);
    stream_close(s);
    return status;
}

static void assert_reads(const struct strbuf *file, size_t room, const struct strbuf *want)
{
    struct strbuf got = {0};
    struct attend_error err = {.message = ""};
    assert_int_equal(io_write(path, file->text, file->length, NULL), ATTEND_OK);
    read_all(path, room, &got, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(got.length, want->length);
    if (want->length)
        assert_memory_equal(got.text, want->text, want->length);
    strbuf_release(&got);
    remove(path);
}

/* The stream must fail with a message that names the file, the kind of compression and the
 * problem. */
static void assert_refused(const char *bytes, size_t length, const char *kind, const char *what)
{
    struct strbuf got = {0};
    struct attend_error err = {.message = ""};
    assert_int_equal(io_write(path, bytes, length, NULL), ATTEND_OK);
    const enum attend_status status = read_all(path, 1000, &got, &err);
    if (status != ATTEND_DATA || !strstr(err.message, path) || !strstr(err.message, kind) ||
        !strstr(err.message, what))
        fail_msg("%zu bytes of %s gave %d: %s", length, kind, (int)status, err.message);
    strbuf_release(&got);
    remove(path);
}

TEST(stream_plain_bytes_come_as_they_are)
{
    struct strbuf text = {0}, empty = {0};
    add_words(&text, 30000);
    strbuf_add(&text, "\0\xFF\r\n", 4);
    assert_reads(&text, 1 << 16, &text);
    assert_reads(&text, 777, &text);
    strbuf_adds(&empty, "");
    assert_reads(&empty, 10, &empty);
    strbuf_adds(&empty, "\x1F");
    assert_reads(&empty, 10, &empty);
    strbuf_release(&text);
    strbuf_release(&empty);
}

TEST(stream_compressed_members_come_one_after_another)
{
    for (int k = 0; k < KINDS; k++) {
        struct strbuf file = {0}, want = {0}, part = {0};
        for (int i = 0; i < 4; i++) {
            strbuf_clear(&part);
            add_words(&part, i == 2 ? 0 : 20000 * i + 3); /* the third is empty */
            kinds[k].add(&file, part.text ? part.text : "", part.length);
            strbuf_add(&want, part.text, part.length);
        }
        assert_true(file.length > 1 << 16 && file.length < want.length);
        assert_reads(&file, 1 << 16, &want);
        assert_reads(&file, 1 << 24, &want);
        assert_reads(&file, 501, &want);
        strbuf_release(&file);
        strbuf_release(&want);
        strbuf_release(&part);
    }
}

TEST(stream_compressed_nothing_is_nothing)
{
    for (int k = 0; k < KINDS; k++) {
        struct strbuf file = {0}, want = {0};
        kinds[k].add(&file, "", 0);
        kinds[k].add(&file, "", 0);
        assert_reads(&file, 100, &want);
        strbuf_release(&file);
    }
}

TEST(stream_one_byte_that_makes_many_needs_little_room)
{
    for (int k = 0; k < KINDS; k++) {
        struct strbuf file = {0}, want = {0};
        for (int i = 0; i < 200000; i++)
            strbuf_adds(&want, "aaaaaaaaaa");
        kinds[k].add(&file, want.text, want.length);
        assert_true(file.length < 4096);
        assert_reads(&file, 4096, &want);
        strbuf_release(&file);
        strbuf_release(&want);
    }
}

TEST(stream_zstd_may_begin_with_a_frame_to_skip)
{
    struct strbuf file = {0}, want = {0};
    strbuf_add(&file, "\x50\x2A\x4D\x18\x03\0\0\0xyz", 11);
    add_zstd(&file, "text\n", 5);
    strbuf_adds(&want, "text\n");
    assert_reads(&file, 100, &want);
    strbuf_release(&file);
    strbuf_release(&want);
}

/* Every truncated length at which the start of the file still identifies its kind. */
TEST(stream_truncated_data_is_refused_wherever_it_ends)
{
    for (int k = 0; k < KINDS; k++) {
        struct strbuf file = {0}, text = {0};
        add_words(&text, 40);
        kinds[k].add(&file, text.text, text.length);
        for (size_t length = 4; length < file.length; length++)
            assert_refused(file.text, length, kinds[k].name, "incomplete");
        strbuf_release(&file);
        strbuf_release(&text);
    }
}

TEST(stream_truncated_second_member_is_refused)
{
    for (int k = 0; k < KINDS; k++) {
        struct strbuf file = {0};
        kinds[k].add(&file, "one\n", 4);
        const size_t first = file.length;
        kinds[k].add(&file, "two\n", 4);
        for (size_t length = first + 1; length < file.length; length++)
            assert_refused(file.text, length, kinds[k].name, "incomplete");
        strbuf_release(&file);
    }
}

TEST(stream_damaged_data_is_refused)
{
    for (int k = 0; k < KINDS; k++) {
        struct strbuf file = {0}, text = {0};
        add_words(&text, 3000);
        kinds[k].add(&file, text.text, text.length);
        file.text[file.length / 2] ^= 0x10;
        assert_refused(file.text, file.length, kinds[k].name, "damaged");
        file.text[file.length / 2] ^= 0x10;
        const size_t sum = file.length - (k == 0 ? 8 : 4); /* position of the checksum */
        file.text[sum] ^= 1;
        assert_refused(file.text, file.length, kinds[k].name, "damaged");
        file.text[sum] ^= 1;
        strbuf_adds(&file, "trailing text");
        assert_refused(file.text, file.length, kinds[k].name, "damaged");
        strbuf_release(&file);
        strbuf_release(&text);
    }
}

TEST(stream_takes_standard_input_compressed_or_not)
{
    struct strbuf file = {0}, got = {0};
    add_zstd(&file, "from a pipe\n", 12);
    assert_int_equal(io_write(path, file.text, file.length, NULL), ATTEND_OK);
    assert_non_null(freopen(path, "rb", stdin));
    struct stream *s = NULL;
    assert_int_equal(stream_open(&s, "-", NULL), ATTEND_OK);
    assert_string_equal(stream_name(s), "standard input");
    stream_close(s);
    assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0);
    assert_non_null(freopen(path, "rb", stdin));
    assert_int_equal(read_all("-", 5, &got, NULL), ATTEND_OK);
    assert_string_equal(got.text, "from a pipe\n");
    strbuf_release(&file);
    strbuf_release(&got);
    remove(path);
}

TEST(stream_missing_files_and_folders_are_named)
{
    struct strbuf got = {0};
    struct attend_error err;
    assert_int_equal(read_all("no-such-file.gz", 10, &got, &err), ATTEND_IO);
    assert_non_null(strstr(err.message, "no-such-file.gz"));
    assert_int_equal(read_all("/", 10, &got, &err), ATTEND_IO);
    assert_non_null(strstr(err.message, "/: cannot be read"));
}
