#include "api/options.h"

#include "api/option_rows.h"
#include "api/presets.h"
#include "base/bug.h"
#include "base/error.h"
#include "base/yaml.h"
#include "metric/bleu.h"
#include "metric/metric.h"
#include "metric/symmetrize.h"
#include "metric/words.h"
#include "text/tokenizer.h"

#include <stdlib.h>
#include <string.h>

/* ---- Rows that belong to no lower layer ---- */

static const char *tokenizer_name(int i)
{
    return i == 0 ? "auto" : i <= TOKENIZER_COUNT ? tokenizers[i - 1]->name : NULL;
}
static const char *subwords_name(int i) { return tokenizer_methods[i]; }
static const char *alignment_name(int i)
{
    return (const char *const[]){"none", "hard", "soft", "json", NULL}[i];
}

static const struct option_row data_rows[] = {
    TEXT(
        data_options, train_src, "train-src", "FILE",
        "training text, source side, a sentence on each line; -: standard input; .gz and .zst too"),
    TEXT(data_options, train_tgt, "train-tgt", "FILE", "its translation, line for line"),
    TEXT(data_options, valid_src, "valid-src", "FILE", "validation text, source side"),
    TEXT(data_options, valid_tgt, "valid-tgt", "FILE", "its translation"),
    TEXT(data_options, train, "train", "FILE",
         "training pairs in one file instead, columns between tabs"),
    TEXT(data_options, valid, "valid", "FILE", "validation pairs in such a file"),
    TEXT(data_options, columns, "columns", "NAMES",
         "what the columns are: src, tgt, names of others, _ for one to pass over; with --header, "
         "the names of the source's and the target's (default src,tgt)"),
    FLAG(data_options, header, "header", "the first line names the columns"),
    TEXT(data_options, features, "features", "NAME",
         "a column whose features, between ;, become source tokens: V;PST;3;SG"),
    TEXT(data_options, split, "split", "SHARES",
         "part of the training pairs for validation, and for a test: 0.98,0.01,0.01; written "
         "beside the model"),
    FLAG(data_options, skip_broken, "skip-broken",
         "leave out pairs that are not UTF-8, hold NUL, lack a column or have a line over 1 MiB, "
         "instead of stopping there"),
    {.name = "preset",
     .kind = OPTION_CHOICE,
     .offset = offsetof(struct data_options, preset),
     .value = "NAME",
     .choices = preset_name,
     .help =
         "sizes for what is not set otherwise: a few thousand words, tens of thousands of words "
         "or short sentences, sentences",
     .local = true},
    TEXT(data_options, config, "config", "FILE",
         "settings from a YAML file, `name: value`; flags win"),
    OUTPUT(data_options, model, "model", "where the model goes; its checkpoint is FILE.ckpt"),
    FLAG(data_options, resume, "resume",
         "go on from the checkpoint beside the model, or begin when there is none; limits, rates "
         "and dropout may be other than before"),
    FLAG(data_options, overwrite, "overwrite", "replace a model that is already there"),
    TEXT(data_options, init_from, "init-from", "FILE",
         "begin with the weights, sizes and vocabularies of this model"),
    TEXT(data_options, source_lang, "source-lang", "CODE",
         "the source's language, as en, for those who serve the model"),
    TEXT(data_options, target_lang, "target-lang", "CODE", "the target's language"),
    OUTPUT(data_options, log, "log", "JSON lines: every validation, and every few updates"),
    {0},
};

#define DATA_CHOICE(field, flag, text, names, what)                                                \
    CHOICE(data_options, field, flag, text, names, what)
