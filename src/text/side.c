#include "text/side.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "frames/source.h"
#include "text/detect.h"
#include "text/languages.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

bool text_language_valid(const char *code) { return languages_code_valid(code, strlen(code)); }

enum attend_status text_side_name(struct text_side *side, const char *language,
                                  struct attend_error *err)
{
    if (!language)
        return ATTEND_OK;
    if (!text_language_valid(language))
        return error_set(err, ATTEND_USAGE,
                         "'%.64s' is not a language code; use letters, digits and dashes, such as "
                         "en or pt-BR",
                         language);
    char *copy = strdup(language);
    if (!copy)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a language");
    free(side->language);
    side->language = copy;
    return ATTEND_OK;
}

enum attend_status text_side_detect(struct text_side *side, const void *bytes,
                                    struct attend_error *err)
{
    side->detect = malloc(sizeof *side->detect);
    if (!side->detect)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a language");
    memcpy(side->detect, bytes, sizeof *side->detect);
    return ATTEND_OK;
}

enum attend_status text_side_copy(struct text_side *side, const struct text_side *from,
                                  struct attend_error *err)
{
    enum attend_status status = from->frames ? frame_source_copy(&side->frames, from->frames, err)
                                             : vocab_copy(&side->vocab, from->vocab, err);
    if (!status && !from->frames)
        status = tokenizer_copy(&side->tokenizer, from->tokenizer, err);
    if (!status)
        status = text_side_name(side, from->language, err);
    if (!status && from->detect)
        status = text_side_detect(side, from->detect, err);
    if (!status && from->languages)
        status = text_side_languages(side, from->languages, err);
    side->longest = from->longest;
    return status;
}

enum attend_status text_side_languages(struct text_side *side, const struct languages *languages,
                                       struct attend_error *err)
{
    struct languages *copy = calloc(1, sizeof *copy);
    const enum attend_status status =
        copy ? languages_copy(copy, languages, err)
             : error_set(err, ATTEND_NO_MEMORY, "out of memory for languages");
    if (status) {
        free(copy);
        return status;
    }
    if (side->languages)
        languages_release(side->languages);
    free(side->languages);
    side->languages = copy;
    return ATTEND_OK;
}

void text_side_release(struct text_side *side)
{
    tokenizer_free(side->tokenizer);
    vocab_free(side->vocab);
    frame_source_free(side->frames);
    free(side->language);
    free(side->detect);
    if (side->languages)
        languages_release(side->languages);
    free(side->languages);
    *side = (struct text_side){0};
}

enum attend_status text_side_copies(int **out, const struct text_side *source,
                                    const struct text_side *target, struct attend_error *err)
{
    const int size = vocab_size(source->vocab);
    int *copies = malloc((size_t)size * sizeof *copies);
    if (!copies)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for the words that can be copied");
    for (int i = 0; i < size; i++) {
        const char *piece = vocab_piece(source->vocab, i);
        copies[i] = i < VOCAB_SPECIALS ? i : vocab_id(target->vocab, piece, strlen(piece));
    }
    *out = copies;
    return ATTEND_OK;
}

void text_side_join(const struct text_side *side, const int *ids, int count, struct strbuf *out)
{
    const char **piece = calloc((size_t)count + 1, sizeof *piece);
    for (int i = 0; piece && i < count; i++)
        piece[i] = vocab_piece(side->vocab, ids[i]);
    if (piece)
        tokenizer_join(side->tokenizer, out, piece, count);
    out->failed = out->failed || !piece;
    free(piece);
}
