#include "input.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Arguments ---- */

static bool is_standard_input(const char *const *argument, int count)
{
    return count == 0 || (count == 1 && strcmp(argument[0], "-") == 0);
}

static bool has_ending(const char *text, const char *ending)
{
    const size_t length = strlen(text), end = strlen(ending);
    return length >= end && strcmp(text + length - end, ending) == 0;
}

/* A word without dot and slash is never taken for a file, though there may be one of that name. */
static bool is_file(const char *text)
{
    struct stat info;
    return strpbrk(text, "./") && stat(text, &info) == 0 && S_ISREG(info.st_mode);
}

/* Arguments are lines to translate. Somebody who gives a file means its contents. */
static int check_argument(const struct command *command, const struct flags *flags,
                          const char *text)
{
    const bool model = has_ending(text, ".safetensors");
    if (!model && !is_file(text))
        return EXIT_DONE;
    fprintf(stderr, "attend %s: arguments are text to translate, and %.256s is a %s; ",
            command->name, text, model ? "model" : "file");
    if (model && flags->models)
        fprintf(stderr, "--model takes one file each time\n");
    else
        fprintf(stderr, "did you mean --%s %.256s?\n", model ? "model" : "input", text);
    return EXIT_USAGE;
}

int input_check(const struct command *command, const struct flags *flags,
                const char *const *argument, int count)
{
    if (is_standard_input(argument, count))
        return EXIT_DONE;
    if (flags->input)
        return args_usage(command, "give text as arguments or a file by --input, not both");
    int code = EXIT_DONE;
    for (int i = 0; i < count && code == EXIT_DONE; i++)
        code = check_argument(command, flags, argument[i]);
    return code;
}

static enum attend_status read_arguments(struct input *in, struct block *block, int most,
                                         struct attend_error *err)
{
    enum attend_status status = ATTEND_OK;
    block_cut(block, 0);
    block->first = in->taken + 1;
    while (!status && block->count < most && in->taken < in->arguments)
        status = block_add(block, in->argument[in->taken++], err);
    return status;
}

/* ---- Lines ---- */

enum attend_status input_open(struct input *in, const char *path, const char *const *argument,
                              int count, struct attend_error *err)
{
    *in = (struct input){.argument = argument, .arguments = count};
    if (!is_standard_input(argument, count))
        return ATTEND_OK;
    const bool standard = !path || strcmp(path, "-") == 0;
    in->prompts = standard && isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
    return attend_lines_open(&in->lines, path, err);
}

/* Ask for a line, unless one was typed ahead. */
static enum attend_status prompt(struct input *in, struct attend_error *err)
{
    bool ready;
    const enum attend_status status = attend_lines_ready(in->lines, 0, &ready, err);
    if (status || ready)
        return status;
    if (attend_lines_number(in->lines) == 0)
        fputs("Type a line and press Enter to translate it; Ctrl-D ends.\n", stderr);
    fputs("> ", stderr);
    fflush(stderr);
    return ATTEND_OK;
}

enum attend_status input_read(struct input *in, struct block *block, int most,
                              struct attend_error *err)
{
    if (!in->lines)
        return read_arguments(in, block, most, err);
    enum attend_status status = ATTEND_OK;
    block_cut(block, 0);
    if (in->prompts)
        status = prompt(in, err);
    if (!status)
        status = block_read(block, in->lines, most, err);
    if (in->prompts && !status && block->count == 0)
        putc('\n', stderr); /* after Ctrl-D, which leaves the cursor behind the prompt */
    return status;
}

const char *input_name(const struct input *in)
{
    return in->lines ? attend_lines_name(in->lines) : "argument";
}

void input_close(struct input *in)
{
    attend_lines_close(in->lines);
    *in = (struct input){0};
}
