#include "commands.h"

#include <string.h>

#define TABLE(title, name, field)                                                                  \
    {                                                                                              \
        title, NULL, ATTEND_TABLE_##name, offsetof(struct flags, field)                            \
    }
#define ROWS(title, name)                                                                          \
    {                                                                                              \
        title, name##_flags, ATTEND_TABLES, 0                                                      \
    }

static const struct command train = {
    .name = "train",
    .summary = "train a model on pairs of lines",
    .synopsis = "",
    .run = cmd_train,
    .group = {TABLE("Text", DATA, data), TABLE("Model file and run", TRAIN, train),
              ROWS("Settings", train), TABLE("Tokens", TOKENS, data),
              TABLE("Network", NETWORK, network), TABLE("Learning", LEARNING, train),
              TABLE("Frames", FRAMES, frames)},
};
static const struct command translate = {
    .name = "translate",
    .summary = "translate lines or documents of standard input or a file, or the lines given",
    .synopsis = "[LINE]...",
    .operands = COMMAND_ANY,
    .run = cmd_translate,
    .group = {ROWS("Model", models), ROWS("Lines", lines), ROWS("Documents", document),
              TABLE("Languages", DIRECTION, search), TABLE("Search", SEARCH, search),
              TABLE("Writing by hand", WRITER, writer), TABLE("Speed", SPEED, search)},
};
static const struct command distill = {
    .name = "distill",
    .summary = "make training text of the translations of a model or an ensemble",
    .synopsis = "",
    .run = cmd_distill,
    .group = {ROWS("Model", models), TABLE("Text", DISTILL, distill),
              TABLE("Languages", DIRECTION, search), TABLE("Search", SEARCH, search),
              TABLE("Speed", SPEED, search)},
};
static const struct command score = {
    .name = "score",
    .summary = "the probability of given translations",
    .synopsis = "",
    .run = cmd_score,
    .group = {ROWS("Model", model), ROWS("Pairs", score), TABLE("Languages", DIRECTION, search),
              TABLE("Speed", SPEED, search)},
};
static const struct command align = {
    .name = "align",
    .summary = "word alignments of given pairs: make, combine and evaluate them",
    .synopsis = "",
    .run = cmd_align,
    .group = {TABLE("Pairs", ALIGN, align), TABLE("The other direction", ALIGN_BOTH, align),
              TABLE("Evaluation", ALIGN_GOLD, align), TABLE("Speed", ALIGN_SPEED, align)},
};
static const struct command eval = {
    .name = "eval",
    .summary = "evaluate a model or its output against references",
    .synopsis = "",
    .run = cmd_eval,
    .group = {ROWS("Model", eval_model), TABLE("Files", EVAL, eval), ROWS("Report", eval),
              TABLE("Metrics", METRICS, eval), TABLE("Languages", DIRECTION, search),
              TABLE("Search", SEARCH, search), TABLE("Speed", SPEED, search)},
    .without = "nbest",
};
static const struct command plot = {
    .name = "plot",
    .summary = "draw where a model looks, or how training went",
    .synopsis = "[SENTENCE [TRANSLATION]]",
    .operands = 2,
    .run = cmd_plot,
    .group = {ROWS("Model", plot_model), ROWS("Instead of one sentence", plot_file),
              ROWS("Learning curves", plot_log), ROWS("Picture", plot), ROWS("Its style", style),
              TABLE("Languages", DIRECTION, search), TABLE("Search", SEARCH, search),
              TABLE("Writing by hand", WRITER, writer), TABLE("Speed", SPEED, search)},
};
static const struct command explain = {
    .name = "explain",
    .summary = "what the model did step by step, and whether its attention mattered",
    .synopsis = "[SENTENCE [TRANSLATION]]",
    .operands = 2,
    .run = cmd_explain,
    .group = {ROWS("Model", model), ROWS("One sentence", explain), ROWS("A file", explain_file),
              ROWS("Picture", explain_output), ROWS("Its style", style),
              TABLE("Languages", DIRECTION, search), TABLE("Search", SEARCH, search),
              TABLE("Speed", SPEED, search)},
    .without = "nbest",
};
static const struct command trouble = {
    .name = "trouble",
    .summary = "sentences whose attention looks wrong: words left out, words said twice",
    .synopsis = "",
    .run = cmd_trouble,
    .group = {ROWS("Model", model), ROWS("Pairs", trouble), ROWS("Report", trouble_report),
              TABLE("Languages", DIRECTION, search), TABLE("Search", SEARCH, search),
              TABLE("Speed", SPEED, search)},
    .without = "nbest",
};
static const struct command serve = {
    .name = "serve",
    .summary = "serve models over HTTP: the LibreTranslate API, attention as data, a page",
    .synopsis = "",
    .run = cmd_serve,
    .group = {TABLE("Models", SERVE_MODELS, serve), ROWS("Settings", config),
              TABLE("Server", SERVE, serve), ROWS("Log", serve),
              TABLE("Limits", SERVE_LIMITS, serve), TABLE("Search", SEARCH, search),
              TABLE("Speed", SPEED, search)},
};
static const struct command models = {
    .name = "models",
    .summary = "list the ready models, or show the card of one",
    .synopsis = "[NAME]",
    .operands = 1,
    .run = cmd_models,
    .group = {ROWS("What to print", models_command)},
};
static const struct command info = {
    .name = "info",
    .summary = "what is in a model",
    .synopsis = "",
    .run = cmd_info,
    .group = {ROWS("Model", model), ROWS("What to print", info)},
};
static const struct command convert = {
    .name = "convert",
    .summary = "write a model in another form",
    .synopsis = "",
    .run = cmd_convert,
    .group = {ROWS("Model", model), ROWS("Conversion", convert)},
};
static const struct command export = {
    .name = "export",
    .summary = "write models as a page for browsers, which needs no server and no network",
    .synopsis = "",
    .run = cmd_export,
    .group = {ROWS("Models", export_model), ROWS("Page", export)},
};
static const struct command playground = {
    .name = "playground",
    .summary = "write a page that trains small models before your eyes, with a guided tour",
    .synopsis = "",
    .run = cmd_playground,
    .group = {ROWS("Page", playground)},
};
static const struct command bench = {
    .name = "bench",
    .summary = "how fast this machine trains, translates and multiplies",
    .synopsis = "",
    .run = cmd_bench,
    .group = {TABLE("Work", BENCH, bench), ROWS("Report", bench),
              TABLE("Network", NETWORK, network), TABLE("Search", SEARCH, search)},
    .defaults = {{"emb", "256"}, {"hidden", "512"}},
};
static const struct command completion = {
    .name = "completion",
    .summary = "print a script that completes commands and options in a shell",
    .synopsis = "bash|zsh|fish",
    .operands = 1,
    .run = cmd_completion,
};

#define ROW(name) &name,
const struct command *const commands[] = {COMMAND_LIST(ROW) NULL};
#undef ROW

const struct command *command_find(const char *name)
{
    for (const struct command *const *c = commands; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}
