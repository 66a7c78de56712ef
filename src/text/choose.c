#include "text/choose.h"

#include "base/error.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdio.h>
#include <string.h>

static const double SINGLE_WORDS = 1.5, FEW_WORDS = 3, OFTEN = 20, SYMBOL_LENGTH = 2.5;
enum { CLOSED_SET = 512, WORDS_FOR_A_PIECE = 50, LEAST_PIECES = 500, MOST_PIECES = 8000 };

/* The facts that the rules use. */
struct facts {
    struct vocab_counter seen;
    long lines, words;
};

static void add_word(void *context, const struct tokenizer_piece *word)
{
    struct facts *f = context;
    vocab_counter_add(&f->seen, word->text, word->length);
    f->words++;
}

static void gather(struct facts *f, const struct tokenizer_walk *walk, bool features)
{
    const char *text;
    size_t length;
    while (!f->seen.failed && walk->next(walk->context, &text, &length)) {
        const long before = f->words;
        const char *tab = features && length ? memchr(text, '\t', length) : NULL;
        tokenizer_spaces.split(NULL, text, tab ? (size_t)(tab - text) : length, add_word, f);
        f->lines += f->words > before;
    }
}

static int pieces_for(long words)
{
    const long pieces = words / WORDS_FOR_A_PIECE;
    return (int)(pieces < LEAST_PIECES  ? LEAST_PIECES
                 : pieces > MOST_PIECES ? MOST_PIECES
                                        : pieces);
}

/* Mean number of characters per distinct word. */
static double word_length(const struct facts *f)
{
    long characters = 0;
    for (int i = 0; i < f->seen.pieces.count; i++)
        for (const char *c = piece_table_at(&f->seen.pieces, i); *c; c++)
            characters += (*c & 0xC0) != 0x80;
    return (double)characters / f->seen.pieces.count;
}

static bool is_closed_set(const struct facts *f)
{
    const int distinct = f->seen.pieces.count;
    return distinct && distinct <= CLOSED_SET &&
           ((double)f->words >= OFTEN * distinct || word_length(f) <= SYMBOL_LENGTH);
}

static void decide(struct choose_result *out, const struct facts *f)
{
    const int distinct = f->seen.pieces.count;
    const double a_line = f->lines ? (double)f->words / (double)f->lines : 0;
    *out = (struct choose_result){.tokenizer = tokenizer_char.name};
    char *to = out->reason;
    const size_t room = sizeof out->reason;
    if (a_line >= SINGLE_WORDS && is_closed_set(f)) {
        out->tokenizer = tokenizer_spaces.name;
        snprintf(to, room, "%d different words of %.1f characters, %.0f times each: spaces",
                 distinct, word_length(f), (double)f->words / distinct);
    } else if (a_line <= FEW_WORDS) {
        snprintf(to, room, "%.1f words a line: char", a_line);
    } else {
        out->tokenizer = tokenizer_sentencepiece.name;
        out->vocab_size = pieces_for(f->words);
        snprintf(to, room, "%.1f words a line, %d different: sentencepiece with %d pieces", a_line,
                 distinct, out->vocab_size);
    }
}

enum attend_status choose_tokenizer(struct choose_result *out, const struct tokenizer_walk *walk,
                                    bool features, struct attend_error *err)
{
    struct facts f = {0};
    gather(&f, walk, features);
    const bool failed = f.seen.failed;
    if (!failed)
        decide(out, &f);
    vocab_counter_release(&f.seen);
    return failed ? error_set(err, ATTEND_NO_MEMORY, "out of memory for counting words")
                  : ATTEND_OK;
}
