/* Checks that no file that a setting writes is named by another setting too. */
#include "base/error.h"
#include "base/option.h"
#include "base/path.h"
#include "base/strbuf.h"

#include <string.h>

/* One file that a setting names. */
struct named {
    const struct attend_setting *row;
    const char *path;
};

/* A position in the files of all settings; all zero is the beginning. */
struct walk {
    int group, row, text;
};

static bool is_file(const struct attend_setting *row)
{
    return row->value && (strcmp(row->value, "FILE") == 0 || strcmp(row->value, "MODEL") == 0) &&
           (row->kind == ATTEND_SETTING_TEXT || row->kind == ATTEND_SETTING_LIST);
}

static bool next_file(const struct attend_settings *set, struct walk *w, struct named *out)
{
    for (; w->group < set->count; w->group++, w->row = 0)
        for (; set->group[w->group].rows[w->row].name; w->row++, w->text = 0) {
            const struct attend_setting *row = &set->group[w->group].rows[w->row];
            const bool more = is_file(row) && (w->text == 0 || row->kind == ATTEND_SETTING_LIST);
            const char *path = more ? option_text(row, set->group[w->group].base, w->text) : NULL;
            if (!path)
                continue;
            w->text++;
            /* Standard input may be a file too. */
            const bool input = strcmp(path, "-") == 0 && !row->writes;
            *out = (struct named){row, input ? "/dev/stdin" : path};
            return true;
        }
    return false;
}

/* A run may start from the model that it replaces; `overwrite` makes that explicit. */
static bool may_share(const struct named *written, const struct named *other)
{
    return strcmp(written->row->name, "model") == 0 && strcmp(other->row->name, "init-from") == 0;
}

static enum attend_status refuse(const struct named *written, const char *suffix,
                                 const struct named *other, struct attend_error *err)
{
    return error_set(err, ATTEND_USAGE, "`%s` is the same file as %s`%s`, %s%s; choose another",
                     other->row->name, *suffix ? "the one that goes with " : "", written->row->name,
                     written->path, suffix);
}

/* Compare a written file, with a suffix added to its path, with the files of all other settings. */
static enum attend_status check_written(const struct attend_settings *set,
                                        const struct named *written, const char *suffix,
                                        struct attend_error *err)
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

enum attend_status attend_settings_check_files(const struct attend_settings *set,
                                               struct attend_error *err)
{
    static const char *const beside_model[] = {".ckpt", ".lock"};
    struct walk w = {0};
    struct named file;
    enum attend_status status = ATTEND_OK;
    while (!status && next_file(set, &w, &file)) {
        if (!file.row->writes)
            continue;
        status = check_written(set, &file, "", err);
        const bool model = strcmp(file.row->name, "model") == 0;
        for (int i = 0; i < 2 && model && !status; i++)
            status = check_written(set, &file, beside_model[i], err);
    }
    return status;
}
