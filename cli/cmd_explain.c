/* attend explain: every step of the decoder, which source words mattered, and how other attention
 * would have changed the translation. */
#include "commands.h"
#include "explain.h"
#include "pairs.h"
#include "picture.h"
#include "screen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int explain_print(const struct explain_job *job, char *text)
{
    const struct attend_error err = {.message = "out of memory for the output"};
    if (!text)
        return args_fail(job->command, ATTEND_NO_MEMORY, &err);
    errno = 0;
    fputs(text, stdout);
    if (job->flags->json)
        putchar('\n');
    attend_text_free(text);
    return args_flush(job->command, stdout);
}

/* ---- One sentence ---- */

static int fail(const struct explain_job *job, enum attend_status status, struct attend_error *err)
{
    pairs_name_operand(err);
    return args_fail(job->command, status, err);
}

static int explain_steps(struct explain_job *job)
{
    struct attend_steps *steps;
    struct attend_error err;
    const struct attend_steps_job wanted = {.source = job->source,
                                            .target = job->target,
                                            .focus = job->focus,
                                            .focus_count = job->focus_count,
                                            .top = job->flags->top};
    const enum attend_status status =
        attend_steps_new(&steps, job->session.translator, &wanted, &err);
    if (status)
        return fail(job, status, &err);
    const int code =
        explain_print(job, job->flags->json ? attend_steps_json(steps)
                                            : attend_steps_text(steps, job->flags->verbose,
                                                                screen_width(stdout)));
    attend_steps_free(steps);
    return code;
}

static char *what_if_text(const struct attend_what_if *what_if)
{
    char *text = attend_what_if_text(what_if);
    char *wrapped = text ? attend_terminal_wrap(text, screen_width(stdout)) : NULL;
    attend_text_free(text);
    return wrapped;
}

static int explain_what_if(struct explain_job *job)
{
    struct attend_what_if what_if;
    struct attend_error err;
    const enum attend_status status =
        attend_what_if(&what_if, job->session.translator, job->source, job->target, job->focus,
                       job->focus_count, &err);
    if (status)
        return fail(job, status, &err);
    const int code = explain_print(job, job->flags->json ? attend_what_if_json(&what_if)
                                                         : what_if_text(&what_if));
    attend_what_if_release(&what_if);
    return code;
}

/* Print the numbers, or draw them into --output. */
static int show(const struct explain_job *job, const struct attend_explanation *e)
{
    if (!e->value[ATTEND_GRADIENT] && !job->session.reader)
        fprintf(stderr, "attend %s: no gradients, because the model's weights are int8\n",
                job->command->name);
    if (job->flags->output)
        return explain_picture(job, e);
    if (job->flags->json)
        return explain_print(job, attend_explanation_json(e));
    const struct attend_style style = picture_style(job->flags);
    return explain_print(job, job->flags->curves ? attend_explanation_curves(e, &style)
                                                 : attend_explanation_text(e, style.width));
}

static int explain_words(struct explain_job *job)
{
    struct attend_explanation *e;
    struct attend_error err;
    const struct attend_explain_job wanted = {
        .source = job->source,
        .target = job->target,
        .mask = job->flags->mask,
        .ig_steps = job->flags->ig_steps,
        .seed = job->flags->search.seed,
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
    const char *text = job->flags->attend;
    struct attend_error err;
    const enum attend_status status =
        text ? attend_focus_parse(&job->focus, &job->focus_count, text, &err) : ATTEND_OK;
    return status ? args_fail(job->command, status, &err) : EXIT_DONE;
}

/* Why the combination of options makes no sense; NULL when it does. */
static const char *objection(const struct explain_job *job)
{
    const struct flags *o = job->flags;
    const bool src = o->src, tgt = o->tgt;
    const bool told = o->attend, steps = job->flags->steps;
    const bool curves = job->flags->curves, output = o->output;
    if (src != tgt)
        return "--src and --tgt go together";
    if (src && (job->source || steps || told))
        return "--src and --tgt do not go with a sentence, --steps or --attend";
    if (!src && (!job->source || !job->source[strspn(job->source, " \t")]))
        return "give a sentence, or --src and --tgt";
    if ((steps || told) && (curves || output))
        return "--steps and --attend do not go with --curves or --output";
    if (output && job->flags->json)
        return "--json prints and --output draws; give one of them";
    if (!explain_picture_takes(job))
        return curves || src ? "--output takes a file that ends in .svg, .png or .pdf"
                             : "--output takes a file that ends in .svg, .png, .pdf or .html";
    return NULL;
}

static int run(struct explain_job *job)
{
    if (job->flags->src)
        return explain_file(job);
    if (job->flags->steps)
        return explain_steps(job);
    return job->focus_count ? explain_what_if(job) : explain_words(job);
}

int cmd_explain(const struct command *command, const struct flags *flags,
                const char *const *operand, int count)
{
    struct explain_job job = {.command = command,
                              .flags = flags,
                              .source = count > 0 ? operand[0] : NULL,
                              .target = count > 1 ? operand[1] : NULL};
    const char *wrong = objection(&job);
    if (wrong)
        return args_usage(command, wrong);
    int code = parse_focus(&job);
    if (code == EXIT_DONE)
        code = session_open(&job.session, command, flags);
    if (code == EXIT_DONE)
        code = run(&job);
    session_close(&job.session);
    attend_array_free(job.focus);
    return code;
}
