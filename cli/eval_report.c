/* The report of an evaluation, and its files. */
#include "eval.h"
#include "picture.h"

#include <attend/convert.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Everything that the flags ask for. */
struct found {
    struct attend_evaluation *scores;
    struct attend_wrong_lines *errors;
    struct attend_confusions *confusions;
    struct attend_line_scores *lines;
    struct attend_calibration calibration;
    bool calibrated;
};

static enum attend_status find(struct found *f, const struct flags *flags,
                               const struct attend_eval_set *set,
                               const struct attend_answer *answers, struct attend_error *err)
{
    enum attend_status status = attend_eval_set_scores(&f->scores, set, err);
    if (!status && flags->errors)
        status = attend_eval_set_errors(&f->errors, set, flags->limit, err);
    if (!status && flags->confusions)
        status = attend_eval_set_confusions(&f->confusions, set, err);
    if (!status && flags->sentence_level)
        status = attend_eval_set_lines(&f->lines, set, err);
    if (!status && answers)
        status = attend_calibrate(&f->calibration, answers, attend_eval_set_count(set), err);
    f->calibrated = !status && answers;
    return status;
}

static void release(struct found *f)
{
    attend_evaluation_free(f->scores);
    attend_wrong_lines_free(f->errors);
    attend_confusions_free(f->confusions);
    attend_line_scores_free(f->lines);
}

/* ---- Text ---- */

static bool colors(void)
{
    const char *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0 && !getenv("NO_COLOR");
}

/* Print and free a section of the report; an empty line separates it from the one before. */
static enum attend_status print(char *text, bool *begun)
{
    if (!text)
        return ATTEND_NO_MEMORY;
    if (*begun)
        putchar('\n');
    fputs(text, stdout);
    *begun = true;
    attend_text_free(text);
    return ATTEND_OK;
}

/* How the lines were scored goes to standard error, so that the table stays one. */
static void say_signatures(const struct attend_line_scores *lines)
{
    for (int m = 0; m < lines->metrics; m++)
        fprintf(stderr, "attend eval: each line: %s %s\n", lines->metric[m], lines->signature[m]);
}

static enum attend_status print_text(const struct found *f, const struct flags *flags)
{
    enum attend_status status = ATTEND_OK;
    bool begun = !f->lines;
    if (f->lines)
        say_signatures(f->lines);
    else
        eval_print_scores(f->scores);
    if (f->lines)
        status = print(attend_line_scores_text(f->lines), &begun);
    if (!status && f->errors)
        status = print(attend_wrong_lines_text(f->errors, colors()), &begun);
    if (!status && f->confusions)
        status = print(attend_confusions_text(f->confusions, flags->limit), &begun);
    if (!status && f->calibrated)
        status = print(attend_calibration_text(&f->calibration), &begun);
    return status;
}

static enum attend_status print_json(const struct found *f, const struct flags *flags)
{
    char *text = attend_eval_report_json(&(struct attend_eval_report){
        .scores = f->scores,
        .errors = f->errors,
        .confusions = f->confusions,
        .confusions_limit = flags->limit,
        .lines = f->lines,
        .calibration = f->calibrated ? &f->calibration : NULL,
    });
    if (!text)
        return ATTEND_NO_MEMORY;
    puts(text);
    attend_text_free(text);
    return ATTEND_OK;
}

/* ---- Files ---- */

static int draw(const struct command *command, const struct found *f, const char *path)
{
    const struct attend_style confusions = {.title = "Confusions"};
    const struct attend_style calibration = {.title =
                                                 "How often answers of each confidence are right"};
    return picture_save(command,
                        f->calibrated ? attend_picture_calibration(&f->calibration, &calibration)
                                      : attend_picture_confusions(f->confusions, &confusions),
                        path);
}

static int save_model(const struct command *command, const struct found *f, const char *from,
                      const char *to)
{
    struct attend_error err;
    const struct attend_conversion conversion = {.calibration = &f->calibration.scaling};
    const enum attend_status status = attend_convert(from, to, &conversion, &err);
    if (!status)
        fprintf(stderr, "attend eval: the calibrated model is %s\n", to);
    return status ? args_fail(command, status, &err) : EXIT_DONE;
}

int eval_report(const struct command *command, const struct flags *flags,
                const struct attend_eval_set *set, const struct attend_answer *answers)
{
    struct found f = {0};
    const char *picture = eval_picture(flags), *model = eval_saved_model(flags);
    struct attend_error err = {.message = "out of memory"};
    enum attend_status status = find(&f, flags, set, answers, &err);
    if (!status)
        status = (flags->json ? print_json : print_text)(&f, flags);
    int code = status ? args_fail(command, status, &err) : EXIT_DONE;
    if (code == EXIT_DONE && picture)
        code = draw(command, &f, picture);
    if (code == EXIT_DONE && model)
        code = save_model(command, &f, *flags->models, model);
    release(&f);
    return code;
}