static const struct option_row token_rows[] = {
    DATA_CHOICE(normalize, "normalize", "nfc", utf8_form_name,
                "Unicode normal form of both sides, when training and ever after"),
    DATA_CHOICE(tokenizer, "tokenizer", "auto", tokenizer_name,
                "how lines become tokens, on both sides; auto: chosen from the text"),
    DATA_CHOICE(src_tokenizer, "src-tokenizer", NULL, tokenizer_name,
                "the same for the source side only"),
    DATA_CHOICE(tgt_tokenizer, "tgt-tokenizer", NULL, tokenizer_name,
                "the same for the target side only"),
    INT(data_options, vocab_size, "vocab-size", "0", 0, 10000000,
        "tokens of each side: the most frequent, or what sentencepiece makes; 0: all, "
        "sentencepiece by the amount of text"),
    DATA_CHOICE(subwords, "subwords", "bpe", subwords_name, "how sentencepiece finds its pieces"),
    {.name = "subword-sampling",
     .kind = OPTION_REAL,
     .offset = offsetof(struct data_options, subword_sampling),
     .fallback = "0",
     .min = 0,
     .max = 1,
     .value = "ALPHA",
     .flexible = true,
     .help = "every epoch sees words in other pieces of sentencepiece: of bpe each merge is left "
             "out with this probability, of unigram pieces come by their probability to this "
             "power; 0: always the best"},
    {.name = "joint-vocab",
     .kind = OPTION_FLAG,
     .offset = offsetof(struct data_options, joint_vocab),
     .help = "one tokenizer and vocabulary from the text of both sides"},
    TEXT(data_options, tokenizer_model, "tokenizer-model", "FILE",
         "an existing SentencePiece model for both sides, taken into the model"),
    TEXT(data_options, src_tokenizer_model, "src-tokenizer-model", "FILE",
         "the same for the source side only"),
    TEXT(data_options, tgt_tokenizer_model, "tgt-tokenizer-model", "FILE",
         "the same for the target side only"),
    INT(data_options, max_length, "max-length", "200", 1, 100000,
        "pairs with a longer side, in tokens, are left out"),
    {.name = "max-ratio",
     .kind = OPTION_REAL,
     .offset = offsetof(struct data_options, max_ratio),
     .fallback = "0",
     .max = 10000,
     .value = "X",
     .help = "pairs with one side X times as long as the other, in tokens, are left out; 0: none"},
    {0},
};

static const struct option_row translate_rows[] = {
    INT(translate_options, batch_sentences, "batch-sentences", "64", 1, 100000,
        "sentences searched together"),
    INT(translate_options, threads, "threads", "0", 0, 256,
        "threads; 0: one for each physical core that the process may use"),
    {0},
};

static const struct option_row model_rows[] = {
    TEXT(program_options, model, "model", "FILE", "the trained model"),
    {0},
};

static const struct option_row models_rows[] = {
    {.name = "model",
     .kind = OPTION_LIST,
     .offset = offsetof(struct program_options, models),
     .value = "FILE",
     .help = "the trained model; again for several that translate together",
     .local = true},
    {0},
};

static const struct option_row lines_rows[] = {
    TEXT(program_options, input, "input", "FILE",
         "read from here instead of standard input; .gz and .zst too"),
    OUTPUT(program_options, output, "output", "write here instead of standard output"),
    FLAG(program_options, scores, "scores",
         "add a tab, the score, a tab and the log-probability to each line"),
    CHOICE(program_options, alignment, "alignment", "none", alignment_name,
           "show the attention: hard adds ' ||| ' and for each target word the source word it "
           "looked at most (i-j); soft writes a matrix as Nematus does, json an object, both "
           "instead of the line"),
    FLAG(program_options, words, "words", "show attention between words, not between their pieces"),
    FLAG(program_options, pieces, "pieces",
         "write the pieces instead of the text, spaces between, a blank as U+2581"),
    FLAG(program_options, json, "json",
         "lines in are {\"source\":\"...\"}, lines out as --alignment json writes them"),
    FLAG(program_options, unk_replace, "unk-replace",
         "let unknown words stand in the output, as the source words that they looked at most"),
    TEXT(
        program_options, prefix, "prefix", "TEXT",
        "every translation begins with this; with --json, those without a \"prefix\" of their own"),
    LIST(program_options, require, "require", "TEXT",
         "every translation contains this phrase, again for more; with --json, \"require\""),
    LIST(program_options, ban, "ban", "TEXT",
         "no translation contains this phrase, again for more; with subwords, longer words that "
         "begin so neither"),
    TEXT(program_options, lexicon, "lexicon", "FILE",
         "what such source words become, `source<TAB>target` lines"),
    FLAG(program_options, lexicon_first, "lexicon-first",
         "a whole line that the lexicon has is answered from it"),
    {0},
};

