#include "flags.h"

#include "document.h"

#include <attend/plot.h>

#define TEXT(field, name, value, help, ...)                                                        \
    ATTEND_ROW_TEXT(flags, field, name, value, help, ATTEND_LOCAL, __VA_ARGS__)
#define FLAG(field, name, help, more) ATTEND_ROW_FLAG(flags, field, name, help, more)
#define LIST(field, name, value, help, more) ATTEND_ROW_LIST(flags, field, name, value, help, more)
#define INT(field, name, fallback, low, high, help, more)                                          \
    ATTEND_ROW_INT(flags, field, name, "N", fallback, low, high, help, more)
#define REAL(field, name, fallback, low, high, help)                                               \
    ATTEND_ROW_REAL(flags, field, name, "X", fallback, low, high, help, ATTEND_PLAIN)
#define CHOICE(field, name, fallback, names, help, more)                                           \
    ATTEND_ROW_CHOICE(flags, field, name, fallback, names, help, more)

#define CONFIG                                                                                     \
    TEXT(config, "config", "FILE", "read settings from a YAML file, `name: value`; flags win",     \
         ATTEND_BASIC)

/* ---- Training ---- */

const struct attend_setting train_flags[] = {
    CHOICE(preset, "preset", NULL, attend_preset, "sizes for what is not set otherwise",
           ATTEND_BASIC),
    CONFIG,
    {0},
};

/* ---- Models ---- */

#define MODEL_HELP "the model: a file, or the name of a ready model (attend models)"

const struct attend_setting model_flags[] = {
    TEXT(model, "model", "MODEL", MODEL_HELP, ATTEND_BASIC),
    {0},
};
const struct attend_setting models_flags[] = {
    LIST(models, "model", "MODEL", MODEL_HELP "; repeat it for an ensemble", ATTEND_BASIC),
    {0},
};

/* ---- Translating ---- */

static const struct attend_choice alignments[] = {
    {"none", "no attention", NULL},
    {"hard", "add ' ||| ' and for each target word the source word with the most attention", NULL},
    {"soft", "a matrix, as Nematus writes it, instead of the line", NULL},
    {"json", "a JSON object instead of the line", NULL},
    {0},
};
static struct attend_choice alignment_choice(int i) { return alignments[i]; }

const struct attend_setting lines_flags[] = {
    TEXT(input, "input", "FILE", "read from here instead of standard input; .gz and .zst work too",
         ATTEND_BASIC),
    TEXT(output, "output", "FILE", "write here instead of standard output", .basic = true,
         .writes = true),
    FLAG(scores, "scores", "add a tab, the score, a tab and the log-probability to each line",
         ATTEND_BASIC),
    FLAG(probabilities, "probabilities",
         "add the probability, the confidence, and the probability of each word; with --nbest the "
         "share of each",
         ATTEND_BASIC),
    REAL(mass, "mass", "1", 0, 1,
         "with --nbest: only the first hypotheses that have this share together"),
    CHOICE(alignment, "alignment", "none", alignment_choice, "show the attention", ATTEND_BASIC),
    FLAG(words, "words", "show attention between words, not between their pieces", ATTEND_BASIC),
    FLAG(pieces, "pieces",
         "write the pieces instead of the text, separated by spaces, a blank as U+2581",
         ATTEND_PLAIN),
    FLAG(json, "json",
         "read lines of {\"source\":\"...\"} and write lines as --alignment json does",
         ATTEND_BASIC),
    FLAG(unk_replace, "unk-replace",
         "replace an unknown word in the output by the source word with the most attention",
         ATTEND_BASIC),
    TEXT(prefix, "prefix", "TEXT",
         "every translation starts with this; with --json, those without a \"prefix\" of their "
         "own",
         ATTEND_PLAIN),
    LIST(require, "require", "TEXT",
         "every translation contains this phrase; repeat it for more; with --json, \"require\"",
         ATTEND_PLAIN),
    LIST(ban, "ban", "TEXT",
         "no translation contains this phrase; repeat it for more; with subwords, this also "
         "bans longer words that start with it",
         ATTEND_PLAIN),
    TEXT(lexicon, "lexicon", "FILE", "translations for --unk-replace, as `source<TAB>target` lines",
         ATTEND_PLAIN),
    FLAG(lexicon_first, "lexicon-first", "answer a whole line from the lexicon if it is there",
         ATTEND_PLAIN),
    FLAG(strict, "strict", "stop at a line with words that the model does not know", ATTEND_PLAIN),
    CHOICE(tags, "tags", "none", tags_choice,
           "what travels with the words that it marks, instead of being translated", ATTEND_BASIC),
    TEXT(glossary, "glossary", "FILE",
         "required translations of terms, as `source<TAB>target` lines; an empty target keeps the "
         "source term",
         ATTEND_PLAIN),
    TEXT(masks, "mask", "LIST", "keep these as they are: any of urls,emails,numbers", ATTEND_PLAIN),
    {0},
};

