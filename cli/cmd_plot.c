/* attend plot: draws the attention of models on sentences or given pairs, matrices from a file, or
 * the learning curves of training logs. */
#include "commands.h"
#include "picture.h"
#include "plot_models.h"

#include <string.h>

/* ---- Learning curves ---- */

static int plot_logs(const struct command *command, const struct flags *flags,
                     const char *const *logs)
{
    const char *output = flags->output;
    const struct attend_style style = picture_style(flags);
    struct attend_picture *picture;
    struct attend_error err;
    char *text;
    int count = 0;
    while (logs[count])
        count++;
    if (output) {
        const enum attend_status status = attend_picture_logs(logs, count, &style, &picture, &err);
        return status ? args_fail(command, status, &err) : picture_save(command, picture, output);
    }
    const enum attend_status status = attend_terminal_logs(logs, count, &style, &text, &err);
    if (status)
        return args_fail(command, status, &err);
    fputs(text, stdout);
    attend_text_free(text);
    return EXIT_DONE;
}

static int logs_command(const struct command *command, const struct flags *flags, int operands)
{
    static const char *const none[] = {"model",  "src",           "tgt", "matrix",
                                       "format", "encoder-heads", NULL};
    const char *output = flags->output;
    if (operands)
        return args_usage(command, "--log draws a training log and takes no sentence");
    if (!args_none(command, flags, none, "does not go with --log, which draws a training log"))
        return EXIT_USAGE;
    if (output && !picture_takes(output))
        return args_usage(command,
                          "--output takes a file that ends in .svg, .png or .pdf for --log");
    return plot_logs(command, flags, flags->log);
}

/* ---- Matrices from a file ---- */

/* Draw the first `nbest` hypotheses of a sentence. If there can be several, each has a title. */
static int put_sentence(struct plot_sink *sink, const struct attend_matrices *all, int nbest)
{
    struct attend_matrices panels = {0};
    struct attend_error err;
    enum attend_status status = ATTEND_OK;
    for (int i = 0; i < all->count && i < nbest && !status; i++) {
        char title[64];
        struct attend_matrix panel = all->item[i];
        snprintf(title, sizeof title, "hypothesis %d", i + 1);
        panel.title = nbest > 1 ? title : NULL;
        status = attend_matrices_add(&panels, &panel, all->number[i], &err);
    }
    attend_matrices_scale(&panels);
    const int code = status ? args_fail(sink->command, status, &err)
                            : plot_sink_put(sink, &panels, all->number[0]);
    attend_matrices_release(&panels);
    return code;
}

static int plot_matrices(const struct flags *flags, struct plot_sink *sink)
{
    const int nbest = flags->search.nbest;
    struct attend_matrix_file *file = NULL;
    struct attend_error err;
    enum attend_status status = attend_matrix_file_open(&file, flags->matrix, &err);
    int code = EXIT_DONE;
    for (bool more = !status; more && code == EXIT_DONE;) {
        struct attend_matrices sentence = {0};
        if (plot_sink_room(sink, 1))
            status = attend_matrix_file_next(file, &sentence, &err);
        more = !status && sentence.count > 0;
        if (more)
            code = put_sentence(sink, &sentence, nbest);
        attend_matrices_release(&sentence);
    }
    attend_matrix_file_close(file);
    return status ? args_fail(sink->command, status, &err) : code;
}

/* ---- The command ---- */

static int matrix_command(const struct command *command, const struct flags *flags, int operands)
{
    static const char *const none[] = {"model",     "src",           "tgt", "words",
                                       "each-head", "encoder-heads", NULL};
    struct plot_sink sink;
    if (operands)
        return args_usage(command, "--matrix takes no sentence");
    if (!args_none(command, flags, none, "does not go with --matrix, which needs no model"))
        return EXIT_USAGE;
    const int code = plot_sink_open(&sink, command, flags, true);
    return code == EXIT_DONE ? plot_sink_close(&sink, plot_matrices(flags, &sink)) : code;
}

static int sentences_command(const struct command *command, const struct flags *flags,
                             const char *const *operand, int count)
{
    const char *src = flags->src, *tgt = flags->tgt;
    struct plot_sink sink;
    struct pairs pairs = {0};
    struct attend_error err;
    int code = plot_sink_open(&sink, command, flags, src);
    if (code != EXIT_DONE)
        return code;
    const enum attend_status status =
        src ? pairs_open(&pairs, src, tgt, &err)
            : pairs_one(&pairs, operand[0], count == 2 ? operand[1] : NULL, &err);
    code = status ? args_fail(command, status, &err) : plot_models(command, flags, &pairs, &sink);
    code = plot_sink_close(&sink, code);
    pairs_close(&pairs);
    return code;
}

/* The encoder reads before anything is translated. */
static int check_encoder(const struct command *command, const struct flags *flags, int operands)
{
    static const char *const none[] = {"tgt", "each-head", "beam", "nbest", NULL};
    if (flags->encoder_heads && operands > 1)
        return args_usage(command, "--encoder-heads takes no translation");
    return !flags->encoder_heads ||
                   args_none(command, flags, none,
                             "does not go with --encoder-heads, which shows only the source")
               ? EXIT_DONE
               : EXIT_USAGE;
}

int cmd_plot(const struct command *command, const struct flags *flags, const char *const *operand,
             int count)
{
    const char *src = flags->src, *tgt = flags->tgt;
    if (flags->log)
        return logs_command(command, flags, count);
    if (flags->matrix)
        return matrix_command(command, flags, count);
    if (src && count)
        return args_usage(command, "give a sentence or --src, not both");
    if (tgt && !src)
        return args_usage(command, "--tgt needs --src");
    if (src && tgt && strcmp(src, "-") == 0 && strcmp(tgt, "-") == 0)
        return args_usage(command, "only one of --src and --tgt can be standard input");
    if (!src && (count == 0 || !operand[0][strspn(operand[0], " \t")]))
        return args_usage(command, "give a sentence, --src, --matrix or --log");
    if (check_encoder(command, flags, count) != EXIT_DONE)
        return EXIT_USAGE;
    return sentences_command(command, flags, operand, count);
}
