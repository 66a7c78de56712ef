#include "base/path.h"

#include "base/error.h"
#include "base/io.h"
#include "base/strbuf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS = 40, TARGET = 4096 }; /* the kernel's limits on chains of links and paths */

/* Follow one link: replace *path by the link's target, relative to the folder of the link. Returns
 * false when *path is not a link, or when memory runs out; *path is then NULL. */
static bool follow_once(char **path)
{
    char target[TARGET];
    struct strbuf next = {0};
    const ssize_t length = readlink(*path, target, sizeof target);
    if (length < 0)
        return false;
    const char *slash = strrchr(*path, '/');
    if (slash && target[0] != '/')
        strbuf_add(&next, *path, (size_t)(slash - *path) + 1);
    strbuf_add(&next, target, (size_t)length);
    free(*path);
    *path = next.failed ? NULL : strbuf_detach(&next);
    strbuf_release(&next);
    return *path;
}

enum attend_status path_follow(char **out, const char *path, struct attend_error *err)
{
    char *at = strdup(path);
    int links = 0;
    while (at && links <= LINKS && follow_once(&at))
        links++;
    if (!at)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    if (links > LINKS) {
        free(at);
        return error_set(err, ATTEND_IO, "%s: cannot be opened: %s", path, strerror(ELOOP));
    }
    *out = at;
    return ATTEND_OK;
}

static bool is_one(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* For files that do not exist yet: whether name and folder are the same. */
static bool is_same_place(const char *a, const char *b)
{
    struct stat in_a, in_b;
    char *folder_a = io_folder(a), *folder_b = io_folder(b);
    const bool same = folder_a && folder_b && strcmp(name_of(a), name_of(b)) == 0 &&
                      stat(folder_a, &in_a) == 0 && stat(folder_b, &in_b) == 0 &&
                      is_one(&in_a, &in_b);
    free(folder_a);
    free(folder_b);
    return same;
}

bool path_same(const char *a, const char *b)
{
    struct stat at_a, at_b;
    char *end_a = NULL, *end_b = NULL;
    const bool is_a = stat(a, &at_a) == 0, is_b = stat(b, &at_b) == 0;
    if (is_a || is_b)
        return is_a && is_b && S_ISREG(at_a.st_mode) && is_one(&at_a, &at_b);
    const bool same = !path_follow(&end_a, a, NULL) && !path_follow(&end_b, b, NULL) &&
                      is_same_place(end_a, end_b);
    free(end_a);
    free(end_b);
    return same;
}

size_t path_folder(const char *file, const char *path)
{
    const char *slash = file && strcmp(file, "-") != 0 && *path != '/' ? strrchr(file, '/') : NULL;
    return slash ? (size_t)(slash - file) + 1 : 0;
}

char *path_beside(const char *file, const char *path)
{
    const size_t folder = path_folder(file, path), length = strlen(path);
    char *joined = malloc(folder + length + 1);
    if (!joined)
        return NULL;
    if (folder)
        memcpy(joined, file, folder);
    memcpy(joined + folder, path, length + 1);
    return joined;
}
