/* The part of option.h that looks at the files which settings name. */
#include "api/options.h"
#include "base/error.h"
#include "base/path.h"
#include "base/strbuf.h"

#include <string.h>

/* One file that a setting names. */
struct named {
    const struct option_row *row;
    const char *path;
};

/* A walk over the files of all settings, begun with zeros. */
struct walk {
    int group, row, text;
};

static bool is_file(const struct option_row *row)
{
    return row->value && strcmp(row->value, "FILE") == 0 &&
           (row->kind == OPTION_TEXT || row->kind == OPTION_LIST);
}

static bool next_file(const struct option_set *set, struct walk *w, struct named *out)
{
    for (; w->group < set->count; w->group++, w->row = 0)
        for (; set->group[w->group].rows[w->row].name; w->row++, w->text = 0) {
            const struct option_row *row = &set->group[w->group].rows[w->row];
            const bool more = is_file(row) && (w->text == 0 || row->kind == OPTION_LIST);
            const char *path = more ? option_text(row, set->group[w->group].base, w->text) : NULL;
            if (!path)
                continue;
            w->text++;
            /* Standard input may be a file, too. */
            const bool input = strcmp(path, "-") == 0 && !row->writes;
            *out = (struct named){row, input ? "/dev/stdin" : path};
            return true;
        }
    return false;
}

/* Training may begin with the model that it replaces: --overwrite says that this is meant. */
static bool may_share(const struct named *written, const struct named *other)
{
    return strcmp(written->row->name, "model") == 0 && strcmp(other->row->name, "init-from") == 0;
}

static enum attend_status refuse(const struct named *written, const char *suffix,
                                 const struct named *other, struct attend_error *err)
{
    return error_set(err, ATTEND_USAGE, "--%s is the same file as %s--%s, %s%s; choose another",
                     other->row->name, *suffix ? "the one that goes with " : "", written->row->name,
                     written->path, suffix);
}

/* A file that is written, or one beside it with the suffix, against all others. */
static enum attend_status check_written(const struct option_set *set, const struct named *written,
                                        const char *suffix, struct attend_error *err)
{
    struct walk w = {0};
    struct named other;
    struct strbuf path = {0};
    strbuf_addf(&path, "%s%s", written->path, suffix);
    enum attend_status status = strbuf_status(&path, err);
    while (!status && next_file(set, &w, &other))
        if (other.row != written->row && !may_share(written, &other) &&
            path_same(path.text, other.path))
            status = refuse(written, suffix, &other, err);
    strbuf_release(&path);
    return status;
}

enum attend_status attend_options_check_files(const struct attend_options *o,
                                              struct attend_error *err)
{
    static const char *const beside_model[] = {".ckpt", ".lock"};
    struct walk w = {0};
    struct named file;
    enum attend_status status = ATTEND_OK;
    while (!status && next_file(&o->set, &w, &file)) {
        if (!file.row->writes)
            continue;
        status = check_written(&o->set, &file, "", err);
        const bool model = strcmp(file.row->name, "model") == 0;
        for (int i = 0; i < 2 && model && !status; i++)
            status = check_written(&o->set, &file, beside_model[i], err);
    }
    return status;
}
