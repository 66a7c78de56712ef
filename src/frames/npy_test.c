#include "base/io.h"
#include "base/strbuf.h"
#include "frames/npy.h"
#include "frames/reader.h"
#include "frames/source.h"
#include "frames_fixture.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Arrays by hand ---- */

/* A file of version 1 with this header and these data. */
static struct strbuf make(const char *header, const void *data, size_t size)
{
    struct strbuf out = {0};
    const size_t length = strlen(header);
    strbuf_add(&out, "\x93NUMPY\x01\x00", 8);
    strbuf_addc(&out, (char)(length & 255));
    strbuf_addc(&out, (char)(length >> 8));
    strbuf_adds(&out, header);
    strbuf_add(&out, data, size);
    return out;
}

static void assert_refuses(const char *header, const void *data, size_t size, const char *message)
{
    struct strbuf file = make(header, data, size);
    assert_frames_refused("npy", file.text, file.length, "a.npy", message);
    strbuf_release(&file);
}

TEST(npy_reads_rows_and_a_vector_as_one_column)
{
    const float x[6] = {1, -2, 3.5F, 4, 5, 1e30F};
    struct strbuf file =
        make("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", x, 24);
    struct frames f = read_frames("npy", file.text, file.length, "a.npy");
    assert_int_equal(f.rows, 2);
    assert_int_equal(f.width, 3);
    assert_memory_equal(f.value, x, sizeof x);
    frames_release(&f);
    strbuf_release(&file);
    file = make("{\"shape\":(6,),\"descr\":\"<f4\",\"fortran_order\":False}", x, 24);
    f = read_frames("npy", file.text, file.length, "a.npy");
    assert_int_equal(f.rows, 6);
    assert_int_equal(f.width, 1);
    assert_memory_equal(f.value, x, sizeof x);
    frames_release(&f);
    strbuf_release(&file);
}

TEST(npy_half_floats_are_exact)
{
    static const struct {
        unsigned char bytes[2];
        float want;
    } cases[] = {{{0x00, 0x3C}, 1},       {{0x01, 0x00}, 0x1p-24F}, {{0xFF, 0x03}, 0x3FFp-24F},
                 {{0xFF, 0x7B}, 65504},   {{0x00, 0x80}, -0.0F},    {{0x55, 0xB5}, -0x1.554p-2F},
                 {{0x00, 0x04}, 0x1p-14F}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strbuf file =
            make("{'descr': '<f2', 'fortran_order': False, 'shape': (1, 1)}", cases[i].bytes, 2);
        struct frames f = read_frames("npy", file.text, file.length, "a.npy");
        assert_memory_equal(f.value, &cases[i].want, sizeof(float));
        frames_release(&f);
        strbuf_release(&file);
    }
}

/* ---- Refused ---- */

#define F4(shape) "{'descr': '<f4', 'fortran_order': False, 'shape': " shape ", }"

TEST(npy_nan_and_infinity_are_refused_with_row_and_column)
{
    float x[6] = {0};
    x[4] = NAN;
    assert_refuses(F4("(2, 3)"), x, 24, "a.npy: NaN in row 2, column 2");
    x[4] = 0;
    x[2] = -INFINITY;
    assert_refuses(F4("(2, 3)"), x, 24, "a.npy: infinity in row 1, column 3");
    const double large = 1e300;
    assert_refuses("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", &large, 8,
                   "infinity in row 1, column 1");
}

TEST(npy_other_arrays_are_refused_by_name)
{
    const float x[6] = {0};
    assert_refuses("{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3)}", x, 24, "type >f4");
    assert_refuses("{'descr': '<c8', 'fortran_order': False, 'shape': (2, 3)}", x, 24, "type <c8");
    assert_refuses("{'descr': '|O', 'fortran_order': False, 'shape': (2, 3)}", x, 24, "type |O");
    assert_refuses("{'descr': '<U5', 'fortran_order': False, 'shape': (1,)}", x, 24, "type <U5");
    assert_refuses("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}", x, 24,
                   "type record");
    assert_refuses("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}", x, 24,
                   "Fortran order");
    assert_refuses(F4("(1, 2, 3)"), x, 24, "3 dimensions; 1 or 2");
    assert_refuses(F4("()"), x, 4, "0 dimensions");
    assert_refuses(F4("(0, 3)"), x, 0, "has no rows");
    assert_refuses(F4("(3, 0)"), x, 0, "has no columns");
    assert_refuses(F4("(2, 3)"), x, 20, "is cut off");
    assert_refuses(F4("(2, 2)"), x, 24, "is followed by other bytes");
}

TEST(npy_hostile_headers_are_refused)
{
    static const char *const headers[] = {
        "",
        "{",
        "{}",
        "{'descr'",
        "{'descr':",
        "{'descr': '<f4",
        "{'descr': '<f4'",
        "{'descr': '<f4', 'shape': (2, 3)}",
        "{'descr': 7, 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}",
        F4("(2"),
        F4("(2 3)"),
        F4("(-1,)"),
        F4("(,)"),
        F4("[2, 3]"),
        "{'a': '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '012345678901234567890123456789012', 'fortran_order': False, 'shape': (1,)}",
    };
    const float x[6] = {0};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        assert_refuses(headers[i], x, 24, "broken header");
    assert_refuses(F4("(99999999999999999999999999, 99999999999999999999999)"), x, 24,
                   "is cut off");
    assert_refuses(F4("(4294967296, 4294967296)"), x, 24, "is cut off");
}

