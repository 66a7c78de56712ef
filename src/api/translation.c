#include "api/translation.h"

#include "base/error.h"
#include "text/vocab.h"

#include <stdlib.h>
#include <string.h>

static void free_words(char **words, int count)
{
    for (int i = 0; words && i < count; i++)
        free(words[i]);
    free(words);
}

static void release(struct attend_translation *t)
{
    free_words(t->source, t->source ? t->source_count : 0);
    free_words(t->target, t->target_count);
    free(t->other);
    free(t->text);
    free(t->token_score);
    free(t->attention);
    free(t->head_attention);
    free(t->copied);
    *t = (struct attend_translation){0};
}

void attend_translation_release(struct attend_translation *t)
{
    for (int i = 0; i < t->others; i++)
        release(&t->other[i]); /* which has no others */
    release(t);
}

void translation_add_word(struct translation_words *w, const char *text, size_t length)
{
    if (w->count == w->size) {
        const int size = w->size ? 2 * w->size : 16;
        char **more = realloc(w->word, (size_t)size * sizeof *more);
        w->failed = w->failed || !more;
        if (!more)
            return;
        w->word = more;
        w->size = size;
    }
    char *copy = strndup(text, length);
    w->failed = w->failed || !copy;
    if (copy)
        w->word[w->count++] = copy;
}

void translation_add_end(struct translation_words *w, const struct vocab *vocab)
{
    const char *end = vocab_piece(vocab, VOCAB_EOS);
    translation_add_word(w, end, strlen(end));
}

bool translation_words(const struct tokenized *t, int i, const struct vocab *vocab, char ***word,
                       int *count)
{
    struct translation_words w = {0};
    for (int k = 0; k < tokenized_count(t, i); k++) {
        const char *text = tokenized_spelling(t, i, k);
        translation_add_word(&w, text, strlen(text));
    }
    translation_add_end(&w, vocab);
    *word = w.word;
    *count = w.count;
    return !w.failed;
}

int translation_unseen(const struct model *m, int source_count)
{
    const struct attention *attention = &m->net.decoder.attention;
    const int past = source_count - attention->dims.positions;
    return attention->ops == &attention_location && past > 0 ? past : 0;
}

bool translation_looks(const struct model *m)
{
    return m->net.decoder.attention.ops != &attention_none;
}

enum attend_status translation_tokenize(struct tokenized *out, const struct model_side *side,
                                        const char *const *text, int count, const char *name,
                                        struct attend_error *err)
{
    return tokenized_make(out, &(struct corpus_side){side->tokenizer, side->vocab, name},
                          TOKENIZED_TEXT, text, count, err);
}

enum attend_status translation_finish(const struct translation_run *run, int count,
                                      enum attend_status status, struct attend_error *err)
{
    if (!status && atomic_load(&run->failed))
        status = error_set(err, ATTEND_NO_MEMORY, "out of memory for %d translations", count);
    for (int i = 0; i < count && status; i++)
        attend_translation_release(&run->out[i]);
    return status;
}
