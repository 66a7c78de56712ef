/* All options of the program: the library's options structs, and the program's own fields. */
#ifndef ATTEND_CLI_FLAGS_H
#define ATTEND_CLI_FLAGS_H

#include <attend/align.h>
#include <attend/bench.h>
#include <attend/distill.h>
#include <attend/eval.h>
#include <attend/frames.h>
#include <attend/serve.h>
#include <attend/settings.h>
#include <attend/train.h>
#include <attend/translate.h>
#include <attend/write.h>

struct args;

struct flags {
    const struct attend_settings *settings; /* which fill this struct */
    const struct args *args;                /* the command line that they come from */
    const char *const *folders;             /* of ready models; ended by NULL */

    /* Options of the library. */
    struct attend_data_options data;
    struct attend_network_options network;
    struct attend_train_options train;
    struct attend_frame_options frames;
    struct attend_translator_options search;
    struct attend_writer_options writer;
    struct attend_align_options align;
    struct attend_eval_options eval;
    struct attend_serve_options serve;
    struct attend_bench_options bench;
    struct attend_distill_options distill;

    /* Models and files. */
    const char *model;
    const char *const *models;
    const char *input, *output, *src, *tgt, *links, *matrix;
    const char *const *log;
    const char *access_log;
    const char *preset, *config;
    bool json;
    int limit;

    /* Input and output lines of translate. */
    const char *alignment;
    bool scores, words, pieces, unk_replace, lexicon_first, probabilities, strict;
    double mass;
    const char *lexicon, *prefix;
    const char *tags, *masks, *glossary;
    const char *const *require, *const *ban;

    /* Documents. */
    const char *document_format;
    bool split_sentences, retranslate;

    /* Scoring. */
    const char *nbest_file;
    bool tokens, sort;

    /* Evaluation. */
    bool errors, confusions, sentence_level, calibration;
    const char *const *outputs; /* pictures and models */

    /* Pictures. */
    const char *title, *color, *format, *view, *values, *scale;
    bool each_head, encoder_heads, dark;

    /* Explaining and trouble. */
    bool steps, verbose, mask, curves;
    int top, ig_steps, resamples;
    const char *attend;
    double missed, crowded;

    /* Describing, converting and exporting models. */
    bool as_config, int8, floats, names;
    const char *html;
    const char *const *called; /* names of models */
    const char *source_lang, *target_lang;

    bool products; /* bench: measure matrix products */
};

/* flags.c: the choices of --view and --values, in the order of the enumerations of attend/plot.h. */
struct attend_choice view_choice(int i);
struct attend_choice values_choice(int i);
/* prepare.c: the choices of --tags, in the order of enum attend_tags. */
struct attend_choice tags_choice(int i);

/* A group of settings in help: a table of the library or rows of the program. */
struct flag_group {
    const char *title;
    const struct attend_setting *rows; /* rows that fill struct flags; NULL: use `table` */
    enum attend_table table;
    size_t offset; /* of the table's options struct in struct flags */
};

/* flags.c: the program's rows. All fill struct flags. */
extern const struct attend_setting train_flags[], model_flags[], models_flags[], lines_flags[],
    document_flags[], score_flags[], eval_model_flags[], eval_flags[], plot_model_flags[],
    plot_file_flags[], plot_log_flags[], plot_flags[], style_flags[], explain_flags[],
    explain_file_flags[], explain_output_flags[], trouble_flags[], trouble_report_flags[],
    config_flags[], serve_flags[], info_flags[], convert_flags[], export_model_flags[],
    export_flags[], playground_flags[], bench_flags[], models_command_flags[];

#endif
