/* Settings of a translator: the search, and how much it does at once. */
#include "attend/translate.h"
#include "settings/tables.h"

#define FLAG(field, name, help)                                                                    \
    ATTEND_ROW_FLAG(attend_translator_options, field, name, help, ATTEND_PLAIN)
#define INT(field, name, value, fallback, low, high, help, more)                                   \
    ATTEND_ROW_INT(attend_translator_options, field, name, value, fallback, low, high, help, more)
#define REAL(field, name, value, fallback, low, high, help)                                        \
    ATTEND_ROW_REAL(attend_translator_options, field, name, value, fallback, low, high, help,      \
                    ATTEND_PLAIN)

const struct attend_setting search_rows[] = {
    INT(beam, "beam", "K", "5", 1, 100, "hypotheses kept for each sentence; 1: greedy search",
        ATTEND_BASIC),
    INT(nbest, "nbest", "N", "1", 1, 100,
        "hypotheses wanted for each sentence, at most --beam of them, or that many samples; no "
        "text comes twice",
        ATTEND_BASIC),
    REAL(length_penalty, "length-penalty", "ALPHA", "1", 0, 10,
         "a hypothesis scores log P / length^ALPHA"),
    REAL(coverage_penalty, "coverage-penalty", "BETA", "0", 0, 10,
         "weight of the coverage penalty, which punishes source words that got little attention"),
    REAL(max_length, "max-length", "R", "3", 0.1, 100,
         "at most R times the source's tokens, plus 10"),
    INT(no_repeat, "no-repeat", "N", "0", 0, 100, "no sequence of N tokens comes twice; 0: any may",
        ATTEND_PLAIN),
    FLAG(finish_all, "finish-all",
         "search until all K hypotheses are finished, not only until none can improve"),
    INT(shortlist, "shortlist", "N", "0", 0, 1000,
        "only the N likeliest target words of each source word, and the frequent words, which is "
        "faster; the model needs the lists of attend convert --src; 0: all words",
        ATTEND_PLAIN),
    FLAG(sample, "sample", "sample words at random instead of searching"),
    REAL(temperature, "temperature", "T", "1", 0.01, 100,
         "sampling temperature: below 1 favors likely words, above 1 flattens the distribution"),
    INT(top_k, "top-k", "N", "0", 0, 10000000, "sample from the N likeliest words; 0: from all",
        ATTEND_PLAIN),
    REAL(top_p, "top-p", "P", "1", 0, 1,
         "sample from the likeliest words that have probability P together"),
    INT(seed, "seed", "N", "1", 0, 2147483647, "seed of the samples", ATTEND_PLAIN),
    {0},
};

#define CODE(field, help)                                                                          \
    ATTEND_ROW_TEXT(attend_translator_options, field, #field, "CODE", help, ATTEND_BASIC)
const struct attend_setting direction_rows[] = {
    CODE(to, "the language to translate into, such as de, if the model has several"),
    CODE(from, "the language to translate from, if it is needed too"),
    {0},
};

const struct attend_setting speed_rows[] = {
    INT(batch_sentences, "batch-sentences", "N", "64", 1, 100000, "sentences searched together",
        ATTEND_PLAIN),
    INT(threads, "threads", "N", "0", 0, 256,
        "threads; 0: one for each physical core that the process may use", ATTEND_BASIC),
    {0},
};