/* ---- Documents ---- */

const struct attend_setting document_flags[] = {
    CHOICE(document_format, "format", NULL, document_choice,
           "what the input is; without it, the ending of --input decides between lines and the "
           "formats other than text",
           ATTEND_BASIC),
    FLAG(split_sentences, "split-sentences",
         "translate paragraphs sentence by sentence and keep the spaces and line ends between "
         "them; documents other than lines are always split, unless it is =false",
         ATTEND_BASIC),
    FLAG(retranslate, "retranslate", "also replace the translations that a .po or .tmx file has",
         ATTEND_PLAIN),
    {0},
};

/* ---- Scoring ---- */

const struct attend_setting score_flags[] = {
    TEXT(src, "src", "FILE", "source sentences; .gz and .zst work too", ATTEND_BASIC),
    TEXT(tgt, "tgt", "FILE", "their given translations, line for line", ATTEND_BASIC),
    TEXT(nbest_file, "nbest", "FILE",
         "or n-best lists in Moses form: each line gets the feature attend= X; ids count from 0",
         ATTEND_PLAIN),
    FLAG(sort, "sort", "sort each n-best list by it, the most probable first", ATTEND_PLAIN),
    FLAG(
        pieces, "pieces",
        "the translations are pieces separated by spaces, as attend translate --pieces writes them",
        ATTEND_PLAIN),
    FLAG(tokens, "tokens", "add a tab, the pieces, a tab and the log-probability of each",
         ATTEND_PLAIN),
    FLAG(json, "json", "print JSON, with the attention", ATTEND_PLAIN),
    {0},
};

/* ---- Evaluation ---- */

const struct attend_setting eval_model_flags[] = {
    LIST(models, "model", "MODEL",
         "translate --test or --src by this model and evaluate that; repeat it for an ensemble",
         ATTEND_BASIC),
    {0},
};
const struct attend_setting eval_flags[] = {
    FLAG(errors, "errors",
         "list the wrong lines beside the right answers, worst first, differing symbols marked",
         ATTEND_BASIC),
    FLAG(confusions, "confusions", "count which symbols were replaced, left out and added",
         ATTEND_BASIC),
    FLAG(
        sentence_level, "sentence-level",
        "print each metric for each line, as a table with tabs, instead of the scores of all lines",
        ATTEND_BASIC),
    INT(limit, "limit", "20", 0, 1000000000,
        "print the N worst lines and the N most frequent confusions; 0: all", ATTEND_PLAIN),
    FLAG(json, "json", "print one JSON object, numbers at full precision", ATTEND_PLAIN),
    FLAG(calibration, "calibration",
         "with --model: measure how often an answer of each confidence is right, and what mends it",
         ATTEND_BASIC),
    LIST(
        outputs, "output", "FILE",
        "draw the table of --by-length, the --confusions or the --calibration into this .svg, .png "
        "or .pdf file; with --calibration, write the calibrated model to this .safetensors file",
        ATTEND_WRITES),
    {0},
};

/* ---- Pictures ---- */

static const struct attend_choice colors[] = {
    {"auto", "when the terminal says that it can", NULL},
    {"always", NULL, NULL},
    {"never", NULL, NULL},
    {0},
};
static struct attend_choice color_choice(int i) { return colors[i]; }

static const struct attend_choice values[] = {
    {"auto", "in small matrices", NULL},
    {"always", NULL, NULL},
    {"never", NULL, NULL},
    {0},
};
struct attend_choice values_choice(int i) { return values[i]; }

static const struct attend_choice formats[] = {
    {"svg", NULL, NULL},
    {"png", NULL, NULL},
    {"pdf", NULL, NULL},
    {"json", "lines of matrices, as --matrix reads them", NULL},
    {0},
};
static struct attend_choice format_choice(int i) { return formats[i]; }

static const struct attend_choice views[] = {
    {"heatmap", "a matrix", NULL},
    {"links", "lines between two rows of words", NULL},
    {"salience", "the source text, shaded by the attention each word got in all", NULL},
    {0},
};
struct attend_choice view_choice(int i) { return views[i]; }

