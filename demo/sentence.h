/* A sentence pair under construction: two token lists and the links between them. */
#ifndef DEMO_SENTENCE_H
#define DEMO_SENTENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_TOKENS = 24, TOKEN_BYTES = 16 };

/* A set of source positions, one bit for each token. The source is built first, so that each target
 * token can be added with the source tokens that it translates. */
typedef uint32_t marks;

struct sentence {
    char source[MAX_TOKENS][TOKEN_BYTES];
    char target[MAX_TOKENS][TOKEN_BYTES];
    marks sure[MAX_TOKENS];     /* for each target token, its sure source tokens */
    marks possible[MAX_TOKENS]; /* ... and its possible ones */
    int source_count;
    int target_count;
    bool failed; /* a token or a list was too long; the sentence is unusable */
};

/* Appends the source token stem+suffix and returns its mark. */
marks put_source(struct sentence *sentence, const char *stem, const char *suffix);

/* Appends a target token linked to the given source tokens. */
void put_target(struct sentence *sentence, const char *word, marks sure, marks possible);

/* True if every target token has a link and nothing overflowed. */
bool sentence_is_sound(const struct sentence *sentence);

/* Tokens joined by single spaces. False if the buffer is too small. */
bool source_text(const struct sentence *sentence, char *buffer, size_t size);
bool target_text(const struct sentence *sentence, char *buffer, size_t size);

/* Pharaoh links, `i-j` sure and `ipj` possible, ordered by target and then by source. */
bool gold_text(const struct sentence *sentence, char *buffer, size_t size);

#endif
