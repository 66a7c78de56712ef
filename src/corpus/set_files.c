#include "corpus/set_files.h"

#include "base/io.h"
#include "corpus/pairs.h"

#include <stdio.h>

/* Writes the line of a pair. */
typedef void put_fn(FILE *, const struct text_pair *, const struct languages *);

static void put_source(FILE *file, const struct text_pair *pair, const struct languages *l)
{
    (void)l;
    fprintf(file, "%s\n", pair->source);
}

static void put_target(FILE *file, const struct text_pair *pair, const struct languages *l)
{
    (void)l;
    fprintf(file, "%s\n", pair->target);
}

static void put_languages(FILE *file, const struct text_pair *pair, const struct languages *l)
{
    fprintf(file, "%s\t%s\n", l->item[pair->languages.from].code, l->item[pair->languages.to].code);
}

static enum attend_status write_file(struct pairs *pairs, const char *path, put_fn *put,
                                     const struct languages *l, struct attend_error *err)
{
    struct io_writer w;
    struct text_pair pair;
    enum attend_status status = io_writer_open(&w, path, err);
    if (status)
        return status;
    status = pairs_rewind(pairs, err);
    while (!status && !(status = pairs_next(pairs, &pair, err)) && pair.source)
        put(w.file, &pair, l);
    if (!status)
        status = io_writer_commit(&w, err);
    io_writer_close(&w);
    return status;
}

enum attend_status set_files_write(struct pairs *pairs, const char *path, const struct languages *l,
                                   struct attend_error *err)
{
    static const struct {
        const char *ending;
        put_fn *put;
    } files[] = {{"src", put_source}, {"tgt", put_target}, {"lang", put_languages}};
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < (l ? 3 : 2) && !status; i++) {
        char name[4200];
        snprintf(name, sizeof name, "%s.%s", path, files[i].ending);
        status = write_file(pairs, name, files[i].put, l, err);
    }
    return status;
}
