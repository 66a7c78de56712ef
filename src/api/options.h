/* The settings of every command in one struct, and which groups of rows each command offers. */
#ifndef ATTEND_API_OPTIONS_H
#define ATTEND_API_OPTIONS_H

#include "attend/option.h"
#include "base/option.h"
#include "bench/bench.h"
#include "decode/search.h"
#include "model/config.h"
#include "train/settings.h"

/* Where training text comes from and how it is read. */
struct data_options {
    char *train_src, *train_tgt, *valid_src, *valid_tgt;
    char *train, *valid, *columns, *features, *split; /* tables */
    bool header, skip_broken;
    char *normalize;
    char *tokenizer, *src_tokenizer, *tgt_tokenizer;
    char *tokenizer_model, *src_tokenizer_model, *tgt_tokenizer_model;
    char *subwords;
    double subword_sampling; /* 0: the best pieces */
    int vocab_size, max_length;
    bool joint_vocab;
    double max_ratio;
    char *preset, *init_from;
    char *source_lang, *target_lang;
    char *config, *model, *log;
    bool resume, overwrite;
};

/* How translation goes about its lines. */
struct translate_options {
    int batch_sentences, threads;
};

/* What the program itself does with files and pictures. */
struct program_options {
    char *model, *input, *output;
    char **models; /* of translate */
    bool scores, words, pieces, json;
    bool unk_replace, lexicon_first;
    char *lexicon;
    char *alignment;
    char *src, *tgt, *gold, *nbest;
    bool tokens, sort;
    int gold_base;
    char *reverse_model, *links, *reverse_links, *symmetrize;
    char **log;
    char *prefix, **require, **ban;
    char *title, *color;
    char *matrix, *format, *view, *values, *scale;
    bool each_head, dark;
    int limit;
    double missed, crowded; /* limits of trouble */
    bool as_config;
    bool int8;
    char *source_lang, *target_lang;
};

/* What is judged, against what and how. */
struct eval_options {
    char *hyp, *compare;
    char **ref;
    char *answers;
    char *metric, *tokenize, *smooth;
    bool lowercase, every_order, confidence, json;
    int resamples, seed;
    int by_length;
    char *src, *output;
};

/* What of a model's doings is explained, and how. */
struct explain_options {
    bool steps, verbose, mask, curves, json;
    int top, ig_steps, limit, resamples;
    char *attend;
    char *src, *tgt;
};
/* explain_options.c; those of the picture are of struct program_options. */
extern const struct option_row explain_rows[], explain_file_rows[], explain_output_rows[];

/* How models are served. */
struct serve_options {
    char **models, **names, **allow_origins, **allow_hosts;
    char *host, *api_keys, *access_log, *api_title;
    int port, rate;
    bool behind_proxy;
    int max_body, max_characters, max_line, max_lines, max_alternatives, max_explain;
    int queue, connections;
    double timeout;
};
/* serve_options.c */
extern const struct option_row serve_model_rows[], serve_rows[], serve_limit_rows[];

struct attend_options {
    const struct command *command;
    struct option_set set;
    struct data_options data;
    struct model_config config;
    struct train_options train;
    struct search_options search;
    struct translate_options translate;
    struct program_options program;
    struct eval_options eval;
    struct explain_options explain;
    struct serve_options serve;
    struct bench_options bench;
};

#endif
