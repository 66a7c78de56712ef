/* attend completion: prints a completion script for a shell, made from the tables of commands and
 * settings. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

/* ---- What the shells share ---- */

/* Call `each` for every setting of a command. */
static bool walk(const struct command *command,
                 void (*each)(const struct command *, const struct attend_setting *))
{
    struct flags flags;
    struct attend_setting_info info;
    struct attend_settings *settings = args_settings(command, &flags);
    for (int i = 0; settings && attend_settings_describe(settings, i, &info); i++)
        if (!command->without || strcmp(command->without, info.row->name) != 0)
            each(command, info.row);
    attend_settings_free(settings);
    return settings;
}

static bool walk_all(void (*each)(const struct command *, const struct attend_setting *))
{
    bool good = true;
    for (const struct command *const *c = commands; *c && good; c++)
        good = walk(*c, each);
    return good;
}

static void print_names(const struct attend_setting *row)
{
    for (int i = 0; row->choices(i).name; i++)
        printf("%s%s", i ? " " : "", row->choices(i).name);
}

static bool is_model(const struct attend_setting *row)
{
    return row->value && strcmp(row->value, "MODEL") == 0;
}

static bool is_file(const struct attend_setting *row)
{
    return is_model(row) || (row->value && strcmp(row->value, "FILE") == 0);
}

/* Prints the names of the ready models, when the user asks for them: folders change. */
#define MODELS "attend models --names 2>/dev/null"

static void print_commands(void)
{
    for (const struct command *const *c = commands; *c; c++)
        printf("%s%s", c == commands ? "" : " ", (*c)->name);
}

/* The words after `attend completion`, and what every command takes besides its settings. */
#define SHELLS "bash zsh fish"
#define HELP "explain the options needed first"
#define HELP_ALL "explain all options"

/* Print a text in single quotes. All three shells read '\'' as a quote inside. */
static void print_quoted(const char *text)
{
    putchar('\'');
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    putchar('\'');
}

/* ---- bash ---- */

static void bash_flag(const struct command *command, const struct attend_setting *row)
{
    (void)command;
    printf(" --%s", row->name);
}

static void bash_values(const struct command *command, const struct attend_setting *row)
{
    if (is_model(row))
        printf("    %s:--%s) models=yes ;;\n", command->name, row->name);
    if (!row->choices)
        return;
    printf("    %s:--%s) words='", command->name, row->name);
    print_names(row);
    puts("' ;;");
}

