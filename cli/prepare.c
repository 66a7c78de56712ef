#include "prepare.h"

#include <stdlib.h>
#include <string.h>

/* In the order of enum attend_tags. */
static const struct attend_choice tags[] = {
    {"none", "tags and placeholders are text like any other", NULL},
    {"placeholders", "{name}, {0}, ${name}, %s, %1$d, %(name)s and the like", NULL},
    {"html", "these, and the tags and character references of HTML or XML", NULL},
    {0},
};
struct attend_choice tags_choice(int i) { return tags[i]; }

static enum attend_status take_flags(struct prepare *p, const struct session *session,
                                     const struct flags *flags, struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    int which = 0;
    while (strcmp(tags[which].name, flags->tags) != 0)
        which++;
    p->options.tags = (enum attend_tags)which;
    p->options.model = session->model[0];
    p->used = which || flags->masks || flags->glossary;
    if (flags->masks)
        status = attend_masks_parse(&p->options.masks, flags->masks, err);
    if (!status && flags->glossary)
        status = attend_glossary_load(&p->glossary, flags->glossary, err);
    if (!status && p->glossary)
        status = attend_glossary_check(p->glossary, session->model[0], err);
    p->options.glossary = p->glossary;
    return status;
}

int prepare_open(struct prepare *p, const struct session *session, const struct command *command,
                 const struct flags *flags)
{
    struct attend_error err;
    const enum attend_status status = take_flags(p, session, flags, &err);
    if (status)
        return args_fail(command, status, &err);
    if (p->options.tags && flags->pieces)
        return args_usage(command, "--tags and --pieces exclude each other");
    return EXIT_DONE;
}

void prepare_document(struct prepare *p, enum attend_tags own)
{
    if (own <= p->options.tags)
        return;
    p->options.tags = own;
    p->options.tolerant = true;
    p->used = true;
}

enum attend_status prepare_line(struct prepare *p, int i, const char *line,
                                struct attend_error *err)
{
    if (!p->used)
        return ATTEND_OK;
    const enum attend_status status = attend_markup_parse(&p->line[i], line, &p->options, err);
    if (status)
        return status;
    p->moves = p->moves || attend_markup_moves(p->line[i]);
    p->left_out += attend_markup_left_out(p->line[i]);
    return ATTEND_OK;
}

enum attend_status prepare_ask(struct prepare *p, int i, const char **line,
                               struct attend_constraint *constraint, struct attend_error *err)
{
    int terms;
    if (!p->used)
        return ATTEND_OK;
    const char *const *term = attend_markup_terms(p->line[i], &terms);
    *line = attend_markup_text(p->line[i]);
    const int own = constraint->require_count, all = own + terms;
    const int most = all < ATTEND_MAX_PHRASES ? all : ATTEND_MAX_PHRASES;
    if (!terms)
        return ATTEND_OK;
    p->required[i] = calloc((size_t)all, sizeof *p->required[i]);
    if (!p->required[i]) {
        snprintf(err->message, sizeof err->message, "out of memory for terms");
        return ATTEND_NO_MEMORY;
    }
    for (int k = 0; k < all; k++)
        p->required[i][k] = k < own ? constraint->require[k] : term[k - own];
    p->left_out += all - most;
    constraint->require = p->required[i];
    constraint->require_count = most;
    return ATTEND_OK;
}

enum attend_status prepare_answer(const struct prepare *p, int i, struct attend_translation *t,
                                  struct attend_error *err)
{
    return p->used ? attend_markup_apply(p->line[i], t, err) : ATTEND_OK;
}

void prepare_clear(struct prepare *p)
{
    for (int i = 0; i < BLOCK_LINES && p->used; i++) {
        attend_markup_free(p->line[i]);
        free(p->required[i]);
        p->line[i] = NULL;
        p->required[i] = NULL;
    }
    p->moves = false;
}

void prepare_close(struct prepare *p)
{
    prepare_clear(p);
    attend_glossary_free(p->glossary);
}
