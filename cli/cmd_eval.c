/* attend eval: scores output against references, or a model's own translations. */
#include "commands.h"
#include "eval.h"
#include "picture.h"

#include <stdlib.h>

/* Whether the flags go together; if not, after an error message. */
static bool check_input(const struct command *command, const struct flags *flags)
{
    static const char *const model_only[] = {"test",     "columns",     "header",
                                             "features", "calibration", NULL};
    static const char *const file_only[] = {"hyp", "compare", NULL};
    if (flags->models)
        return args_none(command, flags, file_only, "does not go with --model");
    if (!args_none(command, flags, model_only, "needs --model"))
        return false;
    return flags->eval.answers || args_need(command, flags->eval.ref, "ref");
}

/* ---- The files of --output ---- */

static bool is_model(const char *path) { return picture_ends_in(path, ".safetensors"); }

const char *eval_picture(const struct flags *flags)
{
    for (const char *const *path = flags->outputs; path && *path; path++)
        if (!is_model(*path))
            return *path;
    return NULL;
}

const char *eval_saved_model(const struct flags *flags)
{
    for (const char *const *path = flags->outputs; path && *path; path++)
        if (is_model(*path))
            return *path;
    return NULL;
}

/* Returns the message about a wrong --output, or NULL. */
static const char *wrong_output(const struct flags *flags)
{
    const bool by_length = flags->eval.by_length > 0;
    const int drawn = by_length + flags->confusions + flags->calibration;
    int pictures = 0, models = 0;
    for (const char *const *path = flags->outputs; path && *path; path++) {
        if (!is_model(*path) && !picture_takes(*path))
            return flags->calibration ? "--output takes a file that ends in .svg, .png, .pdf or "
                                        ".safetensors"
                                      : "--output takes a file that ends in .svg, .png or .pdf";
        *(is_model(*path) ? &models : &pictures) += 1;
    }
    if (models && !flags->calibration)
        return "a model as --output needs --calibration";
    if (models && flags->models[1])
        return "an ensemble has no single model to be calibrated; give one --model";
    if (pictures && !drawn)
        return "--output needs --by-length, --confusions or --calibration";
    if (pictures && drawn > 1)
        return "--confusions and --calibration draw one picture each; choose one of them";
    return pictures > 1 || models > 1 ? "--output takes one picture and one model" : NULL;
}

static bool check_output(const struct command *command, const struct flags *flags)
{
    const char *message = wrong_output(flags);
    if (message)
        args_usage(command, message);
    return !message;
}

static bool check_report(const struct command *command, const struct flags *flags)
{
    static const char *const length_needs[] = {
        "json", "confidence", "errors", "confusions", "sentence-level", "calibration", NULL};
    static const char *const source_only[] = {"src", NULL};
    const bool by_length = flags->eval.by_length > 0;
    if (by_length && !args_none(command, flags, length_needs, "does not go with --by-length"))
        return false;
    if (by_length && !flags->eval.src && !flags->eval.test) {
        args_usage(command, "--by-length needs --src, the source sentences");
        return false;
    }
    return by_length || flags->models || flags->errors ||
           args_none(command, flags, source_only, "needs --model, --by-length or --errors");
}

/* Judge by the answers of a model, whose probabilities are kept for --calibration. */
static int calibrate(const struct command *command, const struct flags *flags,
                     struct attend_eval_set *set)
{
    struct attend_error err = {.message = "out of memory"};
    const int count = attend_eval_set_count(set);
    struct attend_calibration none;
    enum attend_status status = ATTEND_OK;
    if (count < ATTEND_CALIBRATION_LEAST) /* said before all are translated */
        status = attend_calibrate(&none, NULL, count, &err);
    struct attend_answer *answers = status ? NULL : calloc((size_t)count, sizeof *answers);
    if (!status && !answers)
        status = ATTEND_NO_MEMORY;
    int code =
        status ? args_fail(command, status, &err) : eval_translate(command, flags, set, answers);
    if (code == EXIT_DONE)
        code = eval_report(command, flags, set, answers);
    free(answers);
    return code;
}

static int report(const struct command *command, const struct flags *flags,
                  struct attend_eval_set *set)
{
    const int code = flags->models ? eval_translate(command, flags, set, NULL) : EXIT_DONE;
    if (code != EXIT_DONE)
        return code;
    return flags->eval.by_length > 0 ? eval_by_length(command, flags, set)
                                     : eval_report(command, flags, set, NULL);
}

int cmd_eval(const struct command *command, const struct flags *flags, const char *const *operand,
             int count)
{
    (void)operand, (void)count;
    struct attend_eval_set *set = NULL;
    struct attend_error err = {.message = ""};
    if (!check_input(command, flags) || !check_report(command, flags) ||
        !check_output(command, flags))
        return EXIT_USAGE;
    const enum attend_status status =
        (flags->models ? attend_eval_set_ask : attend_eval_set_load)(&set, &flags->eval, &err);
    if (status)
        return args_fail(command, status, &err);
    const int code = (flags->calibration ? calibrate : report)(command, flags, set);
    attend_eval_set_free(set);
    return code;
}