static const struct option_row align_rows[] = {
    TEXT(program_options, src, "src", "FILE", "source sentences"),
    TEXT(program_options, tgt, "tgt", "FILE", "their given translations, line for line"),
    FLAG(program_options, words, "words", "link words, not the model's pieces of them"),
    TEXT(program_options, links, "links", "FILE",
         "take these links (source-target, from 0) instead of a model's; with --src and --tgt they "
         "are checked against the words"),
    {0},
};

static const struct option_row align_both_rows[] = {
    TEXT(program_options, reverse_model, "reverse-model", "FILE",
         "a model from target to source, whose links are turned round"),
    TEXT(program_options, reverse_links, "reverse-links", "FILE",
         "or its links (target-source, from 0)"),
    CHOICE(program_options, symmetrize, "symmetrize", "grow-diag-final-and", symmetrize_name,
           "how two directions become one"),
    {0},
};

static const struct option_row align_gold_rows[] = {
    TEXT(program_options, gold, "gold", "FILE",
         "print the alignment error rate against these links instead (i-j sure, ipj possible)"),
    INT(program_options, gold_base, "gold-base", "0", 0, 1,
        "the gold file's first word is number N"),
    {0},
};

static const struct option_row score_rows[] = {
    TEXT(program_options, src, "src", "FILE", "source sentences; .gz and .zst too"),
    TEXT(program_options, tgt, "tgt", "FILE", "their given translations, line for line"),
    TEXT(program_options, nbest, "nbest", "FILE",
         "or n-best lists in Moses form: each line gets the feature attend= X; ids count from 0"),
    FLAG(program_options, sort, "sort", "sort each n-best list by it, the most probable first"),
    FLAG(program_options, pieces, "pieces",
         "translations are pieces with spaces between, as attend translate --pieces writes them"),
    FLAG(program_options, tokens, "tokens",
         "add a tab, the pieces, a tab and the log-probability of each"),
    FLAG(program_options, json, "json", "print JSON, also the attention"),
    {0},
};

static const struct option_row eval_rows[] = {
    TEXT(eval_options, hyp, "hyp", "FILE", "output to judge; without it, standard input"),
    {.name = "ref",
     .kind = OPTION_LIST,
     .offset = offsetof(struct eval_options, ref),
     .value = "FILE",
     .help = "what it should say, line for line; again for more references"},
    TEXT(eval_options, answers, "answers", "FILE",
         "or, in the same order, `item<TAB>answer` lines with further accepted answers behind tabs "
         "or on lines of their own"),
    TEXT(eval_options, compare, "compare", "FILE",
         "another system's output: is the difference significant?"),
    {0},
};

static const struct option_row eval_metric_rows[] = {
    {.name = "metric",
     .kind = OPTION_TEXT,
     .offset = offsetof(struct eval_options, metric),
     .fallback = "accuracy",
     .value = "LIST",
     .choices = metric_name,
     .help = "what to measure, with commas between"},
    CHOICE(eval_options, tokenize, "tokenize", NULL, words_name,
           "how bleu finds words, without it 13a; with char, ser and rouge count characters"),
    FLAG(eval_options, lowercase, "lowercase", "ignore case (ter and rouge always do)"),
    CHOICE(eval_options, smooth, "smooth", "exp", bleu_smoothing_name,
           "what bleu puts for n-grams that never match"),
    FLAG(eval_options, every_order, "every-order",
         "chrf as in its authors' script: the mean of every order's F"),
    FLAG(eval_options, confidence, "confidence", "add 95% intervals, by bootstrap"),
    INT(eval_options, resamples, "resamples", "1000", 1, 1000000,
        "how many, for --confidence and --compare"),
    INT(eval_options, seed, "seed", "12345", 0, 2147483647, "of the resamples"),
    FLAG(eval_options, json, "json", "print JSON, numbers at full precision"),
    {0},
};

