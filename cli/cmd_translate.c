/* attend translate: lines in, lines out, in the same order, in blocks so that memory stays bounded.
 */
#include "block.h"
#include "commands.h"
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct job {
    const struct command *command;
    struct session session;
    struct attend_lines *in;
    struct output out;
    struct attend_lexicon *lexicon;
    bool json, unk_replace, lexicon_first;
    struct attend_wish wish; /* of lines without one of their own */
    struct block block;
    struct attend_request request[BLOCK_LINES];    /* of the block's lines, when they are JSON */
    struct attend_wish wishes[BLOCK_LINES];        /* of the lines that the model is asked */
    struct attend_translation result[BLOCK_LINES]; /* of the block's lines */
    const char *asked[BLOCK_LINES];                /* lines that the model is asked */
    int place[BLOCK_LINES];                        /* where they stand in the block */
    struct attend_translation answer[BLOCK_LINES]; /* its answers */
    long cut_off;                                  /* translations that met the length limit */
    long unseen; /* sources longer than location attention can look */
};

/* ---- In ---- */

/* A line of JSON becomes its source; what else it says is kept. */
static enum attend_status take_request(struct job *job, int i, struct attend_error *err)
{
    char name[256];
    struct attend_request *request = &job->request[i];
    char **line = &job->block.line[i];
    snprintf(name, sizeof name, "%.200s:%ld", attend_lines_name(job->in), job->block.first + i);
    const enum attend_status status = attend_request_parse(request, *line, name, err);
    if (status)
        return status;
    free(*line);
    *line = request->source;
    request->source = NULL;
    return ATTEND_OK;
}

static struct attend_wish wish_of(const struct job *job, int i)
{
    struct attend_wish wish = job->wish;
    const struct attend_request *r = &job->request[i];
    if (r->prefix)
        wish.prefix = r->prefix;
    if (r->require) {
        wish.require = (const char *const *)r->require;
        wish.requires = r->requires;
    }
    return wish;
}

/* The next block. When it fails, the lines before the one at fault are there. */
static enum attend_status read_block(struct job *job, struct attend_error *err)
{
    const bool person =
        isatty(STDIN_FILENO) && !strcmp(attend_lines_name(job->in), "standard input");
    const enum attend_status status =
        block_read(&job->block, job->in, person ? 1 : BLOCK_LINES, err);
    for (int i = 0; job->json && i < job->block.count; i++) {
        const enum attend_status wrong = take_request(job, i, err);
        if (wrong) {
            block_cut(&job->block, i);
            return wrong;
        }
    }
    return status;
}

/* ---- Through ---- */

/* Lines that the lexicon has are answered; the others are to be asked. */
static enum attend_status look_up(struct job *job, int *asked, struct attend_error *err)
{
    const struct block *b = &job->block;
    *asked = 0;
    for (int i = 0; i < b->count; i++) {
        job->result[i] = (struct attend_translation){0};
        if (job->lexicon_first) {
            const enum attend_status status =
                attend_lexicon_answer(job->lexicon, b->line[i], &job->result[i], err);
            if (status)
                return status;
        }
        if (job->result[i].text)
            continue;
        job->place[*asked] = i;
        job->wishes[*asked] = wish_of(job, i);
        job->asked[(*asked)++] = b->line[i];
    }
    return ATTEND_OK;
}

static enum attend_status translate(struct job *job, struct attend_error *err)
{
    int asked;
    enum attend_status status = look_up(job, &asked, err);
    if (!status)
        status = attend_translate_wishes(job->session.translator, job->asked, job->wishes, asked,
                                         job->answer, err);
    if (status) {
        block_name_line(&job->block, "input", attend_lines_name(job->in), job->place, err);
        return status;
    }
    for (int i = 0; i < asked; i++)
        job->result[job->place[i]] = job->answer[i];
    for (int i = 0; job->unk_replace && i < job->block.count && !status; i++)
        status = attend_translation_replace_unknown(&job->result[i], job->session.model[0],
                                                    job->lexicon, err);
    return status;
}

/* ---- Out ---- */