static bool bash(void)
{
    puts("# Completion of attend for bash: eval \"$(attend completion bash)\"\n"
         "_attend() {\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} "
         "command=${COMP_WORDS[1]} words= models=\n"
         "    if [ \"$COMP_CWORD\" = 1 ]; then");
    printf("        words='help ");
    print_commands();
    puts("'\n        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n        return\n    fi\n"
         "    case $command:$before in");
    puts("    completion:completion) words='" SHELLS "' ;;");
    puts("    models:models) words=$(" MODELS ") ;;");
    printf("    help:help) words='");
    print_commands();
    puts("' ;;");
    bool good = walk_all(bash_values);
    puts("    esac\n    if [ -z \"$words\" ] && [[ $word == -* ]]; then\n        case $command in");
    for (const struct command *const *c = commands; *c && good; c++) {
        printf("        %s) words='--help --help-all", (*c)->name);
        good = walk(*c, bash_flag);
        puts("' ;;");
    }
    puts("        esac\n    fi\n"
         "    if [ -n \"$models\" ]; then\n"
         "        COMPREPLY=($(compgen -f -- \"$word\") $(compgen -W \"$(" MODELS
         ")\" -- \"$word\"))\n"
         "    elif [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "    else COMPREPLY=($(compgen -f -- \"$word\")); fi\n}\n"
         "complete -o filenames -F _attend attend");
    return good;
}

/* ---- zsh ---- */

/* Brackets, colons and backslashes are special in the descriptions of zsh. */
static void print_zsh_text(const char *text)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            putchar('\\');
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
}

static void zsh_flag(const struct command *command, const struct attend_setting *row)
{
    (void)command;
    printf("            '%s--%s%s[", row->kind == ATTEND_SETTING_LIST ? "*" : "", row->name,
           row->value ? "=" : "");
    print_zsh_text(row->help);
    printf("]");
    if (row->choices) {
        printf(":%s:(", row->value);
        print_names(row);
        printf(")");
    } else if (row->value) {
        printf(":%s:%s", row->value,
               is_model(row)  ? "_attend_models"
               : is_file(row) ? "_files"
                              : "");
    }
    puts("' \\");
}

static const char *zsh_operands(const char *command)
{
    if (strcmp(command, "completion") == 0)
        return "1:shell:(" SHELLS ")";
    return strcmp(command, "models") == 0 ? "1:model:_attend_models" : "*:file:_files";
}

static bool zsh(void)
{
    bool good = true;
    puts("#compdef attend\n# Completion of attend for zsh: attend completion zsh > a folder of "
         "$fpath, as _attend\n_attend_models() {\n"
         "    local -a models=(${(f)\"$(" MODELS ")\"})\n"
         "    _alternative 'models:ready model:compadd -a models' 'files:file:_files'\n}\n"
         "_attend() {\n    local -a commands=(");
    for (const struct command *const *c = commands; *c; c++) {
        printf("        '%s:", (*c)->name);
        print_zsh_text((*c)->summary);
        puts("'");
    }
    puts("        'help:explain a command'");
    puts("    )\n    if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
         "    local command=$words[2]\n    shift words; (( CURRENT-- ))\n    case $command in");
    for (const struct command *const *c = commands; *c && good; c++) {
        printf("    %s)\n        _arguments \\\n", (*c)->name);
        good = walk(*c, zsh_flag);
        printf("            '--help[" HELP "]' '--help-all[" HELP_ALL "]' \\\n            '%s'\n",
               zsh_operands((*c)->name));
        puts("        ;;");
    }
    puts("    help) _describe command commands ;;");
    puts("    esac\n}\nif [ \"$funcstack[1]\" = _attend ]; then _attend \"$@\"; else compdef "
         "_attend "
         "attend; fi");
    return good;
}

/* ---- fish ---- */

static void fish_flag(const struct command *command, const struct attend_setting *row)
{
    printf("complete -c attend -n '__fish_seen_subcommand_from %s' -l %s -d ", command->name,
           row->name);
    print_quoted(row->help);
    if (row->choices) {
        printf(" -x -a '");
        print_names(row);
        printf("'");
    } else if (is_model(row)) {
        printf(" -r -F -a '(" MODELS ")'");
    } else if (row->value) {
        printf(is_file(row) ? " -r" : " -x");
    }
    puts(strcmp(row->name, "model") == 0 ? " -s m" : "");
}

static bool fish(void)
{
    puts("# Completion of attend for fish: attend completion fish | source\ncomplete -c attend -n "
         "__fish_use_subcommand -f");
    for (const struct command *const *c = commands; *c; c++) {
        printf("complete -c attend -n __fish_use_subcommand -f -a %s -d ", (*c)->name);
        print_quoted((*c)->summary);
        printf("\ncomplete -c attend -n '__fish_seen_subcommand_from %s' -l help -d '" HELP "'\n"
               "complete -c attend -n '__fish_seen_subcommand_from %s' -l help-all -d '" HELP_ALL
               "'\n",
               (*c)->name, (*c)->name);
    }
    puts("complete -c attend -n __fish_use_subcommand -f -a help -d 'explain a command'\n"
         "complete -c attend -n '__fish_seen_subcommand_from completion' -f -a '" SHELLS "'");
    puts("complete -c attend -n '__fish_seen_subcommand_from models' -f -a '(" MODELS ")'");
    printf("complete -c attend -n '__fish_seen_subcommand_from help' -f -a '");
    print_commands();
    puts("'");
    return walk_all(fish_flag);
}

/* ---- The command ---- */

int cmd_completion(const struct command *command, const struct flags *flags,
                   const char *const *operand, int count)
{
    static const struct {
        const char *name;
        bool (*print)(void);
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    const struct attend_error err = {.message = "out of memory for settings"};
    (void)flags;
    for (size_t i = 0; count == 1 && i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].name, operand[0]) == 0)
            return shells[i].print() ? EXIT_DONE : args_fail(command, ATTEND_NO_MEMORY, &err);
    return args_usage(command, "name a shell: bash, zsh or fish");
}
