/* attend explain: what the decoder did step by step, which source words mattered, and what would
 * have come of looking elsewhere. */
#include "commands.h"
#include "explain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int explain_print(const struct explain_job *job, char *text)
{
    const struct attend_error err = {"out of memory for the output"};
    if (!text)
        return args_fail(job->command, ATTEND_NO_MEMORY, &err);
    errno = 0;
    fputs(text, stdout);
    if (explain_has(job, "json"))
        putchar('\n');
    attend_text_free(text);
    return args_flush(job->command, stdout);
}

/* ---- What there is to explain ---- */

static int fail(const struct explain_job *job, enum attend_status status, struct attend_error *err)
{
    args_name_operands(err);
    return args_fail(job->command, status, err);
}

static int explain_steps(struct explain_job *job)
{
    struct attend_steps *steps;
    struct attend_error err;
    const struct attend_steps_job wanted = {.source = job->source,
                                            .target = job->target,
                                            .focus = job->focus,
                                            .focuses = job->focuses,
                                            .top = (int)attend_options_number(job->options, "top")};
    const enum attend_status status =
        attend_steps_new(&steps, job->session.translator, &wanted, &err);
    if (status)
        return fail(job, status, &err);
    const int code = explain_print(
        job, explain_has(job, "json") ? attend_steps_json(steps)
                                      : attend_steps_text(steps, explain_has(job, "verbose")));
    attend_steps_free(steps);
    return code;
}

static int explain_what_if(struct explain_job *job)
{
    struct attend_what_if what_if;
    struct attend_error err;
    const enum attend_status status = attend_what_if(&what_if, job->session.translator, job->source,
                                                     job->target, job->focus, job->focuses, &err);
    if (status)
        return fail(job, status, &err);
    const int code = explain_print(job, explain_has(job, "json") ? attend_what_if_json(&what_if)
                                                                 : attend_what_if_text(&what_if));
    attend_what_if_release(&what_if);
    return code;
}

/* Numbers, or --output a picture of them. */
static int show(const struct explain_job *job, const struct attend_explanation *e)
{
    if (!e->value[ATTEND_GRADIENT])
        fprintf(stderr, "attend %s: the model's weights are int8, which have no gradients\n",
                job->command->name);
    if (attend_options_text(job->options, "output"))
        return explain_picture(job, e);
    if (explain_has(job, "json"))
        return explain_print(job, attend_explanation_json(e));
    return explain_print(
        job, explain_has(job, "curves")
                 ? attend_explanation_curves(e, attend_options_text(job->options, "title"))
                 : attend_explanation_text(e));
}

static int explain_words(struct explain_job *job)
{
    struct attend_explanation *e;
    struct attend_error err;
    const struct attend_explain_job wanted = {
        .source = job->source,
        .target = job->target,
        .mask = explain_has(job, "mask"),
        .ig_steps = (int)attend_options_number(job->options, "ig-steps"),
        .seed = (int)attend_options_number(job->options, "seed"),
    };
    const enum attend_status status = attend_explain(&e, job->session.translator, &wanted, &err);
    if (status)
        return fail(job, status, &err);
    const int code = show(job, e);
    attend_explanation_free(e);
    return code;
}

/* ---- The command ---- */

static int parse_focus(struct explain_job *job)
{
    const char *text = attend_options_text(job->options, "attend");
    struct attend_error err;
    const enum attend_status status =
        text ? attend_focus_parse(&job->focus, &job->focuses, text, &err) : ATTEND_OK;
    return status ? args_fail(job->command, status, &err) : EXIT_DONE;
}

/* Calls that cannot mean anything; NULL when there is nothing to say against one. */
static const char *objection(const struct explain_job *job)
{
    const struct attend_options *o = job->options;
    const bool src = attend_options_text(o, "src"), tgt = attend_options_text(o, "tgt");
    const bool told = attend_options_text(o, "attend"), steps = explain_has(job, "steps");
    const bool curves = explain_has(job, "curves"), output = attend_options_text(o, "output");
    if (src != tgt)
        return "--src and --tgt go together";
    if (src && (job->source || steps || told))
        return "--src and --tgt take no sentence, --steps or --attend";
    if (!src && (!job->source || !job->source[strspn(job->source, " \t")]))
        return "a sentence is needed, or --src and --tgt";
    if ((steps || told) && (curves || output))
        return "--steps and --attend go with neither --curves nor --output";
    if (output && explain_has(job, "json"))
        return "--json prints, --output draws: one of them";
    if (!explain_picture_takes(job))
        return curves || src ? "--output takes a file that ends in .svg, .png or .pdf"
                             : "--output takes a file that ends in .svg, .png, .pdf or .html";
    return NULL;
}

static int run(struct explain_job *job)
{
    if (attend_options_text(job->options, "src"))
        return explain_file(job);
    if (explain_has(job, "steps"))
        return explain_steps(job);
    return job->focuses ? explain_what_if(job) : explain_words(job);
}

int cmd_explain(const struct command *command, const struct attend_options *options,
                const char *const *operand, int count)
{
    struct explain_job job = {.command = command,
                              .options = options,
                              .source = count > 0 ? operand[0] : NULL,
                              .target = count > 1 ? operand[1] : NULL};
    const char *wrong = objection(&job);
    if (wrong)
        return args_usage(command, wrong);
    int code = parse_focus(&job);
    if (code == EXIT_DONE)
        code = session_open(&job.session, command, options);
    if (code == EXIT_DONE)
        code = run(&job);
    session_close(&job.session);
    free(job.focus);
    return code;
}
