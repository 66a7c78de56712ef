/* attend translate: translates lines in their order, in blocks, so that memory stays bounded. */
#include "block.h"
#include "commands.h"
#include "document.h"
#include "input.h"
#include "output.h"
#include "prepare.h"
#include "unknown_words.h"
#include "writing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct translating {
    const struct command *command;
    struct session session;
    struct input in;
    struct document document; /* instead of `in`, unless the input is lines */
    struct output out;
    struct attend_lexicon *lexicon;
    bool json, unk_replace, lexicon_first;
    struct attend_constraint constraint; /* of lines that do not set their own */
    struct prepare prepare;
    struct block block;
    struct attend_request request[BLOCK_LINES]; /* of the block's lines, when they are JSON */
    struct attend_constraint constraints[BLOCK_LINES]; /* of the lines in `asked` */
    struct attend_translation result[BLOCK_LINES];     /* of the block's lines */
    const char *asked[BLOCK_LINES];                    /* lines that the model translates */
    int place[BLOCK_LINES];                            /* their indices in the block */
    struct attend_translation answer[BLOCK_LINES];     /* their translations */
    double mass;                                       /* of the n-best lists: --mass */
    long cut_off;                                      /* translations that were cut off */
    long unseen;   /* sources longer than location attention can see */
    int longest;   /* tokens of the longest training source; 0: not known */
    long too_long; /* sources with more */
    struct unknown_words unknown;
    bool strict; /* stop at a line with unknown words */
};

/* ---- Reading ---- */

static const char *name_of(const struct translating *job)
{
    return job->document.document ? attend_document_name(job->document.document)
                                  : input_name(&job->in);
}

/* Replace a line of JSON by its source text, and keep its constraints. */
static enum attend_status take_request(struct translating *job, int i, struct attend_error *err)
{
    char name[256];
    struct attend_request *request = &job->request[i];
    char **line = &job->block.line[i];
    snprintf(name, sizeof name, "%.200s:%ld", name_of(job), job->block.first + i);
    const enum attend_status status = attend_request_parse(request, *line, name, err);
    if (status)
        return status;
    free(*line);
    *line = request->source;
    request->source = NULL;
    return ATTEND_OK;
}

static struct attend_constraint constraint_of(const struct translating *job, int i)
{
    struct attend_constraint constraint = job->constraint;
    const struct attend_request *r = &job->request[i];
    if (r->prefix)
        constraint.prefix = r->prefix;
    constraint.from = r->from;
    constraint.to = r->to;
    if (r->require) {
        constraint.require = (const char *const *)r->require;
        constraint.require_count = r->require_count;
    }
    return constraint;
}

/* Take line i apart: its request if it is JSON, its tags and terms. */
static enum attend_status take_line(struct translating *job, int i, struct attend_error *err)
{
    enum attend_status status = job->json ? take_request(job, i, err) : ATTEND_OK;
    if (status)
        return status;
    status = prepare_line(&job->prepare, i, job->block.line[i], err);
    if (status)
        attend_error_move(err, name_of(job), job->block.first + i);
    return status;
}

static enum attend_status read_lines(struct translating *job, struct attend_error *err)
{
    const int most = job->session.reader ? BLOCK_FILES : BLOCK_LINES;
    return job->document.document
               ? document_read(&job->document, &job->block, most, job->out.file, err)
               : input_read(&job->in, &job->block, most, err);
}

/* Read the next block. On failure the block has the lines before the one at fault. */
static enum attend_status read_block(struct translating *job, struct attend_error *err)
{
    const enum attend_status status = read_lines(job, err);
    for (int i = 0; i < job->block.count; i++) {
        const enum attend_status wrong = take_line(job, i, err);
        if (wrong) {
            block_cut(&job->block, i);
            return wrong;
        }
    }
    return status;
}

/* ---- Translating ---- */

/* Answer lines from the lexicon, and collect the others for the model. */
static enum attend_status look_up(struct translating *job, int *asked, struct attend_error *err)
{
    const struct block *b = &job->block;
    *asked = 0;
    for (int i = 0; i < b->count; i++) {
        const char *line = b->line[i];
        struct attend_constraint constraint = constraint_of(job, i);
        job->result[i] = (struct attend_translation){0};
        enum attend_status status = prepare_ask(&job->prepare, i, &line, &constraint, err);
        if (!status && job->lexicon_first)
            status = attend_lexicon_answer(job->lexicon, line, &job->result[i], err);
        if (status)
            return status;
        if (job->result[i].text)
            continue;
        job->place[*asked] = i;
        job->constraints[*asked] = constraint;
        job->asked[(*asked)++] = line;
    }
    return ATTEND_OK;
}

