/* attend models: lists the ready models. */
#include "commands.h"
#include "folders.h"
#include "screen.h"

#include <attend/shelf.h>

#include <stdlib.h>

/* Print a text of the library and free it. */
static enum attend_status print(char *text, struct attend_error *err)
{
    if (!text) {
        snprintf(err->message, sizeof err->message, "out of memory for the list of models");
        return ATTEND_NO_MEMORY;
    }
    fputs(text, stdout);
    attend_text_free(text);
    return ATTEND_OK;
}

static enum attend_status print_json(char *text, struct attend_error *err)
{
    const enum attend_status status = print(text, err);
    if (!status)
        putchar('\n');
    return status;
}

static enum attend_status show(const struct attend_shelf *shelf, const char *name,
                               const struct flags *flags, struct attend_error *err)
{
    const struct attend_card *card;
    const enum attend_status status = attend_shelf_find(shelf, name, &card, err);
    if (status)
        return status;
    if (flags->json)
        return print_json(attend_card_json(card), err);
    printf("%s", flags->names ? card->name : card->text);
    if (flags->names || !*card->text)
        printf("%s\n", flags->names ? "" : card->path);
    return ATTEND_OK;
}

static enum attend_status list(const struct attend_shelf *shelf, const struct flags *flags,
                               struct attend_error *err)
{
    const struct attend_card *card;
    if (flags->json)
        return print_json(attend_shelf_json(shelf), err);
    for (int i = 0; flags->names && (card = attend_shelf_card(shelf, i)); i++)
        puts(card->name);
    return flags->names ? ATTEND_OK : print(attend_shelf_text(shelf, screen_width(stdout)), err);
}

/* On standard error, so that the list stays empty for programs. */
static void explain_none(const struct attend_shelf *shelf, const struct command *command)
{
    const char *folder;
    fprintf(stderr, "attend %s: there are no models in", command->name);
    for (int i = 0; (folder = attend_shelf_folder(shelf, i)); i++)
        fprintf(stderr, "%s %s", i ? "," : "", folder);
    fprintf(stderr, "; ATTEND_MODELS can name other folders, with colons between\n");
}

int cmd_models(const struct command *command, const struct flags *flags, const char *const *operand,
               int count)
{
    struct attend_error err;
    struct attend_shelf *shelf = NULL;
    struct folders folders;
    folders_init(&folders);
    enum attend_status status = attend_shelf_open(&shelf, (const char *const *)folders.path, &err);
    if (!status && count == 1)
        status = show(shelf, operand[0], flags, &err);
    else if (!status)
        status = list(shelf, flags, &err);
    if (!status && !attend_shelf_card(shelf, 0))
        explain_none(shelf, command);
    attend_shelf_close(shelf);
    folders_release(&folders);
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}
