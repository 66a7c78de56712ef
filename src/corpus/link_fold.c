#include "corpus/link_fold.h"

#include "base/error.h"
#include "base/stream.h"
#include "corpus/pairs.h"
#include "text/fold.h"

#include <stdlib.h>
#include <string.h>

void link_pieces_clear(struct link_pieces *p)
{
    strbuf_clear(&p->spelling);
    p->count = 0;
}

void link_pieces_add(struct link_pieces *p, const char *text, size_t length)
{
    strbuf_add(&p->spelling, text, length);
    strbuf_addc(&p->spelling, '\0');
    p->count++;
}

static enum attend_status no_memory(struct attend_error *err)
{
    return error_set(err, ATTEND_NO_MEMORY, "out of memory for word links");
}

/* The words of one side. */
static bool fold_side(struct fold *fold, const char ***list, const struct tokenizer *tokenizer,
                      const struct link_pieces *pieces)
{
    const char *at = pieces->spelling.text;
    *list = calloc((size_t)pieces->count + 1, sizeof **list);
    if (!*list || pieces->spelling.failed)
        return false;
    for (int i = 0; i < pieces->count; i++, at += strlen(at) + 1)
        (*list)[i] = at;
    *fold = (struct fold){.tokenizer = tokenizer, .piece = *list, .count = pieces->count};
    return fold_init(fold);
}

static bool add(struct link_fold *f, int source, int target)
{
    if (f->count == f->size) {
        const int size = f->size ? 2 * f->size : 64;
        int *more = realloc(f->link, 2 * (size_t)size * sizeof *more);
        if (!more)
            return false;
        f->link = more;
        f->size = size;
    }
    f->link[2 * f->count] = source;
    f->link[2 * f->count++ + 1] = target;
    return true;
}

/* Link target piece t to all pieces of the words that its word is linked to. Blanks are linked to nothing. */
static bool link_piece(struct link_fold *f, const struct fold side[2], int t, int tags)
{
    bool good = true;
    for (int k = 0; k < f->words.count; k++) {
        if (f->words.item[k].target != side[1].word[t] || side[1].blank[t])
            continue;
        for (int s = 0; s < side[0].count && good; s++)
            if (side[0].word[s] == f->words.item[k].source && !side[0].blank[s])
                good = add(f, tags + s, t);
    }
    return good;
}

static enum attend_status link_pair(struct link_fold *f, const struct link_file *file, size_t line,
                                    const struct fold side[2], int tags, struct attend_error *err)
{
    const struct link *beyond = links_beyond(&f->words, side[0].words, side[1].words);
    if (beyond)
        return error_at(err, ATTEND_DATA, stream_file_name(file->name), line,
                        "'%d%c%d' is beyond the pair, which has %d source and %d target words",
                        beyond->source, beyond->sure ? '-' : 'p', beyond->target, side[0].words,
                        side[1].words);
    bool good = true;
    for (int t = 0; t < side[1].count && good; t++)
        good = link_piece(f, side, t, tags);
    return good ? ATTEND_OK : no_memory(err);
}

enum attend_status link_fold(struct link_fold *f, const struct link_file *file,
                             const struct text_pair *pair,
                             const struct tokenizer *const tokenizer[2],
                             const struct link_pieces *const pieces[2], int tags,
                             struct attend_error *err)
{
    struct fold side[2] = {{0}};
    const char **list[2] = {NULL, NULL};
    const size_t line = pair->line - file->before;
    f->count = 0;
    enum attend_status status = links_parse(&f->words, pair->links, pair->links_length, 0,
                                            stream_file_name(file->name), (int)line, err);
    for (int i = 0; i < 2 && !status; i++)
        if (!fold_side(&side[i], &list[i], tokenizer[i], pieces[i]))
            status = no_memory(err);
    if (!status)
        status = link_pair(f, file, line, side, tags, err);
    for (int i = 0; i < 2; i++) {
        fold_release(&side[i]);
        free(list[i]);
    }
    return status;
}

void link_fold_release(struct link_fold *f)
{
    links_release(&f->words);
    free(f->link);
    *f = (struct link_fold){0};
}
