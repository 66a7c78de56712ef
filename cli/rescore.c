#include "rescore.h"

#include "block.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char BAR[] = " ||| ";
enum { BAR_BYTES = sizeof BAR - 1 };

/* One line of a list. */
struct entry {
    const char *line; /* a line of the block */
    long id;
    const char *source;         /* line `id` of src */
    const char *text;           /* from the first to the second bar */
    const char *features, *end; /* after the second bar; the third bar and the rest */
    double log_probability;
    int place; /* index in the block, which makes sorting stable */
};

/* The lists of one block. */
struct lists {
    const struct command *command;
    const struct rescoring *what;
    struct attend_lines *source, *nbest;
    struct block block, text; /* lines of the file, and their texts */
    struct block sentence;    /* the source sentences of their ids */
    long sentence_id;         /* id of the last sentence */
    struct entry *entry;      /* (block.count) */
    int room;                 /* entries that fit into `entry` */
    char *ahead;              /* the next line, already read; NULL at the end */
};

/* ---- Reading ---- */

static enum attend_status refuse(const struct lists *l, const char *why, struct attend_error *err)
{
    snprintf(err->message, sizeof err->message, "%.200s:%ld: %.200s", attend_lines_name(l->nbest),
             attend_lines_number(l->nbest), why);
    return ATTEND_DATA;
}

static bool parse_id(const char *line, long *id)
{
    char *rest;
    errno = 0;
    *id = strtol(line, &rest, 10);
    return rest != line && errno == 0 && *id >= 0 && strncmp(rest, BAR, BAR_BYTES) == 0;
}

static enum attend_status read_ahead(struct lists *l, struct attend_error *err)
{
    const char *line;
    free(l->ahead);
    l->ahead = NULL;
    const enum attend_status status = attend_lines_next(l->nbest, &line, err);
    if (status || !line)
        return status;
    l->ahead = strdup(line);
    return l->ahead ? ATTEND_OK : refuse(l, "out of memory", err);
}

/* Read source sentences until the one with this id is the last of `sentence`. */
static enum attend_status find_sentence(struct lists *l, long id, struct attend_error *err)
{
    const char *line;
    if (id < l->sentence_id)
        return refuse(l, "the id is lower than the one before; sort the lists by id", err);
    while (l->sentence_id < id) {
        const enum attend_status status = attend_lines_next(l->source, &line, err);
        if (status)
            return status;
        if (!line)
            return refuse(l, "the id is beyond the last line of --src", err);
        if (++l->sentence_id == id)
            return block_add(&l->sentence, line, err);
    }
    return ATTEND_OK;
}

/* Make an entry of the line ahead. */
static enum attend_status add_entry(struct lists *l, long id, struct attend_error *err)
{
    enum attend_status status = find_sentence(l, id, err);
    if (!status)
        status = block_add(&l->block, l->ahead, err);
    if (status)
        return status;
    const int place = l->block.count - 1;
    const char *line = l->block.line[place], *text = strstr(line, BAR) + BAR_BYTES;
    const char *second = strstr(text, BAR), *third = second ? strstr(second + 1, BAR) : NULL;
    if (!third)
        return refuse(l, "is not `id ||| text ||| features ||| score`", err);
    char *alone = strndup(text, (size_t)(second - text));
    status = alone ? block_add(&l->text, alone, err) : refuse(l, "out of memory", err);
    free(alone);
    if (!status)
        l->entry[place] = (struct entry){.line = line,
                                         .id = id,
                                         .source = l->sentence.line[l->sentence.count - 1],
                                         .text = l->text.line[place],
                                         .features = second + BAR_BYTES,
                                         .end = third,
                                         .place = place};
    return status;
}

static enum attend_status make_room(struct lists *l, struct attend_error *err)
{
    if (l->block.count < l->room)
        return ATTEND_OK;
    const int room = l->room ? 2 * l->room : BLOCK_LINES;
    struct entry *more = realloc(l->entry, (size_t)room * sizeof *more);
    if (!more)
        return refuse(l, "out of memory", err);
    l->entry = more;
    l->room = room;
    return ATTEND_OK;
}

