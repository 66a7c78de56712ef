/* attend align: attention of given pairs as word alignments, or their error rate against gold ones.
 */
#include "commands.h"
#include "session.h"

#include <attend/eval.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A whole file. */
struct text {
    char **line;
    int count;
};

static void text_release(struct text *t)
{
    free_lines(t->line, t->count);
    free(t->line);
}

static bool text_read(struct text *t, const char *path)
{
    enum { BLOCK = 4096 };
    FILE *file = fopen(path, "rb");
    bool good = file;
    for (int got = BLOCK; good && got == BLOCK; t->count += got) {
        char **more = realloc(t->line, ((size_t)t->count + BLOCK) * sizeof *more);
        good = more;
        got = 0;
        if (more) {
            t->line = more;
            good = read_lines(file, t->line + t->count, BLOCK, &got, t->count == 0);
        }
    }
    if (!good)
        fprintf(stderr, "attend align: %s: cannot be read%s%s\n", path, file ? "" : ": ",
                file ? "" : strerror(errno));
    if (file)
        fclose(file);
    return good;
}

static int print_links(char **links, int count)
{
    for (int i = 0; i < count; i++)
        puts(links[i]);
    return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
}

static int print_error_rate(const struct command *command, char **links, int count,
                            const char *gold, int base)
{
    struct attend_aer aer;
    struct attend_error err;
    const enum attend_status status =
        attend_eval_aer((const char *const *)links, count, gold, base, &aer, &err);
    if (status)
        return args_fail(command, status, &err);
    printf("AER %.2f%%  precision %.2f%%  recall %.2f%%  (%ld links)\n", 100 * aer.rate,
           100 * aer.precision, 100 * aer.recall, aer.links);
    return EXIT_DONE;
}

/* Links of every pair, or NULL after saying why not. */
static char **align(const struct command *command, struct session *session,
                    const struct text *source, const struct text *target)
{
    struct attend_error err;
    const int count = source->count;
    struct attend_translation *result = calloc((size_t)count + 1, sizeof *result);
    char **links = calloc((size_t)count + 1, sizeof *links);
    enum attend_status status = ATTEND_NO_MEMORY;
    snprintf(err.message, sizeof err.message, "out of memory for %d pairs", count);
    if (result && links)
        status = attend_force(session->translator, (const char *const *)source->line,
                              (const char *const *)target->line, count, result, &err);
    for (int i = 0; i < count && !status; i++) {
        links[i] = attend_translation_links(&result[i]);
        if (!links[i])
            status = ATTEND_NO_MEMORY;
    }
    for (int i = 0; result && i < count; i++)
        attend_translation_release(&result[i]);
    free(result);
    if (status) {
        args_fail(command, status, &err);
        for (int i = 0; links && i < count; i++)
            attend_text_free(links[i]);
        free(links);
        return NULL;
    }
    return links;
}

static int align_files(const struct command *command, const struct attend_options *options,
                       struct session *session, const struct text *source,
                       const struct text *target)
{
    const char *gold = attend_options_text(options, "gold");
    if (source->count != target->count) {
        fprintf(stderr,
                "attend align: --src has %d lines and --tgt has %d: they must pair line for line\n",
                source->count, target->count);
        return EXIT_FAILED;
    }
    char **links = align(command, session, source, target);
    if (!links)
        return EXIT_FAILED;
    const int code = gold ? print_error_rate(command, links, source->count, gold,
                                             (int)attend_options_number(options, "gold-base"))
                          : print_links(links, source->count);
    for (int i = 0; i < source->count; i++)
        attend_text_free(links[i]);
    free(links);
    return code;
}

int cmd_align(const struct command *command, const struct attend_options *options,
              const char *const *operand, int count)
{
    (void)operand, (void)count;
    const char *src, *tgt;
    struct session session;
    struct text source = {0}, target = {0};
    if (!args_need(command, options, "src", &src) || !args_need(command, options, "tgt", &tgt))
        return EXIT_USAGE;
    int code = session_open(&session, command, options);
    if (code == EXIT_DONE && !session_attends(&session, command))
        code = EXIT_FAILED;
    if (code == EXIT_DONE)
        code = text_read(&source, src) && text_read(&target, tgt)
                   ? align_files(command, options, &session, &source, &target)
                   : EXIT_FAILED;
    text_release(&source);
    text_release(&target);
    session_close(&session);
    return code;
}
