/* Settings of distillation. */
#include "attend/distill.h"
#include "metric/metric.h"
#include "settings/tables.h"

#define TEXT(field, name, value, help, ...)                                                        \
    ATTEND_ROW_TEXT(attend_distill_options, field, name, value, help, __VA_ARGS__)
#define FLAG(field, name, help, ...)                                                               \
    ATTEND_ROW_FLAG(attend_distill_options, field, name, help, __VA_ARGS__)

static struct attend_choice closest_choice(int i)
{
    const char *name = metric_name(i);
    return name ? (struct attend_choice){name, metric_find(name)->help, NULL}
                : (struct attend_choice){0};
}

const struct attend_setting distill_rows[] = {
    TEXT(
        train, "train", "FILE",
        "the training pairs, columns separated by tabs, as attend train reads them; the target may "
        "be empty",
        ATTEND_LOCAL, ATTEND_BASIC),
    TEXT(train_src, "train-src", "FILE",
         "or their sources, one per line; - reads standard input; .gz and .zst work too",
         ATTEND_LOCAL, ATTEND_BASIC),
    TEXT(train_tgt, "train-tgt", "FILE", "and their targets, line for line, if there are any",
         ATTEND_LOCAL, ATTEND_BASIC),
    TEXT(output, "output", "FILE",
         "the table of sources and translations for attend train --train; until it is complete, it "
         "is FILE.part, and the same command continues it",
         ATTEND_LOCAL, ATTEND_BASIC, ATTEND_WRITES),
    FLAG(overwrite, "overwrite", "replace an output that is already there, and start again",
         ATTEND_LOCAL),
    ATTEND_ROW_CHOICE(
        attend_distill_options, closest, "closest", NULL, closest_choice,
        "keep only the one of the --nbest translations that this metric finds closest "
        "to the given target",
        ATTEND_PLAIN),
    FLAG(keep, "keep", "write the given pairs too", ATTEND_BASIC),
    TEXT(
        columns, "columns", "NAMES",
        "what the columns of --train are: src, tgt, names of others, _ to skip one; with --header, "
        "the names of the source and the target column (default src,tgt)",
        ATTEND_LOCAL),
    FLAG(header, "header", "the first line names the columns", ATTEND_LOCAL),
    TEXT(features, "features", "NAME", "the column of features, as in training", ATTEND_LOCAL),
    TEXT(language_columns, "language-columns", "A,B",
         "the columns with the codes of the source's and the target's language, as in training",
         ATTEND_LOCAL),
    TEXT(source_lang, "source-lang", "CODE",
         "language of the source, if it has no column and the target has one", ATTEND_LOCAL),
    TEXT(target_lang, "target-lang", "CODE", "language of the target, likewise", ATTEND_LOCAL),
    FLAG(skip_broken, "skip-broken",
         "skip lines that are not UTF-8, contain NUL, lack a column or have over 1 MiB, instead of "
         "stopping",
         ATTEND_LOCAL),
    {0},
};
