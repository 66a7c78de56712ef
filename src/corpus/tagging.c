#include "corpus/tagging.h"

#include "base/error.h"
#include "corpus/pairs.h"
#include "text/detect.h"
#include "text/languages.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

static enum attend_status extend(struct text_side *side, const struct languages *l,
                                 struct attend_error *err)
{
    struct vocab *more;
    const enum attend_status status = languages_vocab(&more, l, side->vocab, err);
    if (status)
        return status;
    vocab_free(side->vocab);
    side->vocab = more;
    return ATTEND_OK;
}

/* ---- Letters ---- */

/* Features follow a tab and are not text. */
static bool count_text(struct detect_counts *counts, const char *text, bool features)
{
    char *line = strndup(text, features ? strcspn(text, "\t") : strlen(text));
    const bool good = line && detect_count(counts, line);
    free(line);
    return good;
}

static enum attend_status count_letters(struct detect_counts *counts, struct pairs *train,
                                        bool features, struct attend_error *err)
{
    enum { SAMPLE = 500000 };
    const size_t step = 1 + pairs_count(train) / SAMPLE;
    struct text_pair pair;
    size_t passed = 0;
    bool good = true;
    enum attend_status status = pairs_rewind(train, err);
    while (good && !status && !(status = pairs_next(train, &pair, err)) && pair.source)
        if (passed++ % step == 0)
            good = count_text(&counts[pair.languages.from], pair.source, features) &&
                   count_text(&counts[pair.languages.to], pair.target, false);
    return good ? status : error_set(err, ATTEND_NO_MEMORY, "out of memory for languages");
}

static enum attend_status make_detect(struct languages *l, struct pairs *train, bool features,
                                      struct attend_error *err)
{
    struct detect_counts *counts = calloc((size_t)l->count, sizeof *counts);
    enum attend_status status =
        counts ? count_letters(counts, train, features, err)
               : error_set(err, ATTEND_NO_MEMORY, "out of memory for languages");
    for (int i = 0; i < l->count && !status; i++) {
        l->item[i].detect = malloc(sizeof *l->item[i].detect);
        if (!l->item[i].detect)
            status = error_set(err, ATTEND_NO_MEMORY, "out of memory for languages");
        else
            detect_make(l->item[i].detect, &counts[i]);
    }
    free(counts);
    return status;
}

/* ---- All of it ---- */

/* What only a model for one pair has. */
static void forget_language(struct text_side *side)
{
    free(side->language);
    free(side->detect);
    side->language = NULL;
    side->detect = NULL;
}

enum attend_status tagging_make(struct text_side side[2], const struct languages *languages,
                                struct pairs *train, bool joint, bool given,
                                struct attend_error *err)
{
    enum attend_status status = text_side_languages(&side[0], languages, err);
    for (int i = 0; i < (joint ? 2 : 1) && !given && !status; i++)
        status = extend(&side[i], languages, err);
    if (!status)
        status = languages_bind(side[0].languages, side[0].vocab, err);
    if (!status && !given)
        status = make_detect(side[0].languages, train, side[0].tokenizer->features, err);
    forget_language(&side[0]);
    forget_language(&side[1]);
    return status;
}
