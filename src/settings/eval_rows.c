/* Settings of evaluation. */
#include "attend/eval.h"
#include "metric/bleu.h"
#include "metric/metric.h"
#include "metric/words.h"
#include "settings/tables.h"

#define TEXT(field, name, help, more)                                                              \
    ATTEND_ROW_TEXT(attend_eval_options, field, name, "FILE", help, ATTEND_LOCAL, more)
#define FLAG(field, name, help)                                                                    \
    ATTEND_ROW_FLAG(attend_eval_options, field, name, help, ATTEND_PLAIN)
#define INT(field, name, fallback, low, high, help)                                                \
    ATTEND_ROW_INT(attend_eval_options, field, name, "N", fallback, low, high, help, ATTEND_PLAIN)

const struct attend_setting eval_rows[] = {
    TEXT(hyp, "hyp", "output to evaluate; without it and without --model, standard input",
         ATTEND_BASIC),
    ATTEND_ROW_LIST(attend_eval_options, ref, "ref", "FILE",
                    "the reference, line for line; repeat it for more references", ATTEND_BASIC),
    TEXT(answers, "answers",
         "or, in the same order, `item<TAB>answer` lines; further accepted answers follow after "
         "tabs or on lines of their own",
         ATTEND_PLAIN),
    TEXT(compare, "compare", "another system's output: is the difference significant?",
         ATTEND_PLAIN),
    INT(by_length, "by-length", "0", 0, 1000000,
        "print a table of lines grouped by the number of source words, N in a group; 0: off"),
    TEXT(src, "src", "with --model or --by-length: the source sentences, line for line",
         ATTEND_BASIC),
    TEXT(test, "test",
         "with --model: a table of sources and references instead, columns separated by tabs; "
         "adjacent lines with the same source are accepted answers",
         ATTEND_BASIC),
    ATTEND_ROW_TEXT(attend_eval_options, columns, "columns", "NAMES",
                    "what the columns of --test are, as in attend train (default src,tgt)",
                    ATTEND_LOCAL, ATTEND_PLAIN),
    FLAG(header, "header", "the first line of --test names its columns"),
    ATTEND_ROW_TEXT(attend_eval_options, features, "features", "NAME",
                    "the column of --test with features, as in attend train", ATTEND_LOCAL,
                    ATTEND_PLAIN),
    {0},
};

static const struct attend_choice symbol_kinds[] = {
    {"auto", "tokens if most references have several; otherwise characters", NULL},
    {"tokens", "what stands between blanks: words, phones", NULL},
    {"characters", "a letter with its marks is one character", NULL},
    {0},
};
static struct attend_choice symbol_choice(int i) { return symbol_kinds[i]; }

static struct attend_choice metric_choice(int i)
{
    const char *name = metric_name(i);
    return name ? (struct attend_choice){name, metric_find(name)->help, NULL}
                : (struct attend_choice){0};
}
static struct attend_choice words_choice(int i)
{
    return (struct attend_choice){.name = words_name(i)};
}
static struct attend_choice smoothing_choice(int i)
{
    return (struct attend_choice){.name = bleu_smoothing_name(i)};
}

const struct attend_setting metric_rows[] = {
    ATTEND_ROW_(attend_eval_options, metric, "metric", TEXT, .value = "LIST",
                .fallback = "accuracy", .choices = metric_choice,
                .help = "what to measure, separated by commas", ATTEND_BASIC),
    ATTEND_ROW_CHOICE(
        attend_eval_options, tokenize, "tokenize", NULL, words_choice,
        "how bleu finds words (default 13a); with char, ser and rouge count characters",
        ATTEND_PLAIN),
    ATTEND_ROW_CHOICE(attend_eval_options, symbols, "symbols", "auto", symbol_choice,
                      "what --errors and --confusions compare", ATTEND_PLAIN),
    FLAG(lowercase, "lowercase", "ignore case (ter and rouge always do)"),
    ATTEND_ROW_CHOICE(attend_eval_options, smooth, "smooth", "exp", smoothing_choice,
                      "how bleu smooths n-grams that never match", ATTEND_PLAIN),
    FLAG(every_order, "every-order",
         "chrf as in its authors' script: the mean of the F scores of all orders"),
    FLAG(confidence, "confidence", "add 95% confidence intervals, by bootstrap"),
    INT(resamples, "resamples", "1000", 1, 1000000, "resamples for --confidence and --compare"),
    INT(seed, "seed", "12345", 0, 2147483647, "seed of the resamples and of --sample"),
    {0},
};
