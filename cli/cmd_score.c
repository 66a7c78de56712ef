/* attend score: the log-probability of given translations, as pairs or in n-best lists. */
#include "commands.h"
#include "given_ink.h"
#include "pairs.h"
#include "rescore.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct scoring {
    const struct command *command;
    struct session session;
    struct pairs pairs;
    bool tokens, json;
    struct attend_translation result[BLOCK_LINES];
    double total; /* log-probability of all pairs */
    long count;   /* tokens with </s> */
};

static bool print_json(const struct attend_translation *t)
{
    char *text = attend_translation_json(t);
    if (text)
        puts(text);
    attend_text_free(text);
    return text;
}

static bool print_line(const struct scoring *job, const struct attend_translation *t)
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

static int print_block(struct scoring *job)
{
    bool good = true;
    errno = 0;
    for (int i = 0; i < job->pairs.source_block.count && good; i++) {
        const struct attend_translation *t = &job->result[i];
        good = job->json ? print_json(t) : print_line(job, t);
        job->total += t->log_probability;
        job->count += t->target_count;
    }
    return good
               ? args_flush(job->command, stdout)
               : args_fail(job->command, ATTEND_NO_MEMORY,
                           &(struct attend_error){.message = "out of memory for a block of lines"});
}

/* Score the next block. *more is false at the end of the files. */
static int do_block(struct scoring *job, bool *more)
{
    struct attend_error err;
    const int most = job->session.reader ? BLOCK_FILES : BLOCK_LINES;
    enum attend_status status = pairs_read(&job->pairs, most, &err);
    *more = job->pairs.source_block.count > 0;
    if (!status)
        status = pairs_run(&job->pairs, job->session.translator, job->result, &err);
    if (status)
        return args_fail(job->command, status, &err);
    const int code = print_block(job);
    for (int i = 0; i < job->pairs.source_block.count; i++)
        attend_translation_release(&job->result[i]);
    return code;
}

static int score_pairs(struct scoring *job, const char *src, const char *tgt, bool pieces)
{
    struct attend_error err;
    int code = EXIT_DONE;
    const enum attend_status status = pairs_open(&job->pairs, src, tgt, &err);
    job->pairs.pieces = pieces;
    if (status)
        return args_fail(job->command, status, &err);
    for (bool more = true; more && code == EXIT_DONE;)
        code = do_block(job, &more);
    if (code == EXIT_DONE)
        fprintf(stderr, "total %.4f  tokens %ld  perplexity %.4f\n", job->total, job->count,
                job->count ? exp(-job->total / (double)job->count) : 1);
    return code;
}

/* With a model that writes by hand, the target is paths of ink. */
static int score_ink(struct scoring *job, const struct flags *flags)
{
    struct attend_error err;
    if (flags->nbest_file || job->session.models > 1)
        return args_usage(job->command, "a model that writes by hand scores ink alone: --src TEXT "
                                        "--tgt PATHS, one --model and no --nbest");
    const enum attend_status status = pairs_open(&job->pairs, flags->src, flags->tgt, &err);
    return status ? args_fail(job->command, status, &err)
                  : given_ink_score(job->command, flags, job->session.model[0], &job->pairs);
}

static int run(struct scoring *job, const struct flags *flags)
{
    const char *src = flags->src, *tgt = flags->tgt, *nbest = flags->nbest_file;
    const bool sort = flags->sort;
    const bool pieces = flags->pieces;
    if (!args_need(job->command, src, "src") || (!nbest && !args_need(job->command, tgt, "tgt")))
        return EXIT_USAGE;
    if (nbest && (tgt || job->tokens || job->json))
        return args_usage(job->command, "--nbest does not go with --tgt, --tokens or --json");
    if (sort && !nbest)
        return args_usage(job->command, "--sort needs --nbest");
    int code = session_models(&job->session, job->command, flags);
    if (code == EXIT_DONE && attend_model_writes(job->session.model[0]))
        return score_ink(job, flags);
    if (code == EXIT_DONE)
        code = session_start(&job->session, job->command, flags);
    if (code == EXIT_DONE)
        code = session_point(&job->session, job->command);
    if (code != EXIT_DONE)
        return code;
    return nbest ? rescore(job->command,
                           &(struct rescoring){job->session.translator, src, nbest, pieces, sort})
                 : score_pairs(job, src, tgt, pieces);
}

int cmd_score(const struct command *command, const struct flags *flags, const char *const *operand,
              int count)
{
    (void)operand, (void)count;
    struct scoring *job = calloc(1, sizeof *job);
    if (!job)
        return args_fail(command, ATTEND_NO_MEMORY,
                         &(struct attend_error){.message = "out of memory"});
    job->command = command;
    job->tokens = flags->tokens;
    job->json = flags->json;
    const int code = run(job, flags);
    pairs_close(&job->pairs);
    session_close(&job->session);
    free(job);
    return code;
}