static const struct option_row eval_length_rows[] = {
    INT(eval_options, by_length, "by-length", "0", 0, 1000000,
        "print a table of lines grouped by the number of source words, N in a group; 0: off"),
    TEXT(eval_options, src, "src", "FILE", "the source sentences, line for line"),
    OUTPUT(eval_options, output, "output", "also draw the table into this .svg, .png or .pdf file"),
    {0},
};

static const struct option_row info_rows[] = {
    FLAG(program_options, as_config, "config",
         "the settings it was trained with, as a file for --config of attend train"),
    {0},
};

static const struct option_row convert_rows[] = {
    FLAG(program_options, int8, "int8",
         "round weights to int8: a quarter of the size, faster, for running only"),
    TEXT(program_options, source_lang, "source-lang", "CODE",
         "say what the source's language is, as en"),
    TEXT(program_options, target_lang, "target-lang", "CODE", "the same of the target's"),
    OUTPUT(program_options, output, "output", "where the converted model goes"),
    {0},
};

/* ---- Commands ---- */

enum { COMMAND_DEFAULTS = 4 };

struct command {
    const char *name;
    struct {
        const char *title;
        const struct option_row *rows;
        size_t offset; /* of the struct in struct attend_options */
    } group[OPTION_GROUPS];
    struct {
        const char *name, *text;
    } defaults[COMMAND_DEFAULTS]; /* where they differ from the rows' */
    const char *without;          /* a setting of its groups that would do nothing; or NULL */
};

#define GROUP(title, rows, field)                                                                  \
    {                                                                                              \
        title, rows, offsetof(struct attend_options, field)                                        \
    }
static const struct command commands[] = {
    {.name = "train",
     .group = {GROUP("Data and model file", data_rows, data), GROUP("Tokens", token_rows, data),
               GROUP("Model", model_config_rows, config), GROUP("Training", train_rows, train)}},
    {.name = "translate",
     .group = {GROUP("Model", models_rows, program), GROUP("Lines", lines_rows, program),
               GROUP("Search", search_rows, search), GROUP("Speed", translate_rows, translate)}},
    {.name = "score",
     .group = {GROUP("Model", model_rows, program), GROUP("Pairs", score_rows, program),
               GROUP("Speed", translate_rows, translate)}},
    {.name = "align",
     .group = {GROUP("Model", model_rows, program), GROUP("Pairs", align_rows, program),
               GROUP("The other direction", align_both_rows, program),
               GROUP("Judging", align_gold_rows, program),
               GROUP("Speed", translate_rows, translate)}},
    {.name = "eval",
     .group = {GROUP("Files", eval_rows, eval), GROUP("Measure", eval_metric_rows, eval),
               GROUP("By length", eval_length_rows, eval)}},
    {.name = "plot",
     .group = {GROUP("Model", plot_model_rows, program),
               GROUP("Instead of one sentence", plot_file_rows, program),
               GROUP("Learning curves", plot_log_rows, program),
               GROUP("Picture", plot_rows, program), GROUP("Its look", look_rows, program),
               GROUP("Search", search_rows, search), GROUP("Speed", translate_rows, translate)}},
    {.name = "explain",
     .group = {GROUP("Model", model_rows, program), GROUP("One sentence", explain_rows, explain),
               GROUP("A file", explain_file_rows, explain),
               GROUP("Picture", explain_output_rows, program),
               GROUP("Its look", look_rows, program), GROUP("Search", search_rows, search),
               GROUP("Speed", translate_rows, translate)},
     .without = "nbest"},
    {.name = "trouble",
     .group = {GROUP("Model", model_rows, program), GROUP("Pairs", trouble_rows, program),
               GROUP("Report", trouble_report_rows, program), GROUP("Search", search_rows, search),
               GROUP("Speed", translate_rows, translate)},
     .without = "nbest"},
    {.name = "serve",
     .group = {GROUP("Models", serve_model_rows, serve), GROUP("Server", serve_rows, serve),
               GROUP("Limits", serve_limit_rows, serve), GROUP("Search", search_rows, search),
               GROUP("Speed", translate_rows, translate)}},
    {.name = "info",
     .group = {GROUP("Model", model_rows, program), GROUP("What to print", info_rows, program)}},
    {.name = "convert",
     .group = {GROUP("Model", model_rows, program), GROUP("Conversion", convert_rows, program)}},
    {.name = "bench",
     .group = {GROUP("Training", bench_rows, bench), GROUP("Model", model_config_rows, bench.model),
               GROUP("Other work", bench_other_rows, bench), GROUP("Search", search_rows, search)},
     .defaults = {{"emb", "256"}, {"hidden", "512"}}},
};
#undef GROUP

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

