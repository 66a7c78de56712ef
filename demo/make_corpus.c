/* Writes the demo corpus: romanized Hindi, English and word links, in three splits. */
#include "english.h"
#include "hindi.h"
#include "sampler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRAIN_PAIRS = 20000, VALID_PAIRS = 500, TEST_PAIRS = 500 };
enum { ALL_PAIRS = TRAIN_PAIRS + VALID_PAIRS + TEST_PAIRS };
enum { TABLE_SLOTS = 65536, MAX_DRAWS = 4000000, SHORTEST = 3, LONGEST = 12 };
enum { COLUMNS = 3, COLUMN_BYTES = 256 };
enum column { SOURCE, TARGET, GOLD };

/* The sentence that the demo translates. It is in no split, so the model has never seen it. */
static const char held_out[] = "mai ghar ja raha hoon";

struct pair {
    char text[COLUMNS][COLUMN_BYTES];
};

/* Pairs in the order in which they were added, and a hash table of their sources (index + 1; 0:
 * free). */
struct corpus {
    struct pair *pairs;
    int count;
    int slots[TABLE_SLOTS];
};

enum outcome { ADDED, SKIPPED, AMBIGUOUS };

/* FNV-1a */
static uint32_t hash_text(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

/* The slot that holds the source, or the free slot where it belongs. */
static int *find_slot(struct corpus *corpus, const char *source)
{
    uint32_t at = hash_text(source) % TABLE_SLOTS;
    while (corpus->slots[at] &&
           strcmp(corpus->pairs[corpus->slots[at] - 1].text[SOURCE], source) != 0)
        at = (at + 1) % TABLE_SLOTS;
    return &corpus->slots[at];
}

static bool same_pair(const struct pair *a, const struct pair *b)
{
    return strcmp(a->text[TARGET], b->text[TARGET]) == 0 &&
           strcmp(a->text[GOLD], b->text[GOLD]) == 0;
}

static bool length_fits(int tokens) { return tokens >= SHORTEST && tokens <= LONGEST; }

static bool pair_of_clause(const struct clause *clause, struct pair *pair)
{
    struct sentence sentence = {0};
    struct clause_marks at = {0};
    build_hindi(&sentence, clause, &at);
    build_english(&sentence, clause, &at);
    if (!sentence_is_sound(&sentence) || !length_fits(sentence.source_count) ||
        !length_fits(sentence.target_count))
        return false;
    return source_text(&sentence, pair->text[SOURCE], COLUMN_BYTES) &&
           target_text(&sentence, pair->text[TARGET], COLUMN_BYTES) &&
           gold_text(&sentence, pair->text[GOLD], COLUMN_BYTES);
}

/* Adds a sentence if it is new and not the held-out one. A source with two different targets would
 * make the task ambiguous, so that is reported. */
static enum outcome add_clause(struct corpus *corpus, const struct clause *clause)
{
    struct pair pair;
    if (!pair_of_clause(clause, &pair) || strcmp(pair.text[SOURCE], held_out) == 0)
        return SKIPPED;
    int *slot = find_slot(corpus, pair.text[SOURCE]);
    if (*slot && same_pair(&corpus->pairs[*slot - 1], &pair))
        return SKIPPED;
    if (*slot) {
        fprintf(stderr, "make_corpus: ambiguous source \"%s\": \"%s\" or \"%s\"\n",
                pair.text[SOURCE], corpus->pairs[*slot - 1].text[TARGET], pair.text[TARGET]);
        return AMBIGUOUS;
    }
    corpus->pairs[corpus->count++] = pair;
    *slot = corpus->count;
    return ADDED;
}

/* The neighbors of the held-out sentence are added first, so that they stay in training. */
static bool add_neighbors(struct corpus *corpus)
{
    for (int i = 0; i < neighbor_count(); i++) {
        struct clause clause;
        if (neighbor_clause(i, &clause) && add_clause(corpus, &clause) == AMBIGUOUS)
            return false;
    }
    return true;
}

static bool add_draws(struct corpus *corpus, struct rng *rng)
{
    for (long draw = 0; corpus->count < ALL_PAIRS; draw++) {
        struct clause clause;
        if (draw == MAX_DRAWS) {
            fprintf(stderr, "make_corpus: the grammar has too few sentences\n");
            return false;
        }
        if (draw_clause(rng, &clause) && add_clause(corpus, &clause) == AMBIGUOUS)
            return false;
    }
    return true;
}

/* Fisher-Yates */
static void shuffle(struct pair *pairs, int count, struct rng *rng)
{
    for (int i = count - 1; i > 0; i--) {
        int j = rng_below(rng, i + 1);
        struct pair held = pairs[i];
        pairs[i] = pairs[j];
        pairs[j] = held;
    }
}

static bool write_column(const char *path, const struct pair *pairs, int count, enum column column)
{
    /* binary: the same bytes on every system */
    FILE *file = fopen(path, "wb");
    if (!file) {
        fprintf(stderr, "make_corpus: cannot create %s\n", path);
        return false;
    }
    bool good = true;
    for (int i = 0; i < count && good; i++)
        good = fprintf(file, "%s\n", pairs[i].text[column]) > 0;
    good = fclose(file) == 0 && good;
    if (!good)
        fprintf(stderr, "make_corpus: cannot write %s\n", path);
    return good;
}

static bool write_split(const char *folder, const char *name, const struct pair *pairs, int count)
{
    static const char *const extensions[COLUMNS] = {
        [SOURCE] = "hi", [TARGET] = "en", [GOLD] = "gold"};
    for (int column = 0; column < COLUMNS; column++) {
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/%s.%s", folder, name, extensions[column]);
        if (length < 0 || (size_t)length >= sizeof path) {
            fprintf(stderr, "make_corpus: the path %.40s... is too long\n", folder);
            return false;
        }
        if (!write_column(path, pairs, count, (enum column)column))
            return false;
    }
    return true;
}

/* The samples are shuffled, and the last ones become validation and test. The neighbors, which come
 * before the samples, stay in training, which is shuffled again to mix them in. */
static bool make_corpus(struct corpus *corpus, const char *folder)
{
    struct rng rng = {5};
    if (!add_neighbors(corpus))
        return false;
    int pinned = corpus->count;
    if (!add_draws(corpus, &rng))
        return false;
    shuffle(corpus->pairs + pinned, ALL_PAIRS - pinned, &rng);
    shuffle(corpus->pairs, TRAIN_PAIRS, &rng);
    const struct pair *valid = corpus->pairs + TRAIN_PAIRS;
    return write_split(folder, "train", corpus->pairs, TRAIN_PAIRS) &&
           write_split(folder, "valid", valid, VALID_PAIRS) &&
           write_split(folder, "test", valid + VALID_PAIRS, TEST_PAIRS);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: make_corpus DIR\n");
        return 2;
    }
    struct corpus *corpus = calloc(1, sizeof *corpus);
    struct pair *pairs = calloc(ALL_PAIRS, sizeof *pairs);
    bool good = corpus && pairs;
    if (good) {
        corpus->pairs = pairs;
        good = make_corpus(corpus, argv[1]);
    } else {
        fprintf(stderr, "make_corpus: out of memory\n");
    }
    free(pairs);
    free(corpus);
    return good ? 0 : 1;
}
