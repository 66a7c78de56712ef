#include "model/ensemble.h"

#include "frames/source.h"
#include "model/model.h"
#include "text/languages.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

static bool same_languages(const struct text_side *a, const struct text_side *b)
{
    return a->languages && b->languages ? languages_same(a->languages, b->languages)
                                        : !a->languages && !b->languages;
}

/* In an ensemble, the same id must be the same token. */
static bool same_vocab(const struct vocab *a, const struct vocab *b)
{
    if (vocab_size(a) != vocab_size(b))
        return false;
    for (int i = 0; i < vocab_size(a); i++)
        if (strcmp(vocab_piece(a, i), vocab_piece(b, i)) != 0)
            return false;
    return true;
}

/* Frames must be made and normalized alike. */
static bool same_frames(const struct frame_source *a, const struct frame_source *b)
{
    char *text[2] = {frame_source_text(a), frame_source_text(b)};
    const bool same = text[0] && text[1] && strcmp(text[0], text[1]) == 0;
    free(text[0]);
    free(text[1]);
    return same;
}

/* In an ensemble, the annotations must be of the same parts of the source. */
static bool same_source(const struct model *a, const struct model *b)
{
    const struct frame_source *frames = a->source.frames, *others = b->source.frames;
    if (!frames && !others)
        return same_vocab(a->source.vocab, b->source.vocab);
    return frames && others && a->net.config.pyramid == b->net.config.pyramid &&
           same_frames(frames, others);
}

bool ensemble_agrees(const struct model *a, const struct model *b)
{
    return same_source(a, b) && same_vocab(a->target.vocab, b->target.vocab) &&
           same_languages(&a->source, &b->source);
}
