/* attend plot: a heatmap of a sentence, translated or with a given translation; or the learning
 * curves of training logs. */
#include "commands.h"
#include "session.h"

#include <attend/plot.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool ends_in(const char *text, const char *ending)
{
    const size_t length = strlen(text), end = strlen(ending);
    return length >= end && strcmp(text + length - end, ending) == 0;
}

/* Colour where it was asked for, or where standard output is a terminal that says it has 24 bits of
 * it. */
static bool in_colour(const struct attend_options *options)
{
    const char *color = attend_options_text(options, "color"), *term = getenv("COLORTERM");
    if (strcmp(color, "auto") != 0)
        return strcmp(color, "always") == 0;
    const bool able = term && (strcmp(term, "truecolor") == 0 || strcmp(term, "24bit") == 0);
    return isatty(STDOUT_FILENO) && able && !getenv("NO_COLOR");
}

/* The picture's text, and the picture is freed; NULL: out of memory. */
static char *svg_of(struct attend_picture *picture)
{
    char *text = picture ? attend_picture_svg(picture) : NULL;
    attend_picture_free(picture);
    return text;
}

/* Write a picture where it belongs, and free it. */
static int put(const struct command *command, const struct attend_options *options, char *picture)
{
    const char *output = attend_options_text(options, "output");
    struct attend_error err;
    enum attend_status status = ATTEND_OK;
    if (output)
        status = attend_plot_save(output, picture, &err);
    else
        fputs(picture, stdout);
    attend_text_free(picture);
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}

static int draw_heatmap(const struct command *command, const struct attend_options *options,
                        const struct attend_translation *translation)
{
    const struct attend_error err = {"out of memory for the picture"};
    const struct attend_matrix matrix = {.source = (const char *const *)translation->source,
                                         .target = (const char *const *)translation->target,
                                         .source_count = translation->source_count,
                                         .target_count = translation->target_count,
                                         .weight = translation->attention};
    const struct attend_look look = {.title = attend_options_text(options, "title")};
    char *text = attend_options_text(options, "output")
                     ? svg_of(attend_picture_matrices(&matrix, 1, &look))
                     : attend_terminal_matrices(&matrix, 1, &look, in_colour(options));
    return text ? put(command, options, text) : args_fail(command, ATTEND_NO_MEMORY, &err);
}

static int plot_logs(const struct command *command, const struct attend_options *options,
                     const char *const *logs)
{
    int count = 0;
    char *text = NULL;
    struct attend_picture *picture;
    struct attend_error err = {"out of memory for the picture"};
    const struct attend_look look = {.title = attend_options_text(options, "title")};
    while (logs[count])
        count++;
    enum attend_status status;
    if (!attend_options_text(options, "output"))
        status = attend_terminal_logs(logs, count, look.title, &text, &err);
    else if (!(status = attend_picture_logs(logs, count, &look, &picture, &err)))
        status = (text = svg_of(picture)) ? ATTEND_OK : ATTEND_NO_MEMORY;
    return status ? args_fail(command, status, &err) : put(command, options, text);
}

static int plot_sentence(const struct command *command, const struct attend_options *options,
                         const char *const *operand, int count)
{
    struct session session;
    struct attend_translation translation;
    struct attend_error err;
    int code = session_open(&session, command, options);
    if (code == EXIT_DONE && !session_attends(&session, command))
        code = EXIT_FAILED;
    if (code == EXIT_DONE) {
        const enum attend_status status =
            count == 2
                ? attend_force(session.translator, &operand[0], &operand[1], 1, &translation, &err)
                : attend_translate(session.translator, &operand[0], 1, &translation, &err);
        code = status ? args_fail(command, status, &err)
                      : draw_heatmap(command, options, &translation);
        if (!status)
            attend_translation_release(&translation);
    }
    session_close(&session);
    return code;
}

int cmd_plot(const struct command *command, const struct attend_options *options,
             const char *const *operand, int count)
{
    const char *output = attend_options_text(options, "output");
    const char *const *logs = attend_options_list(options, "log");
    if (logs && (count > 0 || attend_options_text(options, "model")))
        return args_usage(command,
                          "--log draws a training log: it takes no sentence and no --model");
    if (!logs && (count == 0 || !operand[0][strspn(operand[0], " \t")]))
        return args_usage(command, "a sentence is needed, or --log");
    if (output && !ends_in(output, ".svg"))
        return args_usage(command, "--output takes a file that ends in .svg");
    return logs ? plot_logs(command, options, logs)
                : plot_sentence(command, options, operand, count);
}
