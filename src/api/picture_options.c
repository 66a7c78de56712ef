/* The settings of commands that show attention: plot and trouble, and how their pictures look. */
#include "api/option_rows.h"
#include "api/options.h"
#include "attend/plot.h"

static const char *switch_name(int i)
{
    return (const char *const[]){"auto", "always", "never", NULL}[i];
}
static const char *format_name(int i)
{
    return (const char *const[]){"svg", "png", "pdf", NULL}[i];
}
static const char *scale_name(int i) { return attend_scale_names()[i]; }
static const char *view_name(int i)
{
    return (const char *const[]){"heatmap", "links", "salience", NULL}[i];
}

const struct option_row plot_model_rows[] = {
    {.name = "model",
     .kind = OPTION_LIST,
     .offset = offsetof(struct program_options, models),
     .value = "FILE",
     .help = "the trained model; again for several, a panel each",
     .local = true},
    FLAG(program_options, each_head, "each-head", "a panel for each head instead of their mean"),
    FLAG(program_options, words, "words", "show attention between words, not between their pieces"),
    {0},
};

const struct option_row plot_file_rows[] = {
    TEXT(program_options, src, "src", "FILE",
         "sentences of a file instead of one, a picture each; -: standard input; .gz and .zst too"),
    TEXT(program_options, tgt, "tgt", "FILE", "their given translations, line for line"),
    TEXT(program_options, matrix, "matrix", "FILE",
         "matrices from a file instead of a model's, as attend translate --alignment json or soft "
         "writes them; -: standard input; weights over 1 are shown by the largest of their "
         "matrix"),
    INT(program_options, limit, "limit", "0", 0, 1000000000, "draw the first N only; 0: all"),
    {0},
};

const struct option_row trouble_rows[] = {
    TEXT(program_options, src, "src", "FILE",
         "source sentences; -: standard input; .gz and .zst too"),
    TEXT(program_options, tgt, "tgt", "FILE",
         "their given translations, line for line; without them the model translates"),
    TEXT(program_options, matrix, "matrix", "FILE",
         "matrices from a file instead of a model's, as attend translate --alignment json or soft "
         "writes them; -: standard input"),
    FLAG(program_options, pieces, "pieces", "report the model's pieces; without it, words"),
    {0},
};

#define SHARE(field, flag, text, what)                                                             \
    {                                                                                              \
        .name = flag, .kind = OPTION_REAL, .offset = offsetof(struct program_options, field),      \
        .fallback = text, .max = 1000, .value = "X", .help = what                                  \
    }
const struct option_row trouble_report_rows[] = {
    INT(program_options, limit, "limit", "20", 0, 1000000000,
        "print the N sentences with the most trouble; 0: all"),
    SHARE(missed, "missed", "0.2", "a source word whose weights sum to less was left out"),
    SHARE(crowded, "crowded", "2",
          "one with more than X times its share of the target's words was said too often"),
    FLAG(program_options, json, "json", "print JSON lines"),
    {0},
};

const struct option_row plot_log_rows[] = {
    LIST(program_options, log, "log", "FILE",
         "draw the training log's losses and scores instead; again for more runs"),
    {0},
};

const struct option_row plot_rows[] = {
    OUTPUT(program_options, output, "output",
           "draw into this .svg, .png, .pdf or .html file instead of the terminal; FOLDER/: a file "
           "for each sentence, named by its line"),
    CHOICE(program_options, format, "format", NULL, format_name,
           "of the files in a folder (without it svg)"),
    CHOICE(program_options, color, "color", "auto", switch_name,
           "24-bit colour in the terminal; auto: when it is one that says it can"),
    {0},
};

const struct option_row look_rows[] = {
    TEXT(program_options, title, "title", "TEXT", "heading of the picture"),
    CHOICE(program_options, view, "view", "heatmap", view_name,
           "a matrix, lines between two rows of words, or what each source word counts in all"),
    CHOICE(program_options, values, "values", "auto", switch_name,
           "numbers in cells; auto: in small matrices"),
    CHOICE(program_options, scale, "scale", NULL, scale_name, "colours of weights"),
    FLAG(program_options, dark, "dark", "light on dark"),
    {0},
};