/* Keep the sentence of the last list, because the next block may continue that list. */
static void keep_last_sentence(struct lists *l)
{
    if (l->sentence.count > 1) {
        char *last = l->sentence.line[l->sentence.count - 1];
        l->sentence.line[l->sentence.count - 1] = l->sentence.line[0];
        l->sentence.line[0] = last;
        block_cut(&l->sentence, 1);
    }
}

/* Read entries until the block is full. If lists are sorted, the last one is read to its end. */
static enum attend_status read_lists(struct lists *l, struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    block_cut(&l->block, 0);
    block_cut(&l->text, 0);
    keep_last_sentence(l);
    while (!status && l->ahead) {
        long id;
        if (!parse_id(l->ahead, &id))
            return refuse(l, "does not begin with an id and ' ||| '", err);
        const int count = l->block.count;
        if (count >= BLOCK_LINES && !(l->what->sort && l->entry[count - 1].id == id))
            break;
        status = make_room(l, err);
        if (!status)
            status = add_entry(l, id, err);
        if (!status)
            status = read_ahead(l, err);
    }
    return status;
}

/* ---- Scoring ---- */

static enum attend_status force(struct lists *l, const char **source, struct attend_error *err)
{
    const int count = l->block.count;
    struct attend_translation *result = calloc((size_t)count + 1, sizeof *result);
    if (!result)
        return refuse(l, "out of memory", err);
    for (int i = 0; i < count; i++)
        source[i] = l->entry[i].source;
    const enum attend_status status = (l->what->pieces ? attend_force_pieces : attend_force)(
        l->what->translator, source, (const char *const *)l->text.line, count, result, err);
    for (int i = 0; i < count && !status; i++) {
        l->entry[i].log_probability = result[i].log_probability;
        attend_translation_release(&result[i]);
    }
    free(result);
    return status;
}

static enum attend_status score(struct lists *l, struct attend_error *err)
{
    const char **source = calloc((size_t)l->block.count + 1, sizeof *source);
    if (!source)
        return refuse(l, "out of memory", err);
    const enum attend_status status = force(l, source, err);
    free(source);
    return status;
}

static int compare(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    if (a->log_probability != b->log_probability)
        return a->log_probability > b->log_probability ? -1 : 1;
    return a->place - b->place;
}

static int print(const struct lists *l)
{
    errno = 0;
    for (int i = 0; i < l->block.count; i++) {
        const struct entry *e = &l->entry[i];
        const int head = (int)(e->end - e->line);
        printf("%.*s%sattend= %.6f%s\n", head, e->line, e->end == e->features ? "" : " ",
               e->log_probability, e->end);
    }
    return args_flush(l->command, stdout);
}

/* ---- All lists ---- */

static int do_lists(struct lists *l)
{
    struct attend_error err;
    enum attend_status status = read_lists(l, &err);
    if (!status)
        status = score(l, &err);
    if (status)
        return args_fail(l->command, status, &err);
    if (l->what->sort)
        qsort(l->entry, (size_t)l->block.count, sizeof *l->entry, compare);
    return print(l);
}

int rescore(const struct command *command, const struct rescoring *what)
{
    struct lists l = {.command = command, .what = what, .sentence_id = -1};
    struct attend_error err;
    int code = EXIT_DONE;
    enum attend_status status = attend_lines_open(&l.source, what->src, &err);
    if (!status)
        status = attend_lines_open(&l.nbest, what->nbest, &err);
    if (!status)
        status = read_ahead(&l, &err);
    if (status)
        code = args_fail(command, status, &err);
    while (code == EXIT_DONE && l.ahead)
        code = do_lists(&l);
    attend_lines_close(l.source);
    attend_lines_close(l.nbest);
    block_release(&l.block);
    block_release(&l.text);
    block_release(&l.sentence);
    free(l.entry);
    free(l.ahead);
    return code;
}