TEST(npy_every_prefix_is_refused)
{
    const float x[6] = {0};
    struct strbuf file = make(F4("(2, 3)"), x, 24);
    for (size_t length = 0; length < file.length; length++) {
        char *exact = malloc(length ? length : 1);
        memcpy(exact, file.text, length);
        assert_frames_refused("npy", exact, length, "a.npy", "a.npy: ");
        free(exact);
    }
    strbuf_release(&file);
    assert_frames_refused("npy", "\x93NUMPY\x04\x00\x00\x00", 10, "a.npy", "version 4");
    assert_frames_refused("npy", "RIFF1234WAVE", 12, "a.npy",
                          "a.npy: is not a NumPy array (.npy, .npz)");
    assert_frames_refused("npy", "", 0, "a.npy", "a.npy: is empty");
    assert_frames_refused("npy", "\x93NUMPY\x01\x00", 8, "a.npy", "is cut off in its header");
    assert_frames_refused("npy", "PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22, "a.npz",
                          "a.npz: the archive has no arrays");
}

TEST(npy_archive_paths)
{
    assert_int_equal(npy_archive_length("a.npz"), 0);
    assert_int_equal(npy_archive_length("a:b.npy"), 0);
    assert_int_equal(npy_archive_length("d/a.npz:b"), 7);
    assert_int_equal(npy_archive_length("a.npz:x/b.npz:c"), 13);
}

/* ---- Against NumPy ---- */

static void compare(const struct frame_source *s, const char *path, const char *expected)
{
    struct attend_error err = {.message = ""};
    struct frames f = {0};
    struct strbuf want = {0};
    int shape[2];
    if (frame_source_read_file(s, path, &f, &err) || io_read(expected, &want, &err))
        fail_msg("%s", err.message);
    memcpy(shape, want.text, sizeof shape);
    assert_int_equal(f.rows, shape[0]);
    assert_int_equal(f.width, shape[1]);
    assert_memory_equal(f.value, want.text + sizeof shape,
                        (size_t)f.rows * (size_t)f.width * sizeof *f.value);
    frames_release(&f);
    strbuf_release(&want);
}

/* Archives with wrong bytes, and members that are not there. */
static void check_archive(const struct frame_source *s, const char *folder, const char *archive)
{
    char path[256];
    struct frames f = {0};
    struct attend_error err;
    struct strbuf bytes = {0};
    snprintf(path, sizeof path, "%s/%s:nobody", folder, archive);
    assert_int_equal(frame_source_read_file(s, path, &f, &err), ATTEND_FORMAT);
    assert_non_null(strstr(err.message, "no such member"));
    snprintf(path, sizeof path, "%s/%s", folder, archive);
    assert_int_equal(frame_source_read_file(s, path, &f, &err), ATTEND_FORMAT);
    assert_non_null(strstr(err.message, "holds 132 arrays; add the name of one: "));
    assert_int_equal(io_read(path, &bytes, &err), ATTEND_OK);
    snprintf(path, sizeof path, "%s:a1", archive);
    for (size_t cut = 0; cut < bytes.length; cut += 97)
        assert_int_equal(frame_source_read(s, bytes.text, cut, path, &f, &err), ATTEND_FORMAT);
    struct frames whole = {0}; /* a flipped bit is noticed, or it does not matter */
    assert_int_equal(frame_source_read(s, bytes.text, bytes.length, path, &whole, &err), ATTEND_OK);
    for (size_t i = 0; i < 3000 && i < bytes.length; i++) {
        bytes.text[i] ^= 0x10;
        if (frame_source_read(s, bytes.text, bytes.length, path, &f, &err) == ATTEND_OK) {
            assert_int_equal(f.rows * f.width, whole.rows * whole.width);
            assert_memory_equal(f.value, whole.value,
                                (size_t)f.rows * (size_t)f.width * sizeof *f.value);
            frames_release(&f);
        }
        bytes.text[i] ^= 0x10;
    }
    frames_release(&whole);
    strbuf_release(&bytes);
}

TEST(npy_equals_numpy)
{
    char folder[] = "/tmp/attend-npy-XXXXXX", line[1024], command[1024];
    struct frame_source *s = NULL;
    int count = 0;
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "/usr/bin/python3 -B %s/tests/frames/arrays.py %s 2>/dev/null", ATTEND_SOURCE, folder);
    assert_int_equal(frame_source_new(&s, "npy", NULL, NULL), ATTEND_OK);
    FILE *list = popen(command, "r");
    assert_non_null(list);
    char *paths[400][2];
    while (count < 400 && fgets(line, sizeof line, list)) {
        line[strcspn(line, "\n")] = '\0';
        char *tab = strchr(line, '\t');
        *tab = '\0';
        paths[count][0] = strdup(line);
        paths[count++][1] = strdup(tab + 1);
    }
    const int code = pclose(list);
    for (int i = 0; i < count; i++) {
        compare(s, paths[i][0], paths[i][1]);
        free(paths[i][0]);
        free(paths[i][1]);
    }
    if (count) {
        check_archive(s, folder, "stored.npz");
        check_archive(s, folder, "deflated.npz");
    }
    frame_source_free(s);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    if (code != 0) {
        assert_int_equal(count, 0);
        skip(); /* no Python, or no NumPy */
    }
    assert_int_equal(count, 396);
}
