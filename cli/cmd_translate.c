/* attend translate: lines in, lines out, in the same order, in blocks so that memory stays bounded.
 */
#include "commands.h"
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lines read before the next are written. A person typing gets an answer for each line. */
enum { BLOCK = 2048 };

struct job {
    const struct command *command;
    const struct attend_options *options;
    struct session session;
    FILE *in, *out;
    bool scores, hard;
    long line;    /* number of the first line of the block, from 1 */
    long cut_off; /* translations that met the length limit */
    long unseen;  /* sources longer than location attention can look */
};

static bool print(const struct job *job, const struct attend_translation *t)
{
    fputs(t->text, job->out);
    if (job->scores)
        fprintf(job->out, "\t%.6f\t%.6f", t->score, t->log_probability);
    if (job->hard) {
        char *links = attend_translation_links(t);
        if (!links)
            return false;
        fprintf(job->out, " ||| %s", links);
        attend_text_free(links);
    }
    putc('\n', job->out);
    return true;
}

static int print_block(struct job *job, struct attend_translation *result, int count)
{
    bool good = true;
    for (int i = 0; i < count; i++) {
        good = good && print(job, &result[i]);
        job->cut_off += !result[i].complete;
        job->unseen += result[i].unseen > 0;
        attend_translation_release(&result[i]);
    }
    if (good && fflush(job->out) == 0)
        return EXIT_DONE;
    fprintf(stderr, "attend translate: the output cannot be written: %s\n", strerror(errno));
    return EXIT_FAILED;
}

/* The library counts lines within the block; the user wants them within the file. */
static int report_failure(const struct job *job, enum attend_status status,
                          struct attend_error *err)
{
    const char *name = attend_options_text(job->options, "input");
    int line, used = 0;
    if (sscanf(err->message, "input:%d%n", &line, &used) == 1 && used) {
        struct attend_error moved;
        snprintf(moved.message, sizeof moved.message, "%s:%ld%.400s",
                 name ? name : "standard input", job->line + line - 1, err->message + used);
        *err = moved;
    }
    return args_fail(job->command, status, err);
}

static int translate_blocks(struct job *job)
{
    static char *line[BLOCK];
    static struct attend_translation result[BLOCK];
    const int most = isatty(fileno(job->in)) ? 1 : BLOCK;
    int code = EXIT_DONE, count = 1;
    for (job->line = 1; code == EXIT_DONE && count; job->line += count) {
        struct attend_error err;
        if (!read_lines(job->in, line, most, &count, job->line == 1)) {
            fprintf(stderr,
                    "attend translate: line %ld of the input holds a NUL byte or cannot be read\n",
                    job->line + count);
            code = EXIT_FAILED;
        }
        const enum attend_status status = attend_translate(
            job->session.translator, (const char *const *)line, count, result, &err);
        if (status)
            code = report_failure(job, status, &err);
        else
            code = print_block(job, result, count) ? EXIT_FAILED : code;
        free_lines(line, count);
    }
    return code;
}

static FILE *open_or_say(const char *path, const char *mode, FILE *otherwise)
{
    FILE *file = path ? fopen(path, mode) : otherwise;
    if (!file)
        fprintf(stderr, "attend translate: %s: cannot be opened: %s\n", path, strerror(errno));
    return file;
}

int cmd_translate(const struct command *command, const struct attend_options *options,
                  const char *const *operand, int count)
{
    (void)operand, (void)count;
    struct job job = {.command = command,
                      .options = options,
                      .scores = attend_options_number(options, "scores") > 0,
                      .hard = strcmp(attend_options_text(options, "alignment"), "hard") == 0};
    int code = session_open(&job.session, command, options);
    if (code == EXIT_DONE && job.hard && !session_attends(&job.session, command))
        code = EXIT_FAILED;
    if (code == EXIT_DONE) {
        job.in = open_or_say(attend_options_text(options, "input"), "rb", stdin);
        job.out = job.in ? open_or_say(attend_options_text(options, "output"), "wb", stdout) : NULL;
        code = job.in && job.out ? translate_blocks(&job) : EXIT_FAILED;
    }
    if (job.unseen)
        fprintf(stderr,
                "attend translate: %ld sources are longer than any in training: location attention "
                "cannot see "
                "their ends\n",
                job.unseen);
    if (job.cut_off)
        fprintf(stderr, "attend translate: %ld translations met the length limit (--max-length)\n",
                job.cut_off);
    if (job.in && job.in != stdin)
        fclose(job.in);
    if (job.out && job.out != stdout && fclose(job.out) && code == EXIT_DONE) {
        fprintf(stderr, "attend translate: the output cannot be written: %s\n", strerror(errno));
        code = EXIT_FAILED;
    }
    session_close(&job.session);
    return code;
}