static int print_block(struct job *job)
{
    enum attend_status status = ATTEND_OK;
    struct attend_error err;
    errno = 0;
    /* Nothing follows a line that was lost: what is there is the beginning of the output. */
    for (int i = 0; i < job->block.count && !status && !ferror(job->out.file); i++) {
        const struct attend_translation *t = &job->result[i];
        status = output_print(&job->out, t, job->block.first - 1 + i, &err);
        job->cut_off += !t->complete;
        job->unseen += t->unseen > 0;
    }
    return status ? args_fail(job->command, status, &err) : args_flush(job->command, job->out.file);
}

/* EXIT_DONE while there may be more. */
static int do_block(struct job *job, bool *more)
{
    struct attend_error wrong, err;
    const enum attend_status read = read_block(job, &wrong);
    const enum attend_status status = translate(job, &err);
    int code = status ? args_fail(job->command, status, &err) : print_block(job);
    for (int i = 0; i < BLOCK_LINES; i++)
        attend_request_release(&job->request[i]);
    for (int i = 0; i < job->block.count; i++)
        attend_translation_release(&job->result[i]);
    if (code == EXIT_DONE && read)
        code = args_fail(job->command, read, &wrong);
    *more = job->block.count > 0;
    return code;
}

static void say_shortcomings(const struct job *job)
{
    if (job->unseen)
        fprintf(stderr,
                "attend translate: %ld sources are longer than any in training: location attention "
                "cannot see their ends\n",
                job->unseen);
    if (job->cut_off)
        fprintf(stderr, "attend translate: %ld translations met the length limit (--max-length)\n",
                job->cut_off);
}

/* ---- The command ---- */

static int open_lexicon(struct job *job, const struct attend_options *options)
{
    const char *path = attend_options_text(options, "lexicon");
    struct attend_error err;
    job->unk_replace = attend_options_number(options, "unk-replace") > 0;
    job->lexicon_first = attend_options_number(options, "lexicon-first") > 0;
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

static int take_wishes(struct job *job, const struct attend_options *options)
{
    const char *const *ban = attend_options_list(options, "ban");
    struct attend_error err;
    job->wish.prefix = attend_options_text(options, "prefix");
    job->wish.require = attend_options_list(options, "require");
    job->wish.requires = length_of(job->wish.require);
    const enum attend_status status =
        ban ? attend_translator_ban(job->session.translator, ban, length_of(ban), &err) : ATTEND_OK;
    return status ? args_fail(job->command, status, &err) : EXIT_DONE;
}

static int run(struct job *job, const struct attend_options *options)
{
    struct attend_error err;
    int code = open_lexicon(job, options);
    if (code == EXIT_DONE)
        code = session_open(&job->session, job->command, options);
    if (code == EXIT_DONE)
        code = take_wishes(job, options);
    if (code == EXIT_DONE && job->unk_replace && !session_attends(&job->session, job->command))
        code = EXIT_FAILED;
    if (code != EXIT_DONE)
        return code;
    /* The output is opened last: nothing else that is wrong empties it. */
    const enum attend_status status =
        attend_lines_open(&job->in, attend_options_text(options, "input"), &err);
    if (status)
        return args_fail(job->command, status, &err);
    code = output_open(&job->out, &job->session, job->command, options);
    for (bool more = true; more && code == EXIT_DONE;)
        code = do_block(job, &more);
    if (code == EXIT_DONE)
        say_shortcomings(job);
    return code;
}

int cmd_translate(const struct command *command, const struct attend_options *options,
                  const char *const *operand, int count)
{
    (void)operand, (void)count;
    struct job *job = calloc(1, sizeof *job);
    if (!job)
        return args_fail(command, ATTEND_NO_MEMORY, &(struct attend_error){"out of memory"});
    job->command = command;
    job->json = attend_options_number(options, "json") > 0;
    const int code = output_close(&job->out, command, run(job, options));
    attend_lines_close(job->in);
    block_release(&job->block);
    attend_lexicon_free(job->lexicon);
    session_close(&job->session);
    free(job);
    return code;
}
