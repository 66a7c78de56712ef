/* Settings of word alignment. */
#include "attend/align.h"
#include "metric/symmetrize.h"
#include "settings/tables.h"

#define TEXT(field, name, help, more)                                                              \
    ATTEND_ROW_TEXT(attend_align_options, field, name, "FILE", help, ATTEND_LOCAL, more)
#define MODEL(field, name, help, more)                                                             \
    ATTEND_ROW_TEXT(attend_align_options, field, name, "MODEL", help, ATTEND_LOCAL, more)
#define INT(field, name, fallback, low, high, help)                                                \
    ATTEND_ROW_INT(attend_align_options, field, name, "N", fallback, low, high, help, ATTEND_PLAIN)

const struct attend_setting align_rows[] = {
    MODEL(model, "model", "the model: a file, or the name of a ready model", ATTEND_BASIC),
    TEXT(src, "src", "source sentences", ATTEND_BASIC),
    TEXT(tgt, "tgt", "their given translations, line for line", ATTEND_BASIC),
    ATTEND_ROW_FLAG(attend_align_options, words, "words", "link words, not the model's pieces",
                    ATTEND_BASIC),
    ATTEND_ROW_TEXT(attend_align_options, to, "to", "CODE",
                    "the language of --tgt, such as de, if the model has several", ATTEND_PLAIN),
    ATTEND_ROW_TEXT(attend_align_options, from, "from", "CODE",
                    "the language of --src, if it is needed too", ATTEND_PLAIN),
    TEXT(links, "links",
         "use these links (source-target, from 0) instead of a model's; --src and --tgt check them",
         ATTEND_PLAIN),
    {0},
};

static struct attend_choice symmetrize_choice(int i)
{
    return (struct attend_choice){.name = symmetrize_name(i)};
}

const struct attend_setting align_both_rows[] = {
    MODEL(reverse_model, "reverse-model", "a model from target to source, whose links are reversed",
          ATTEND_PLAIN),
    TEXT(reverse_links, "reverse-links", "or its links (target-source, from 0)", ATTEND_PLAIN),
    ATTEND_ROW_CHOICE(attend_align_options, symmetrize, "symmetrize", NULL, symmetrize_choice,
                      "how two directions become one (default grow-diag-final-and)", ATTEND_PLAIN),
    {0},
};

const struct attend_setting align_gold_rows[] = {
    TEXT(gold, "gold",
         "print the alignment error rate against these links instead (i-j sure, ipj possible)",
         ATTEND_PLAIN),
    INT(gold_base, "gold-base", "0", 0, 1, "the number of the first word in the gold file"),
    {0},
};

const struct attend_setting align_speed_rows[] = {
    INT(batch_sentences, "batch-sentences", "64", 1, 100000, "sentences run together"),
    INT(threads, "threads", "0", 0, 256,
        "threads; 0: one for each physical core that the process may use"),
    {0},
};
