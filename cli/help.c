#include "help.h"

#include "commands.h"

#include <string.h>

/* With more settings than this, --help lists only the basic ones. */
enum { MANY = 25 };
/* Columns at which the help of a setting, its choices and their help begin, and at which lines are
 * wrapped. */
enum { INDENT = 27, CHOICE_INDENT = 29, CHOICE_HELP = 44, WIDTH = 100 };

/* Print words and wrap lines. *column is the current column; new lines begin at `indent`. */
static void print_wrapped(const char *text, int *column, int indent)
{
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (*column > indent && *column + 1 + length > WIDTH)
            *column = printf("\n%*s", indent, "") - 1;
        else if (*column > indent)
            *column += printf(" ");
        *column += printf("%.*s", length, text);
        text += length + (text[length] == ' ');
    }
}

/* ---- Choices ---- */

static bool have_help(const struct attend_setting *row)
{
    for (int i = 0; row->choices(i).name; i++)
        if (row->choices(i).help)
            return true;
    return false;
}

/* Choices without help are listed after the help of the setting. */
static void print_names(const struct attend_setting *row, int *column)
{
    char name[128];
    for (int i = 0; row->choices(i).name; i++) {
        snprintf(name, sizeof name, "%s%s", row->choices(i).name,
                 row->choices(i + 1).name ? "," : "");
        print_wrapped(name, column, INDENT);
    }
}

/* Choices with help get a line each. */
static void print_meanings(const struct attend_setting *row)
{
    for (int i = 0; row->choices(i).name; i++) {
        const struct attend_choice choice = row->choices(i);
        int column = CHOICE_HELP;
        if (choice.help) {
            printf("\n%*s%-*s ", CHOICE_INDENT, "", CHOICE_HELP - CHOICE_INDENT - 1, choice.name);
            print_wrapped(choice.help, &column, CHOICE_HELP);
        } else {
            printf("\n%*s%s", CHOICE_INDENT, "", choice.name);
        }
    }
}

/* ---- Settings ---- */

/* `explained`: the choices of the last setting whose choices have a meaning, which are not
 * explained twice in a row. */
static void print_setting(const struct attend_setting_info *info,
                          struct attend_choice (**explained)(int))
{
    const struct attend_setting *row = info->row;
    const bool meanings = row->choices && have_help(row) && row->choices != *explained;
    char text[512];
    int column = INDENT;
    snprintf(text, sizeof text, "--%s%s%s", row->name, row->value ? " " : "",
             row->value ? row->value : "");
    if (strlen(text) > INDENT - 3)
        printf("  %s\n%*s", text, INDENT, "");
    else
        printf("  %-24s ", text);
    snprintf(text, sizeof text, "%s%s", row->help, row->choices && !meanings ? ":" : "");
    print_wrapped(text, &column, INDENT);
    if (row->choices && !meanings)
        print_names(row, &column);
    if (info->fallback) {
        snprintf(text, sizeof text, "(default %s)%s", info->fallback, meanings ? ":" : "");
        print_wrapped(text, &column, INDENT);
    } else if (meanings) {
        printf(":");
    }
    if (meanings) {
        print_meanings(row);
        *explained = row->choices;
    }
    printf("\n");
}

static bool is_shown(const struct command *command, const struct attend_setting_info *info,
                     bool all)
{
    return (all || info->row->basic) &&
           !(command->without && strcmp(command->without, info->row->name) == 0);
}

static int count(const struct command *command, const struct attend_settings *settings, bool all)
{
    struct attend_setting_info info;
    int shown = 0;
    for (int i = 0; attend_settings_describe(settings, i, &info); i++)
        shown += is_shown(command, &info, all);
    return shown;
}

int help_command(const struct command *command, const struct attend_settings *settings, bool all)
{
    struct attend_setting_info info;
    const char *group = NULL;
    struct attend_choice (*explained)(int) = NULL;
    const int there = count(command, settings, true);
    all = all || there <= MANY;
    printf("attend %s: %s\n\nUsage: attend %s [OPTION]...%s%s\n", command->name, command->summary,
           command->name, *command->synopsis ? " " : "", command->synopsis);
    for (int i = 0; attend_settings_describe(settings, i, &info); i++) {
        if (!is_shown(command, &info, all))
            continue;
        if (!group || strcmp(group, info.group) != 0)
            printf("\n%s:\n", info.group);
        group = info.group;
        print_setting(&info, &explained);
    }
    if (!all)
        printf("\nThese are %d of %d options; attend %s --help-all lists all of them.\n",
               count(command, settings, false), there, command->name);
    return EXIT_DONE;
}

int help_program(FILE *out)
{
    fprintf(out, "attend: sequence-to-sequence models with attention\n\nUsage: attend COMMAND "
                 "[OPTION]...\n\n");
    for (const struct command *const *c = commands; *c; c++)
        fprintf(out, "  %-12s %s\n", (*c)->name, (*c)->summary);
    fprintf(out,
            "\nattend help COMMAND explains a command; attend --version prints the version.\n");
    return out == stdout ? EXIT_DONE : EXIT_USAGE;
}
