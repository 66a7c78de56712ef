/* The settings of explain. */
#include "api/option_rows.h"
#include "api/options.h"

const struct option_row explain_rows[] = {
    FLAG(explain_options, steps, "steps",
         "print every step of the decoder: query, scores, weights, context, likeliest words"),
    INT(explain_options, top, "top", "5", 0, 1000, "with --steps: how many of the likeliest words"),
    FLAG(explain_options, verbose, "verbose",
         "with --steps: also the first numbers of state and query"),
    TEXT(explain_options, attend, "attend", "T:J=W,...",
         "what if step T looked at source token J with weight W, both from 0? The others share the "
         "rest"),
    FLAG(explain_options, mask, "mask", "put <unk> for a source word instead of leaving it out"),
    INT(explain_options, ig_steps, "ig-steps", "32", 1, 10000,
        "points on the path of the integrated gradients"),
    FLAG(explain_options, curves, "curves",
         "how log P falls when source words are removed in the order of each ranking; also of a "
         "file"),
    FLAG(explain_options, json, "json", "print JSON"),
    {0},
};

const struct option_row explain_file_rows[] = {
    TEXT(explain_options, src, "src", "FILE",
         "how faithful is the attention over these source sentences"),
    TEXT(explain_options, tgt, "tgt", "FILE", "and their given translations, line for line?"),
    INT(explain_options, limit, "limit", "0", 0, 2147483647, "the first N pairs only; 0: all"),
    INT(explain_options, resamples, "resamples", "1000", 1, 1000000, "for the intervals"),
    {0},
};

const struct option_row explain_output_rows[] = {
    OUTPUT(
        program_options, output, "output",
        "draw attention and attributions into this .svg, .png, .pdf or .html file; with --curves, "
        "or of a file, the curves"),
    {0},
};
