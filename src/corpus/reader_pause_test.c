/* Reading from a pipe that pauses. */
#include "base/strbuf.h"
#include "corpus/reader.h"
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* A reader of a pipe, and the end to write to. */
struct piped {
    int to;
    struct reader *reader;
};

static struct piped open_pipe(void)
{
    int ends[2];
    char path[32];
    struct piped p = {0};
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(reader_open(&p.reader, path, NULL), ATTEND_OK);
    close(ends[0]);
    p.to = ends[1];
    return p;
}

static void close_pipe(struct piped *p) { reader_close(p->reader); }

static void put(const struct piped *p, const char *bytes, size_t length)
{
    assert_int_equal(write(p->to, bytes, length), length);
}

static bool is_ready(const struct piped *p)
{
    bool ready = false;
    assert_int_equal(reader_ready(p->reader, 0, &ready, NULL), ATTEND_OK);
    return ready;
}

static void assert_line(const struct piped *p, const char *want)
{
    struct reader_line line = {0};
    assert_true(is_ready(p));
    assert_int_equal(reader_next(p->reader, &line, NULL), ATTEND_OK);
    if (!want) {
        assert_null(line.text);
        return;
    }
    assert_non_null(line.text);
    assert_string_equal(line.text, want);
}

TEST(reader_is_ready_when_a_whole_line_is_there)
{
    struct piped p = open_pipe();
    assert_false(is_ready(&p));
    put(&p, "one\ntwo\nthr", 11);
    assert_line(&p, "one");
    assert_line(&p, "two");
    assert_false(is_ready(&p));
    assert_false(is_ready(&p));
    put(&p, "ee", 2);
    assert_false(is_ready(&p));
    put(&p, "\r\n\n", 3);
    assert_line(&p, "three");
    assert_line(&p, "");
    assert_false(is_ready(&p));
    put(&p, "last", 4);
    close(p.to);
    assert_line(&p, "last");
    assert_line(&p, NULL);
    assert_line(&p, NULL);
    assert_int_equal(reader_count(p.reader), 5);
    close_pipe(&p);
}

/* The first bytes of these lines are also those of compressed files: '(' and 'P' of zstd. */
TEST(reader_a_first_line_like_a_compressed_file_is_a_line)
{
    static const char *const lines[] = {"(\n", "P\n", "P*\n", "\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct piped p = open_pipe();
        char want[8];
        snprintf(want, sizeof want, "%.*s", (int)strlen(lines[i]) - 1, lines[i]);
        for (size_t at = 0; lines[i][at]; at++) {
            assert_false(is_ready(&p));
            put(&p, lines[i] + at, 1);
        }
        assert_line(&p, want);
        close(p.to);
        assert_line(&p, NULL);
        close_pipe(&p);
    }
}

/* Compress a text and write it byte by byte, so that it can be read before the stream ends. */
static void put_gzip(const struct piped *p, z_stream *z, const char *text, int flush)
{
    unsigned char out[256];
    z->next_in = (z_const Bytef *)text;
    z->avail_in = (uInt)strlen(text);
    z->next_out = out;
    z->avail_out = sizeof out;
    deflate(z, flush);
    assert_true(z->avail_out > 0);
    for (size_t i = 0; i < sizeof out - z->avail_out; i++) {
        is_ready(p);
        put(p, (const char *)out + i, 1);
    }
}

TEST(reader_compressed_lines_come_when_they_are_flushed)
{
    struct piped p = open_pipe();
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    put_gzip(&p, &z, "one", Z_SYNC_FLUSH);
    assert_false(is_ready(&p));
    put_gzip(&p, &z, "\n", Z_FINISH);
    assert_line(&p, "one");
    assert_false(is_ready(&p));
    close(p.to);
    assert_line(&p, NULL);
    deflateEnd(&z);
    close_pipe(&p);
}

/* A small input that makes more than a block must not wait for more input in between. */
TEST(reader_what_the_decoder_holds_is_ready)
{
    enum { LINES = 40000 };
    struct piped p = open_pipe();
    struct strbuf text = {0};
    static unsigned char out[1 << 14];
    z_stream z = {0};
    for (int i = 0; i < LINES; i++)
        strbuf_adds(&text, "same words\n");
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)text.text;
    z.avail_in = (uInt)text.length;
    z.next_out = out;
    z.avail_out = sizeof out;
    assert_int_equal(deflate(&z, Z_SYNC_FLUSH), Z_OK);
    put(&p, (const char *)out, sizeof out - z.avail_out);
    for (int i = 0; i < LINES; i++)
        assert_line(&p, "same words");
    assert_false(is_ready(&p));
    close(p.to);
    assert_int_equal(reader_ready(p.reader, 0, &(bool){0}, NULL), ATTEND_DATA); /* incomplete */
    deflateEnd(&z);
    strbuf_release(&text);
    close_pipe(&p);
}

TEST(reader_a_file_is_always_ready)
{
    bool ready = false;
    struct reader *r = NULL;
    FILE *file = fopen("reader_pause_test.tmp", "wb");
    assert_non_null(file);
    fputs("no end", file);
    fclose(file);
    assert_int_equal(reader_open(&r, "reader_pause_test.tmp", NULL), ATTEND_OK);
    for (int i = 0; i < 2; i++) {
        struct reader_line line;
        assert_int_equal(reader_ready(r, 0, &ready, NULL), ATTEND_OK);
        assert_true(ready);
        assert_int_equal(reader_next(r, &line, NULL), ATTEND_OK);
        assert_int_equal(line.text == NULL, i);
    }
    reader_close(r);
    remove("reader_pause_test.tmp");
}