static enum attend_status translate(struct translating *job, struct attend_error *err)
{
    int asked;
    enum attend_status status = look_up(job, &asked, err);
    if (!status && job->prepare.used)
        status = attend_translator_search(
            job->session.translator, &(struct attend_search){.spans = job->prepare.moves}, err);
    if (!status)
        status = attend_translate_constrained(job->session.translator, job->asked, job->constraints,
                                              asked, job->answer, err);
    if (status) {
        block_name_line(&job->block, "input", name_of(job), job->place, err);
        return status;
    }
    for (int i = 0; i < asked; i++) {
        attend_translation_cut(&job->answer[i], job->mass);
        job->result[job->place[i]] = job->answer[i];
    }
    for (int i = 0; job->unk_replace && i < job->block.count && !status; i++)
        status = attend_translation_replace_unknown(&job->result[i], job->session.model[0],
                                                    job->lexicon, err);
    for (int i = 0; i < job->block.count && !status; i++)
        status = prepare_answer(&job->prepare, i, &job->result[i], err);
    return status;
}

/* ---- Writing ---- */

static int print_block(struct translating *job)
{
    enum attend_status status = ATTEND_OK;
    struct attend_error err;
    errno = 0;
    /* After a failed write nothing more is written, so that the file has no gaps. */
    for (int i = 0; i < job->block.count && !status && !ferror(job->out.file); i++) {
        const struct attend_translation *t = &job->result[i];
        const long number = job->block.first + i;
        if (job->strict && t->unknowns) {
            unknown_words_refuse(t->unknown, name_of(job), number, &err);
            status = ATTEND_DATA;
            continue;
        }
        unknown_words_add(&job->unknown, t->unknown, t->unknowns, job->block.line[i], number);
        if (!job->document.document)
            status = output_print(&job->out, t, number - 1, &err);
        job->cut_off += !t->complete;
        job->unseen += t->unseen > 0;
        job->too_long += job->longest && !t->frames && t->source_count - 1 > job->longest;
    }
    if (job->document.document && job->block.count && !ferror(job->out.file))
        status = document_write(&job->document, job->result, job->block.count, job->out.file, &err);
    if (ferror(job->out.file))
        return args_flush(job->command, job->out.file);
    return status ? args_fail(job->command, status, &err) : args_flush(job->command, job->out.file);
}

/* Translate the next block. *more is false at the end of the input. */
static int do_block(struct translating *job, bool *more)
{
    struct attend_error wrong, err;
    const enum attend_status read = read_block(job, &wrong);
    const enum attend_status status = translate(job, &err);
    int code = status ? args_fail(job->command, status, &err) : print_block(job);
    for (int i = 0; i < BLOCK_LINES; i++)
        attend_request_release(&job->request[i]);
    for (int i = 0; i < job->block.count; i++)
        attend_translation_release(&job->result[i]);
    prepare_clear(&job->prepare);
    if (code == EXIT_DONE && read)
        code = args_fail(job->command, read, &wrong);
    *more = job->block.count > 0;
    return code;
}

static void say_shortcomings(const struct translating *job)
{
    if (job->document.document)
        document_say(&job->document, job->command);
    else if (job->too_long)
        fprintf(stderr,
                "attend translate: %ld line%s longer than any source in training (%d tokens); "
                "--split-sentences cuts lines\n",
                job->too_long, job->too_long == 1 ? " is" : "s are", job->longest);
    unknown_words_say(&job->unknown, job->command->name);
    if (job->unseen)
        fprintf(stderr,
                "attend translate: %ld sources are longer than any in training; location attention "
                "cannot see their ends\n",
                job->unseen);
    if (job->prepare.left_out)
        fprintf(stderr,
                "attend translate: %ld terms were not asked for, because a line may require at "
                "most %d phrases\n",
                job->prepare.left_out, ATTEND_MAX_PHRASES);
    if (job->cut_off)
        fprintf(stderr, "attend translate: %ld translations met the length limit (--max-length)\n",
                job->cut_off);
}

/* ---- The command ---- */