static struct attend_choice scale_choice(int i)
{
    return (struct attend_choice){.name = attend_scale_names()[i]};
}

const struct attend_setting plot_model_flags[] = {
    LIST(models, "model", "MODEL", MODEL_HELP "; repeat it for a panel each", ATTEND_BASIC),
    FLAG(each_head, "each-head", "a panel for each head instead of their mean", ATTEND_PLAIN),
    FLAG(words, "words", "show attention between words, not between their pieces", ATTEND_BASIC),
    FLAG(encoder_heads, "encoder-heads",
         "draw the self-attention of a transformer encoder instead: a panel for each layer and "
         "head, "
         "in which every word of the source (a row) looks at all of them",
         ATTEND_BASIC),
    {0},
};
const struct attend_setting plot_file_flags[] = {
    TEXT(src, "src", "FILE",
         "draw the sentences of a file instead, a picture each; - reads standard input; .gz and "
         ".zst work too",
         ATTEND_BASIC),
    TEXT(tgt, "tgt", "FILE", "their given translations, line for line", ATTEND_BASIC),
    TEXT(matrix, "matrix", "FILE",
         "draw matrices from a file instead, as attend translate --alignment json or soft writes "
         "them; - reads standard input; weights over 1 are scaled by the largest of their matrix",
         ATTEND_PLAIN),
    INT(limit, "limit", "0", 0, 1000000000, "draw only the first N; 0: all", ATTEND_PLAIN),
    {0},
};
const struct attend_setting plot_log_flags[] = {
    LIST(log, "log", "FILE",
         "draw the losses and scores of a training log instead; repeat it for more runs",
         ATTEND_BASIC),
    {0},
};
const struct attend_setting plot_flags[] = {
    TEXT(output, "output", "FILE",
         "draw into this .svg, .png, .pdf or .html file instead of the terminal; .json: the "
         "numbers, as "
         "--matrix reads them; FOLDER/: one file per sentence, named by its line",
         ATTEND_BASIC, ATTEND_WRITES),
    CHOICE(format, "format", NULL, format_choice, "format of the files in a folder (default svg)",
           ATTEND_PLAIN),
    CHOICE(color, "color", "auto", color_choice, "24-bit color in the terminal", ATTEND_PLAIN),
    {0},
};
const struct attend_setting style_flags[] = {
    TEXT(title, "title", "TEXT", "heading of the picture", ATTEND_PLAIN),
    CHOICE(view, "view", "heatmap", view_choice, "what to draw", ATTEND_BASIC),
    CHOICE(values, "values", "auto", values_choice, "numbers in cells", ATTEND_PLAIN),
    CHOICE(scale, "scale", NULL, scale_choice, "colors of the weights", ATTEND_PLAIN),
    FLAG(dark, "dark", "light on dark", ATTEND_PLAIN),
    {0},
};

/* ---- Explaining ---- */

const struct attend_setting explain_flags[] = {
    FLAG(steps, "steps",
         "print every step of the decoder: query, scores, weights, context, most likely words",
         ATTEND_BASIC),
    INT(top, "top", "5", 0, 1000, "with --steps: how many of the most likely words", ATTEND_PLAIN),
    FLAG(verbose, "verbose", "with --steps: also the first numbers of state and query",
         ATTEND_PLAIN),
    TEXT(attend, "attend", "T:J=W,...",
         "force step T to attend to source token J with weight W, both from 1; the other tokens "
         "share the rest",
         ATTEND_BASIC),
    FLAG(mask, "mask", "replace a source word by <unk> instead of removing it", ATTEND_PLAIN),
    INT(ig_steps, "ig-steps", "32", 1, 10000, "points on the path of the integrated gradients",
        ATTEND_PLAIN),
    FLAG(curves, "curves",
         "how log P falls when source words are removed in the order of each ranking; works for a "
         "file too",
         ATTEND_BASIC),
    FLAG(json, "json", "print JSON", ATTEND_BASIC),
    {0},
};
const struct attend_setting explain_file_flags[] = {
    TEXT(src, "src", "FILE", "how faithful is the attention over these source sentences",
         ATTEND_BASIC),
    TEXT(tgt, "tgt", "FILE", "and their given translations, line for line?", ATTEND_BASIC),
    INT(limit, "limit", "0", 0, 2147483647, "only the first N pairs; 0: all", ATTEND_PLAIN),
    INT(resamples, "resamples", "1000", 1, 1000000, "resamples for the confidence intervals",
        ATTEND_PLAIN),
    {0},
};
const struct attend_setting explain_output_flags[] = {
    TEXT(output, "output", "FILE",
         "draw attention and attributions into this .svg, .png, .pdf or .html file; with --curves, "
         "or for a file, the curves",
         ATTEND_BASIC, ATTEND_WRITES),
    {0},
};

