/* One side of a model: its tokenizer, vocabulary and language. */
#include "model/model.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "text/detect.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

bool model_language_valid(const char *code)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    const size_t length = strlen(code);
    return length > 0 && length <= 35 && strspn(code, letters) == length;
}

enum attend_status model_side_name(struct model_side *side, const char *language,
                                   struct attend_error *err)
{
    if (!language)
        return ATTEND_OK;
    if (!model_language_valid(language))
        return error_set(err, ATTEND_USAGE,
                         "'%.64s' is no code of a language: letters, digits and dashes, as en or "
                         "pt-BR",
                         language);
    char *copy = strdup(language);
    if (!copy)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a language");
    free(side->language);
    side->language = copy;
    return ATTEND_OK;
}

enum attend_status model_side_detect(struct model_side *side, const void *bytes,
                                     struct attend_error *err)
{
    side->detect = malloc(sizeof *side->detect);
    if (!side->detect)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for a language");
    memcpy(side->detect, bytes, sizeof *side->detect);
    return ATTEND_OK;
}

enum attend_status model_side_copy(struct model_side *side, const struct model_side *from,
                                   struct attend_error *err)
{
    struct strbuf text = {0};
    vocab_write(from->vocab, &text);
    enum attend_status status = strbuf_status(&text, err);
    if (!status)
        status = vocab_parse(&side->vocab, text.text, text.length, "vocabulary", err);
    if (!status)
        status = tokenizer_copy(&side->tokenizer, from->tokenizer, err);
    if (!status)
        status = model_side_name(side, from->language, err);
    if (!status && from->detect)
        status = model_side_detect(side, from->detect, err);
    strbuf_release(&text);
    return status;
}

void model_side_release(struct model_side *side)
{
    tokenizer_free(side->tokenizer);
    vocab_free(side->vocab);
    free(side->language);
    free(side->detect);
    *side = (struct model_side){0};
}

enum attend_status model_side_copies(int **out, const struct model_side *source,
                                     const struct model_side *target, struct attend_error *err)
{
    const int size = vocab_size(source->vocab);
    int *copies = malloc((size_t)size * sizeof *copies);
    if (!copies)
        return error_set(err, ATTEND_NO_MEMORY, "out of memory for words that can be copied");
    for (int i = 0; i < size; i++) {
        const char *piece = vocab_piece(source->vocab, i);
        copies[i] = i < VOCAB_SPECIALS ? i : vocab_id(target->vocab, piece, strlen(piece));
    }
    *out = copies;
    return ATTEND_OK;
}

void model_side_join(const struct model_side *side, const int *ids, int count, struct strbuf *out)
{
    const char **piece = calloc((size_t)count + 1, sizeof *piece);
    for (int i = 0; piece && i < count; i++)
        piece[i] = vocab_piece(side->vocab, ids[i]);
    if (piece)
        tokenizer_join(side->tokenizer, out, piece, count);
    out->failed = out->failed || !piece;
    free(piece);
}
