/* attend score: how probable given translations are, pair by pair or of n-best lists. */
#include "block.h"
#include "commands.h"
#include "rescore.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct job {
    const struct command *command;
    struct session session;
    struct attend_lines *source, *target;
    bool pieces, tokens, json;
    struct block source_block, target_block;
    struct attend_translation result[BLOCK_LINES];
    double total; /* log-probability of all pairs */
    long count;   /* tokens, </s> counted */
};

static bool print_json(const struct attend_translation *t)
{
    char *text = attend_translation_json(t);
    if (text)
        puts(text);
    attend_text_free(text);
    return text;
}

static bool print_line(const struct job *job, const struct attend_translation *t)
{
    char *pieces = job->tokens ? attend_translation_pieces(t) : NULL;
    if (job->tokens && !pieces)
        return false;
    printf("%.6f", t->log_probability);
    if (pieces)
        printf("\t%s%s</s>\t", pieces, *pieces ? " " : "");
    for (int i = 0; pieces && i < t->target_count; i++)
        printf("%s%.6f", i ? " " : "", (double)t->token_score[i]);
    putchar('\n');
    attend_text_free(pieces);
    return true;
}

static int print_block(struct job *job)
{
    bool good = true;
    errno = 0;
    for (int i = 0; i < job->source_block.count && good; i++) {
        const struct attend_translation *t = &job->result[i];
        good = job->json ? print_json(t) : print_line(job, t);
        job->total += t->log_probability;
        job->count += t->target_count;
    }
    return good ? args_flush(job->command, stdout)
                : args_fail(job->command, ATTEND_NO_MEMORY,
                            &(struct attend_error){"out of memory for a block of lines"});
}

/* Both files, in step. */
static enum attend_status read_pairs(struct job *job, struct attend_error *err)
{
    struct block *source = &job->source_block, *target = &job->target_block;
    enum attend_status status = block_read(source, job->source, BLOCK_LINES, err);
    if (!status)
        status = block_read(target, job->target, BLOCK_LINES, err);
    if (status || source->count == target->count)
        return status;
    const bool longer = source->count > target->count;
    snprintf(err->message, sizeof err->message,
             "%.200s has more lines than %.200s: they must pair line for line",
             attend_lines_name(longer ? job->source : job->target),
             attend_lines_name(longer ? job->target : job->source));
    return ATTEND_DATA;
}

static enum attend_status score_block(struct job *job, struct attend_error *err)
{
    struct block *source = &job->source_block, *target = &job->target_block;
    const enum attend_status status = (job->pieces ? attend_force_pieces : attend_force)(
        job->session.translator, (const char *const *)source->line,
        (const char *const *)target->line, source->count, job->result, err);
    if (status) {
        block_name_line(source, "source", attend_lines_name(job->source), NULL, err);
        block_name_line(target, "target", attend_lines_name(job->target), NULL, err);
    }
    return status;
}

/* EXIT_DONE while there may be more. */
static int do_block(struct job *job, bool *more)
{
    struct attend_error err;
    enum attend_status status = read_pairs(job, &err);
    *more = job->source_block.count > 0;
    if (!status)
        status = score_block(job, &err);
    if (status)
        return args_fail(job->command, status, &err);
    const int code = print_block(job);
    for (int i = 0; i < job->source_block.count; i++)
        attend_translation_release(&job->result[i]);
    return code;
}

static int score_pairs(struct job *job, const char *src, const char *tgt)
{
    struct attend_error err;
    int code = EXIT_DONE;
    enum attend_status status = attend_lines_open(&job->source, src, &err);
    if (!status)
        status = attend_lines_open(&job->target, tgt, &err);
    if (status)
        return args_fail(job->command, status, &err);
    for (bool more = true; more && code == EXIT_DONE;)
        code = do_block(job, &more);
    if (code == EXIT_DONE)
        fprintf(stderr, "total %.4f  tokens %ld  perplexity %.4f\n", job->total, job->count,
                job->count ? exp(-job->total / (double)job->count) : 1);
    return code;
}

static int run(struct job *job, const struct attend_options *options)
{
    const char *src, *tgt, *nbest = attend_options_text(options, "nbest");
    const bool sort = attend_options_number(options, "sort") > 0;
    if (!args_need(job->command, options, "src", &src) ||
        (!nbest && !args_need(job->command, options, "tgt", &tgt)))
        return EXIT_USAGE;
    if (nbest && (attend_options_text(options, "tgt") || job->tokens || job->json))
        return args_usage(job->command, "--nbest takes no --tgt, --tokens or --json");
    if (sort && !nbest)
        return args_usage(job->command, "--sort needs --nbest");
    const int code = session_open(&job->session, job->command, options);
    if (code != EXIT_DONE)
        return code;
    return nbest ? rescore(job->command, &(struct rescoring){job->session.translator, src, nbest,
                                                             job->pieces, sort})
                 : score_pairs(job, src, tgt);
}

int cmd_score(const struct command *command, const struct attend_options *options,
              const char *const *operand, int count)
{
    (void)operand, (void)count;
    struct job *job = calloc(1, sizeof *job);
    if (!job)
        return args_fail(command, ATTEND_NO_MEMORY, &(struct attend_error){"out of memory"});
    job->command = command;
    job->pieces = attend_options_number(options, "pieces") > 0;
    job->tokens = attend_options_number(options, "tokens") > 0;
    job->json = attend_options_number(options, "json") > 0;
    const int code = run(job, options);
    attend_lines_close(job->source);
    attend_lines_close(job->target);
    block_release(&job->source_block);
    block_release(&job->target_block);
    session_close(&job->session);
    free(job);
    return code;
}
