/* Settings of the benchmarks. */
#include "attend/bench.h"
#include "model/batch.h"
#include "settings/tables.h"
#include "train/precision.h"

#define TEXT(field, name, help)                                                                    \
    ATTEND_ROW_TEXT(attend_bench_options, field, name, "FILE", help, ATTEND_LOCAL)
#define INT(field, name, fallback, low, high, help)                                                \
    ATTEND_ROW_INT(attend_bench_options, field, name, "N", fallback, low, high, help, ATTEND_PLAIN)

const struct attend_setting bench_rows[] = {
    INT(vocab, "vocab", "8000", 4, 1000000, "vocabulary size of each side"),
    INT(batch_sentences, "batch-sentences", "64", 1, 100000, "pairs in a batch"),
    INT(length, "length", "15", 1, 1000, "mean words of the random sentences"),
    INT(updates, "updates", "30", 1, 1000000, "timed updates"),
    INT(threads, "threads", "0", 0, BATCH_LANES,
        "threads; 0: one for each physical core that the process may use"),
    TEXT(src, "src",
         "train on this text instead, tokens separated by spaces; with --model, translate it"),
    TEXT(tgt, "tgt", "its translation"),
    ATTEND_ROW_FLAG(attend_bench_options, no_peak, "no-peak",
                    "skip the machine's own matrix product, and the share of it", ATTEND_PLAIN),
    ATTEND_ROW_TEXT(attend_bench_options, model, "model", "MODEL",
                    "translate --src with this model instead", ATTEND_LOCAL),
    INT(repeats, "repeats", "3", 1, 1000000, "timed passes over --src, after a partial warm-up"),
    ATTEND_ROW_CHOICE(attend_bench_options, precision, "precision", "float", precision_choice,
                      "what the products of a timed update multiply", ATTEND_PLAIN),
    {0},
};