static int open_lexicon(struct translating *job, const struct flags *flags)
{
    const char *path = flags->lexicon;
    struct attend_error err;
    job->unk_replace = flags->unk_replace;
    job->lexicon_first = flags->lexicon_first;
    if (job->lexicon_first && !path)
        return args_usage(job->command, "--lexicon-first needs --lexicon");
    if (path && !job->lexicon_first && !job->unk_replace)
        return args_usage(job->command, "--lexicon needs --unk-replace or --lexicon-first");
    const enum attend_status status =
        path ? attend_lexicon_load(&job->lexicon, path, &err) : ATTEND_OK;
    return status ? args_fail(job->command, status, &err) : EXIT_DONE;
}

static int length_of(const char *const *list)
{
    int count = 0;
    while (list && list[count])
        count++;
    return count;
}

static int take_constraints(struct translating *job, const struct flags *flags)
{
    const char *const *ban = flags->ban;
    struct attend_error err;
    job->constraint.prefix = flags->prefix;
    job->constraint.require = flags->require;
    job->constraint.require_count = length_of(job->constraint.require);
    const enum attend_status status =
        ban ? attend_translator_ban(job->session.translator, ban, length_of(ban), &err) : ATTEND_OK;
    return status ? args_fail(job->command, status, &err) : EXIT_DONE;
}

static int open_input(struct translating *job, const struct flags *flags,
                      const char *const *argument, int count)
{
    struct attend_error err;
    int code;
    const char *format = document_format(job->command, flags, &code);
    if (code != EXIT_DONE)
        return code;
    if (format && count)
        return args_usage(job->command, "arguments are lines; --format and --split-sentences need "
                                        "--input or standard input");
    if (format) {
        code = document_open(&job->document, format, &job->session, job->command, flags);
        if (code == EXIT_DONE)
            prepare_document(&job->prepare, attend_document_tags(job->document.document));
        return code;
    }
    const enum attend_status status = input_open(&job->in, flags->input, argument, count, &err);
    return status ? args_fail(job->command, status, &err) : EXIT_DONE;
}

static int run(struct translating *job, const struct flags *flags, const char *const *argument,
               int count)
{
    int code = EXIT_DONE;
    if (!flags->models)
        code = input_check(job->command, flags, argument, count);
    if (code == EXIT_DONE)
        code = open_lexicon(job, flags);
    if (code == EXIT_DONE)
        code = session_models(&job->session, job->command, flags);
    if (code == EXIT_DONE && attend_model_writes(job->session.model[0]))
        return writing_run(&job->session, job->command, flags, argument, count);
    if (code == EXIT_DONE)
        code = session_start(&job->session, job->command, flags);
    if (code == EXIT_DONE && !job->json)
        code = session_point(&job->session, job->command);
    if (code == EXIT_DONE && !job->session.reader)
        code = input_check(job->command, flags, argument, count);
    if (code == EXIT_DONE)
        code = take_constraints(job, flags);
    if (code == EXIT_DONE)
        code = prepare_open(&job->prepare, &job->session, job->command, flags);
    if (code == EXIT_DONE && job->unk_replace && !session_attends(&job->session, job->command))
        code = EXIT_FAILED;
    if (code != EXIT_DONE)
        return code;
    job->longest = attend_model_info(job->session.model[0]).longest_source;
    /* The output is opened last, so that no other error leaves it empty. */
    code = open_input(job, flags, argument, count);
    if (code == EXIT_DONE)
        code = output_open(&job->out, &job->session, job->command, flags);
    for (bool more = true; more && code == EXIT_DONE;)
        code = do_block(job, &more);
    if (code == EXIT_DONE)
        say_shortcomings(job);
    return code;
}

int cmd_translate(const struct command *command, const struct flags *flags,
                  const char *const *operand, int count)
{
    struct translating *job = calloc(1, sizeof *job);
    if (!job)
        return args_fail(command, ATTEND_NO_MEMORY,
                         &(struct attend_error){.message = "out of memory"});
    if (flags->mass < 1 && flags->search.nbest < 2) {
        free(job);
        return args_usage(command, "--mass needs --nbest 2 or more");
    }
    job->command = command;
    job->json = flags->json;
    job->mass = flags->mass;
    job->strict = flags->strict;
    const int code = output_close(&job->out, command, run(job, flags, operand, count));
    input_close(&job->in);
    document_close(&job->document);
    block_release(&job->block);
    attend_lexicon_free(job->lexicon);
    prepare_close(&job->prepare);
    session_close(&job->session);
    free(job);
    return code;
}
