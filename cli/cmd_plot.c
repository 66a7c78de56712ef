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
static enum attend_plot_format terminal_format(const struct attend_options *options)
{
    const char *color = attend_options_text(options, "color"), *term = getenv("COLORTERM");
    if (strcmp(color, "auto") != 0)
        return strcmp(color, "always") == 0 ? ATTEND_PLOT_COLOUR : ATTEND_PLOT_BLOCKS;
    const bool able = term && (strcmp(term, "truecolor") == 0 || strcmp(term, "24bit") == 0);
    return isatty(STDOUT_FILENO) && able && !getenv("NO_COLOR") ? ATTEND_PLOT_COLOUR
                                                                : ATTEND_PLOT_BLOCKS;
}

static enum attend_plot_format format_of(const struct attend_options *options)
{
    return attend_options_text(options, "output") ? ATTEND_PLOT_SVG : terminal_format(options);
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
    char *picture =
        attend_plot_heatmap(translation, format_of(options), attend_options_text(options, "title"));
    return picture ? put(command, options, picture) : args_fail(command, ATTEND_NO_MEMORY, &err);
}

static int plot_logs(const struct command *command, const struct attend_options *options,
                     const char *const *logs)
{
    int count = 0;
    char *picture;
    struct attend_error err;
    while (logs[count])
        count++;
    const enum attend_status status = attend_plot_logs(
        logs, count, format_of(options), attend_options_text(options, "title"), &picture, &err);
    return status ? args_fail(command, status, &err) : put(command, options, picture);
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