enum attend_status attend_options_new(struct attend_options **out, const char *name,
                                      struct attend_error *err)
{
    const struct command *command = find_command(name);
    if (!command)
        return error_set(err, ATTEND_USAGE, "there is no command '%s'", name);
    struct attend_options *o = calloc(1, sizeof *o);
    if (!o)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for the settings of %s", name);
    o->command = command;
    for (int g = 0; g < OPTION_GROUPS && command->group[g].rows; g++) {
        const enum attend_status status =
            option_add(&o->set, command->group[g].title, command->group[g].rows,
                       (char *)o + command->group[g].offset, err);
        if (status) {
            attend_options_free(o);
            return status;
        }
    }
    for (int i = 0; i < COMMAND_DEFAULTS && command->defaults[i].name; i++)
        BUG_ON(option_assign(&o->set, command->defaults[i].name, command->defaults[i].text, err));
    *out = o;
    return ATTEND_OK;
}

static bool lacks(const struct command *command, const char *name)
{
    return command->without && strcmp(command->without, name) == 0;
}

enum attend_status attend_options_set(struct attend_options *o, const char *name, const char *text,
                                      struct attend_error *err)
{
    if (lacks(o->command, name))
        return error_set(err, ATTEND_USAGE, "--%s would do nothing for %s", name, o->command->name);
    const enum attend_status status = option_assign(&o->set, name, text, err);
    return !status && strcmp(name, "preset") == 0 ? preset_apply(&o->set, text, err) : status;
}

static enum attend_status set_from_file(void *context, const char *name, const char *value,
                                        struct attend_error *err)
{
    return attend_options_set(context, name, value, err);
}

enum attend_status attend_options_load(struct attend_options *o, const char *path,
                                       struct attend_error *err)
{
    return yaml_read(path, set_from_file, o, err);
}

const char *attend_options_text(const struct attend_options *o, const char *name)
{
    void *base;
    const struct option_row *row = option_find(&o->set, name, &base);
    return row ? option_text(row, base, 0) : NULL;
}

const char *const *attend_options_list(const struct attend_options *o, const char *name)
{
    void *base;
    const struct option_row *row = option_find(&o->set, name, &base);
    const bool list = row && row->kind == OPTION_LIST;
    return list ? *(const char *const **)((char *)base + row->offset) : NULL;
}

double attend_options_number(const struct attend_options *o, const char *name)
{
    void *base;
    const struct option_row *row = option_find(&o->set, name, &base);
    const void *field = row ? (char *)base + row->offset : NULL;
    switch (row ? row->kind : OPTION_TEXT) {
    case OPTION_FLAG: return *(const bool *)field;
    case OPTION_INT: return *(const int *)field;
    case OPTION_REAL: return *(const double *)field;
    default: return 0;
    }
}

void attend_options_free(struct attend_options *o)
{
    if (!o)
        return;
    option_release(&o->set);
    free(o);
}

/* The command's own default, or the row's. */
static const char *default_of(const struct command *command, const struct option_row *row)
{
    for (int i = 0; i < COMMAND_DEFAULTS && command->defaults[i].name; i++)
        if (strcmp(command->defaults[i].name, row->name) == 0)
            return command->defaults[i].text;
    return row->fallback;
}

bool attend_options_describe(const struct attend_options *o, int i, struct attend_option_info *out)
{
    for (int g = 0; g < o->set.count; g++)
        for (const struct option_row *row = o->set.group[g].rows; row->name; row++)
            if (!lacks(o->command, row->name) && i-- == 0) {
                *out = (struct attend_option_info){.group = o->set.group[g].title,
                                                   .name = row->name,
                                                   .value = row->value,
                                                   .fallback = default_of(o->command, row),
                                                   .help = row->help,
                                                   .choices = row->choices};
                return true;
            }
    return false;
}
