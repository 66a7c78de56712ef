#include "train/keep.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "model/model.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *keep_path(const char *model, int update)
{
    struct strbuf path = {0};
    strbuf_addf(&path, "%s%s%d", model, KEEP_SUFFIX, update);
    return strbuf_detach(&path);
}

void keep_add(struct kept *k, struct kept_model new, int most, bool oldest)
{
    k->model[k->count++] = new;
    while (k->count > most) {
        int drop = 0;
        for (int i = 1; i < k->count && !oldest; i++)
            if (k->model[i].value < k->model[drop].value)
                drop = i;
        k->count--;
        memmove(&k->model[drop], &k->model[drop + 1], (size_t)(k->count - drop) * sizeof *k->model);
    }
}

static bool is_listed(const struct kept *k, const char *update)
{
    char *end;
    const long number = strtol(update, &end, 10);
    if (*end)
        return true; /* not one of our files */
    for (int i = 0; i < k->count; i++)
        if ((long)k->model[i].update == number)
            return true;
    return false;
}

/* Append a path, escaped so that glob matches it literally. */
static void add_escaped(struct strbuf *out, const char *path)
{
    for (; *path; path++) {
        if (strchr("\\*?[", *path))
            strbuf_addc(out, '\\');
        strbuf_addc(out, *path);
    }
}

/* Remove the paths found by glob that the list does not name. */
static enum attend_status remove_unlisted(const struct kept *k, const glob_t *found, size_t prefix,
                                          struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    for (size_t i = 0; i < found->gl_pathc; i++) {
        const char *path = found->gl_pathv[i];
        if (!is_listed(k, path + prefix) && unlink(path) && errno != ENOENT)
            status =
                error_set(err, ATTEND_IO, "%s: cannot remove the file: %s", path, strerror(errno));
    }
    return status;
}

enum attend_status keep_clean(const struct kept *k, const char *model, struct attend_error *err)
{
    struct strbuf pattern = {0};
    glob_t found = {0};
    add_escaped(&pattern, model);
    strbuf_addf(&pattern, "%s[0-9]*", KEEP_SUFFIX);
    enum attend_status status = strbuf_status(&pattern, err);
    const int listed = status ? 0 : glob(pattern.text, GLOB_NOSORT, NULL, &found);
    if (listed && listed != GLOB_NOMATCH)
        status = error_set(err, ATTEND_IO, "%s: cannot list the models beside it", model);
    if (!status)
        status = remove_unlisted(k, &found, strlen(model) + strlen(KEEP_SUFFIX), err);
    globfree(&found);
    strbuf_release(&pattern);
    return status;
}

static enum attend_status add_share(const char *path, real *out, size_t size, int count,
                                    struct attend_error *err)
{
    struct model *m;
    const enum attend_status status = model_load_floats(&m, path, err);
    if (status)
        return status;
    const struct param_set *set = &m->net.params;
    if (set->size != size) {
        model_free(m);
        return error_set(err, ATTEND_FORMAT, "%s: belongs to another run", path);
    }
    for (int i = 0; i < set->count; i++) {
        const size_t n = (size_t)set->item[i]->rows * (size_t)set->item[i]->cols;
        for (size_t j = 0; j < n; j++)
            *out++ += set->item[i]->value[j] / (real)count;
    }
    model_free(m);
    return ATTEND_OK;
}

enum attend_status keep_average(const struct kept *k, const char *model, real *out, size_t size,
                                struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    memset(out, 0, size * sizeof *out);
    for (int i = 0; i < k->count && !status; i++) {
        char *path = keep_path(model, (int)k->model[i].update);
        status = path ? add_share(path, out, size, k->count, err)
                      : error_set(err, ATTEND_NO_MEMORY, "out of memory for a file name");
        free(path);
    }
    return status;
}
