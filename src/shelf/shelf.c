#include "shelf/card.h"

#include "base/error.h"
#include "base/option.h"
#include "base/strbuf.h"
#include "base/utf8.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char ending[] = CARD_MODEL;

struct attend_shelf {
    struct card *model; /* (models), sorted by name */
    int models, room;
    char **folder; /* (folders), then NULL */
    int folders;
};

static bool has_ending(const char *text)
{
    const size_t length = strlen(text), end = sizeof ending - 1;
    return length > end && strcmp(text + length - end, ending) == 0;
}

/* Whether something other than a folder is there: a file, or a pipe. */
static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

/* ---- Reading folders ---- */

static bool is_there(const struct attend_shelf *shelf, const char *name, size_t length)
{
    for (int i = 0; i < shelf->models; i++) {
        const char *other = shelf->model[i].view.name;
        if (strlen(other) == length && strncmp(other, name, length) == 0)
            return true;
    }
    return false;
}

static enum attend_status make_room(struct attend_shelf *shelf, struct attend_error *err)
{
    if (shelf->models < shelf->room)
        return ATTEND_OK;
    const int room = 2 * shelf->room + 8;
    struct card *more = realloc(shelf->model, (size_t)room * sizeof *more);
    if (!more)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for %d models", room);
    shelf->model = more;
    shelf->room = room;
    return ATTEND_OK;
}

/* Add the model `file` of a folder, unless that is a folder itself. */
static enum attend_status add_model(struct attend_shelf *shelf, const char *folder,
                                    const char *file, struct attend_error *err)
{
    struct strbuf path = {0};
    enum attend_status status = make_room(shelf, err);
    strbuf_addf(&path, "%s/%s", folder, file);
    if (!status)
        status = strbuf_status(&path, err);
    if (!status && is_file(path.text)) {
        status = card_read(&shelf->model[shelf->models], path.text, err);
        shelf->models += !status;
    }
    strbuf_release(&path);
    return status;
}

/* A name that lists can show: UTF-8 without control characters. */
static bool is_plain(const char *name)
{
    size_t bad;
    if (*name == '.' || !utf8_valid(name, strlen(name), &bad))
        return false;
    for (; *name; name++)
        if ((unsigned char)*name < ' ' || *name == 0x7f)
            return false;
    return true;
}

static enum attend_status add_folder(struct attend_shelf *shelf, const char *folder,
                                     struct attend_error *err)
{
    DIR *dir = opendir(folder);
    enum attend_status status = ATTEND_OK;
    for (const struct dirent *entry; dir && !status && (entry = readdir(dir));) {
        const char *file = entry->d_name;
        if (has_ending(file) && is_plain(file) &&
            !is_there(shelf, file, strlen(file) - (sizeof ending - 1)))
            status = add_model(shelf, folder, file, err);
    }
    if (dir)
        closedir(dir);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct card *)a)->view.name, ((const struct card *)b)->view.name);
}

static enum attend_status keep_folders(struct attend_shelf *shelf, const char *const *folders,
                                       struct attend_error *err)
{
    int count = 0;
    while (folders && folders[count])
        count++;
    shelf->folder = calloc((size_t)count + 1, sizeof *shelf->folder);
    bool good = shelf->folder;
    for (; good && shelf->folders < count; shelf->folders += good)
        good = (shelf->folder[shelf->folders] = strdup(folders[shelf->folders]));
    return good ? ATTEND_OK
                : error_set(err, ATTEND_NO_MEMORY, "out of memory for %d folders", count);
}

enum attend_status attend_shelf_open(struct attend_shelf **out, const char *const *folders,
                                     struct attend_error *err)
{
    struct attend_shelf *shelf = calloc(1, sizeof *shelf);
    if (!shelf)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for the list of models");
    enum attend_status status = keep_folders(shelf, folders, err);
    for (int i = 0; i < shelf->folders && !status; i++)
        status = add_folder(shelf, shelf->folder[i], err);
    if (status) {
        attend_shelf_close(shelf);
        return status;
    }
    if (shelf->models)
        qsort(shelf->model, (size_t)shelf->models, sizeof *shelf->model, by_name);
    *out = shelf;
    return ATTEND_OK;
}

void attend_shelf_close(struct attend_shelf *shelf)
{
    if (!shelf)
        return;
    for (int i = 0; i < shelf->models; i++)
        card_release(&shelf->model[i]);
    for (int i = 0; i < shelf->folders; i++)
        free(shelf->folder[i]);
    free(shelf->model);
    free(shelf->folder);
    free(shelf);
}

/* ---- Finding ---- */

const struct attend_card *attend_shelf_card(const struct attend_shelf *shelf, int i)
{
    return i >= 0 && i < shelf->models ? &shelf->model[i].view : NULL;
}

const char *attend_shelf_folder(const struct attend_shelf *shelf, int i)
{
    return i >= 0 && i < shelf->folders ? shelf->folder[i] : NULL;
}

struct name_walk {
    const struct attend_shelf *shelf;
    int at;
};

static const char *next_name(void *context)
{
    struct name_walk *w = context;
    const struct attend_card *card = attend_shelf_card(w->shelf, w->at++);
    return card ? card->name : NULL;
}

/* A name that the text is a part of, or else the most similar one; NULL if there is none. */
static const char *nearest(const struct attend_shelf *shelf, const char *text)
{
    for (int i = 0; *text && i < shelf->models; i++)
        if (strstr(shelf->model[i].view.name, text))
            return shelf->model[i].view.name;
    return option_nearest(text, next_name, &(struct name_walk){shelf, 0});
}

static enum attend_status refuse(const struct attend_shelf *shelf, const char *name,
                                 struct attend_error *err)
{
    struct strbuf folders = {0};
    const char *near = nearest(shelf, name);
    for (int i = 0; i < shelf->folders; i++)
        strbuf_addf(&folders, "%s%s", i ? ", " : "", shelf->folder[i]);
    const enum attend_status status =
        error_set(err, ATTEND_IO, "there is no file and no model '%.100s'%s%s%s (looked in %s)",
                  name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "",
                  folders.text ? folders.text : "no folder");
    strbuf_release(&folders);
    return status;
}

enum attend_status attend_shelf_find(const struct attend_shelf *shelf, const char *name,
                                     const struct attend_card **out, struct attend_error *err)
{
    for (int i = 0; i < shelf->models; i++)
        if (strcmp(shelf->model[i].view.name, name) == 0) {
            *out = &shelf->model[i].view;
            return ATTEND_OK;
        }
    return refuse(shelf, name, err);
}

static enum attend_status copy_path(char **out, const char *path, struct attend_error *err)
{
    char *copy = strdup(path);
    if (!copy)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for the path of a model");
    *out = copy;
    return ATTEND_OK;
}

enum attend_status attend_model_find(char **out, const char *text, const char *const *folders,
                                     struct attend_error *err)
{
    struct attend_shelf *shelf = NULL;
    const struct attend_card *card = NULL;
    if (strchr(text, '/') || has_ending(text) || is_file(text))
        return copy_path(out, text, err);
    enum attend_status status = attend_shelf_open(&shelf, folders, err);
    if (!status)
        status = attend_shelf_find(shelf, text, &card, err);
    if (!status)
        status = copy_path(out, card->path, err);
    attend_shelf_close(shelf);
    return status;
}
