#include "corpus/set_files.h"

#include "base/error.h"
#include "base/io.h"
#include "corpus/pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the lines of a set depend on, besides its pairs. */
struct setting {
    const struct languages *languages;
    const char *folder; /* ends in a slash; or NULL */
};

/* Writes the line of a pair. */
typedef void put_fn(FILE *, const struct text_pair *, const struct setting *);

static void put_source(FILE *file, const struct text_pair *pair, const struct setting *s)
{
    fprintf(file, "%s%s\n", s->folder && *pair->source != '/' ? s->folder : "", pair->source);
}

static void put_target(FILE *file, const struct text_pair *pair, const struct setting *s)
{
    (void)s;
    fprintf(file, "%s\n", pair->target);
}

static void put_languages(FILE *file, const struct text_pair *pair, const struct setting *s)
{
    const struct languages *l = s->languages;
    fprintf(file, "%s\t%s\n", l->item[pair->languages.from].code, l->item[pair->languages.to].code);
}

static enum attend_status write_file(struct pairs *pairs, const char *path, put_fn *put,
                                     const struct setting *s, struct attend_error *err)
{
    struct io_writer w;
    struct text_pair pair;
    enum attend_status status = io_writer_open(&w, path, err);
    if (status)
        return status;
    status = pairs_rewind(pairs, err);
    while (!status && !(status = pairs_next(pairs, &pair, err)) && pair.source)
        put(w.file, &pair, s);
    if (!status)
        status = io_writer_commit(&w, err);
    io_writer_close(&w);
    return status;
}

char *set_files_folder(const char *file)
{
    char *folder = strcmp(file, "-") == 0 ? strdup(".") : io_folder(file);
    char *found = folder ? realpath(folder, NULL) : NULL;
    const size_t length = found ? strlen(found) : 0;
    char *slashed = found ? realloc(found, length + 2) : NULL;
    if (slashed)
        memcpy(slashed + length, "/", 2);
    else
        free(found);
    free(folder);
    return slashed;
}

enum attend_status set_files_write(struct pairs *pairs, const char *path, const struct languages *l,
                                   const char *paths_of, struct attend_error *err)
{
    static const struct {
        const char *ending;
        put_fn *put;
    } files[] = {{"src", put_source}, {"tgt", put_target}, {"lang", put_languages}};
    char *folder = paths_of ? set_files_folder(paths_of) : NULL;
    const struct setting setting = {l, folder};
    enum attend_status status =
        folder || !paths_of ? ATTEND_OK : error_set(err, ATTEND_IO, "%s: has no folder", paths_of);
    for (int i = 0; i < (l ? 3 : 2) && !status; i++) {
        char name[4200];
        snprintf(name, sizeof name, "%s.%s", path, files[i].ending);
        status = write_file(pairs, name, files[i].put, &setting, err);
    }
    free(folder);
    return status;
}