/* ---- Trouble ---- */

const struct attend_setting trouble_flags[] = {
    TEXT(src, "src", "FILE", "source sentences; - reads standard input; .gz and .zst work too",
         ATTEND_BASIC),
    TEXT(tgt, "tgt", "FILE", "their given translations, line for line; without it the model's own",
         ATTEND_BASIC),
    TEXT(matrix, "matrix", "FILE",
         "or matrices from a file, as attend translate --alignment json or soft writes them",
         ATTEND_PLAIN),
    FLAG(pieces, "pieces", "look at the model's pieces, not at words", ATTEND_PLAIN),
    {0},
};
const struct attend_setting trouble_report_flags[] = {
    INT(limit, "limit", "20", 0, 1000000000, "print the N worst sentences; 0: all", ATTEND_BASIC),
    REAL(missed, "missed", "0.2", 0, 1000, "a source word whose weights sum to less was left out"),
    REAL(crowded, "crowded", "2", 0, 1000,
         "a source word with more than X times its share of the target words was said too often"),
    FLAG(json, "json", "print JSON lines", ATTEND_BASIC),
    {0},
};

/* ---- The rest ---- */

const struct attend_setting config_flags[] = {
    CONFIG,
    {0},
};
const struct attend_setting serve_flags[] = {
    TEXT(access_log, "access-log", "FILE",
         "write a line of JSON for each request here, not to standard error", ATTEND_WRITES),
    {0},
};
const struct attend_setting info_flags[] = {
    FLAG(as_config, "config",
         "print the settings it was trained with, as a file for attend train --config",
         ATTEND_PLAIN),
    {0},
};
const struct attend_setting convert_flags[] = {
    FLAG(int8, "int8", "round the weights to int8: a quarter of the size, faster, for running only",
         ATTEND_PLAIN),
    TEXT(source_lang, "source-lang", "CODE", "set the language of the source, such as en",
         ATTEND_PLAIN),
    TEXT(target_lang, "target-lang", "CODE", "set the language of the target", ATTEND_PLAIN),
    TEXT(src, "src", "FILE",
         "count from these source sentences which target words belong to each source word, for "
         "attend translate --shortlist; best the training text",
         ATTEND_PLAIN),
    TEXT(tgt, "tgt", "FILE", "their translations, line for line", ATTEND_PLAIN),
    TEXT(links, "links", "FILE",
         "their word links, as attend align --words prints them, instead of the model's attention",
         ATTEND_PLAIN),
    TEXT(output, "output", "FILE", "where the converted model goes", ATTEND_WRITES),
    {0},
};
const struct attend_setting export_model_flags[] = {
    LIST(models, "model", "MODEL", MODEL_HELP "; repeat it to compare several", ATTEND_BASIC),
    LIST(called, "name", "NAME",
         "what the page calls a model, in the order of --model; without it, its file name",
         ATTEND_PLAIN),
    FLAG(floats, "float", "keep the weights as they are; otherwise they are rounded to int8",
         ATTEND_PLAIN),
    {0},
};
const struct attend_setting export_flags[] = {
    TEXT(html, "html", "FILE", "the page: one file that opens in a browser, offline", .basic = true,
         .writes = true),
    TEXT(title, "title", "TEXT", "the title of the page", ATTEND_PLAIN),
    {0},
};
const struct attend_setting playground_flags[] = {
    TEXT(output, "output", "FILE", "the page: one file that opens in a browser, offline",
         .basic = true, .writes = true),
    {0},
};
const struct attend_setting models_command_flags[] = {
    FLAG(names, "names", "print only the names", ATTEND_BASIC),
    FLAG(json, "json", "print JSON", ATTEND_BASIC),
    {0},
};
const struct attend_setting bench_flags[] = {
    FLAG(products, "products", "measure products of 1 to 1024 rows instead, and their rooflines",
         ATTEND_PLAIN),
    TEXT(output, "output", "FILE", "draw them into this .svg, .png or .pdf file, not the terminal",
         ATTEND_WRITES),
    FLAG(json, "json", "print one JSON object with all figures", ATTEND_PLAIN),
    {0},
};
