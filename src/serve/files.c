#include "serve/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { RANDOM_BYTES = 16, CALLED_MOST = 100 };

static void drop_oldest(struct files *f)
{
    f->bytes -= f->item[0].size;
    free(f->item[0].bytes);
    memmove(f->item, f->item + 1, (size_t)--f->count * sizeof *f->item);
}

static void expire(struct files *f, double now)
{
    while (f->count && now - f->item[0].kept > FILES_SECONDS)
        drop_oldest(f);
}

/* ---- Names ---- */

static void clean(char *text)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    for (; *text; text++)
        if (!strchr(good, *text))
            *text = '_';
}

static bool make_name(char *out, const char *called, const char *suffix)
{
    unsigned char random[RANDOM_BYTES];
    const char *slash = strrchr(called, '/');
    called = slash ? slash + 1 : called;
    const char *dot = strrchr(called, '.');
    const int stem = (int)(dot ? (size_t)(dot - called) : strlen(called));
    if (getrandom(random, sizeof random, 0) != RANDOM_BYTES)
        return false;
    for (int i = 0; i < RANDOM_BYTES; i++)
        snprintf(out + 2 * i, 3, "%02x", random[i]);
    char *rest = out + 2 * RANDOM_BYTES;
    snprintf(rest, FILES_NAME - 2 * RANDOM_BYTES, ".%.*s_%.16s%.10s",
             stem < CALLED_MOST ? stem : CALLED_MOST, called, suffix, dot ? dot : "");
    clean(rest);
    return true;
}

const char *files_called(const struct file *file) { return file->name + 2 * RANDOM_BYTES + 1; }

/* ---- Keeping and finding ---- */

const char *files_keep(struct files *f, char *bytes, size_t size, const char *called,
                       const char *suffix, double now)
{
    struct file file = {.bytes = bytes, .size = size, .kept = now};
    expire(f, now);
    if (size > FILES_BYTES || !make_name(file.name, called, suffix)) {
        free(bytes);
        return NULL;
    }
    while (f->count == FILES_MOST || (f->count && f->bytes + size > FILES_BYTES))
        drop_oldest(f);
    f->item[f->count] = file;
    f->bytes += size;
    return f->item[f->count++].name;
}

/* Compares all bytes, so that the time does not tell how many are right. */
static bool same(const char *a, const char *b)
{
    const size_t length = strlen(a);
    int differs = 0;
    if (strlen(b) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        differs |= a[i] ^ b[i];
    return !differs;
}

const struct file *files_find(struct files *f, const char *name, double now)
{
    expire(f, now);
    for (int i = 0; i < f->count; i++)
        if (same(f->item[i].name, name))
            return &f->item[i];
    return NULL;
}

void files_release(struct files *f)
{
    while (f->count)
        drop_oldest(f);
}
