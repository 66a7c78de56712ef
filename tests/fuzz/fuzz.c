#include "fuzz.h"

#include "base/codec.h"
#include "base/json.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

_Noreturn void fuzz_fail(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

unsigned fuzz_byte(struct fuzz_input *in)
{
    if (in->left == 0)
        return 0;
    in->left--;
    return *in->at++;
}

static char *take(struct fuzz_input *in, size_t length)
{
    char *copy = malloc(length + 1); /* exact size, so that a read past the end is detected */
    FUZZ_CHECK(copy);
    if (length)
        memcpy(copy, in->at, length);
    copy[length] = '\0';
    in->at += length;
    in->left -= length;
    return copy;
}

char *fuzz_until(struct fuzz_input *in, uint8_t separator, size_t *length)
{
    const uint8_t *end = in->left ? memchr(in->at, separator, in->left) : NULL;
    const size_t taken = end ? (size_t)(end - in->at) : in->left;
    char *copy = take(in, taken);
    if (length)
        *length = taken;
    if (end)
        fuzz_byte(in);
    return copy;
}

char *fuzz_rest(struct fuzz_input *in, size_t *length)
{
    if (length)
        *length = in->left;
    return take(in, in->left);
}

const char *fuzz_file(int slot, const void *bytes, size_t length)
{
    static char path[FUZZ_FILES][32];
    static int file[FUZZ_FILES];
    if (!file[slot]) {
        file[slot] = memfd_create("input", MFD_CLOEXEC);
        FUZZ_CHECK(file[slot] > 0);
        snprintf(path[slot], sizeof path[slot], "/proc/self/fd/%d", file[slot]);
    }
    FUZZ_CHECK(ftruncate(file[slot], (off_t)length) == 0);
    FUZZ_CHECK(length == 0 || pwrite(file[slot], bytes, length, 0) == (ssize_t)length);
    return path[slot];
}

bool fuzz_compressed(const void *bytes, size_t length)
{
#define BEGINS(name)                                                                               \
    || (length >= codec_##name.magic && codec_##name.begins(bytes, codec_##name.magic))
    return false CODEC_LIST(BEGINS);
#undef BEGINS
}

void fuzz_check_error(enum attend_status status, const struct attend_error *err)
{
    if (status == ATTEND_OK)
        return;
    FUZZ_CHECK(err->message[0]);
    fuzz_check_text(err->message, false);
}

void fuzz_check_text(const char *text, bool lines)
{
    FUZZ_CHECK(text);
    FUZZ_CHECK(utf8_valid(text, strlen(text), NULL));
    FUZZ_CHECK(lines || !strchr(text, '\n'));
}

void fuzz_check_json(const char *text, size_t length)
{
    struct json *json = NULL;
    struct attend_error err = {.message = ""};
    if (json_parse_any(&json, text, length, "answer", &err))
        fprintf(stderr, "%s: %.*s\n", err.message, (int)length, text);
    FUZZ_CHECK(json);
    json_free(json);
}

void fuzz_make_text(char *text, size_t length, bool lines)
{
    size_t bad;
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\0' || (text[i] == '\n' && !lines))
            text[i] = ' ';
    for (size_t at = 0; !utf8_valid(text + at, length - at, &bad);) {
        at += bad;
        text[at] = '?';
    }
}
