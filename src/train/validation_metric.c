#include "train/validation_metric.h"

#include "metric/metric.h"
#include "text/side.h"
#include "text/tokenizer.h"

#include <string.h>

struct attend_choice validation_choice(int i)
{
    static const struct attend_choice others[] = {
        {"auto", "bleu when the target is sentencepiece or word, loss for ink, else accuracy",
         NULL},
        {"loss", "the validation loss", NULL}};
    if (i < 2)
        return others[i];
    const char *name = metric_name(i - 2);
    return name ? (struct attend_choice){name, metric_find(name)->help, NULL}
                : (struct attend_choice){0};
}

/* auto is BLEU if the target is text in words or subwords, and accuracy otherwise. */
const struct metric_ops *validation_metric_find(const char *name, const struct text_side *target)
{
    const struct tokenizer_ops *tokenizer = target->tokenizer->ops;
    const bool sentences = tokenizer == &tokenizer_sentencepiece || tokenizer == &tokenizer_word;
    if (!name || strcmp(name, "auto") == 0)
        return sentences ? &metric_bleu : &metric_accuracy;
    return metric_find(name);
}
