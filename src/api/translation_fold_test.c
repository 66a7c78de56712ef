/* Folding, replacing unknown words, and scores of given pairs. */
#include "api/model.h"
#include "attend/translate.h"

#include "base/rng.h"
#include "test.h"
#include "lines_walk.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Models with tokenizers only ---- */

struct fixture {
    struct model inside;
    struct attend_model model;
};

static struct tokenizer *make_tokenizer(const char *name)
{
    static const char lesson[] = "the quick brown fox jumps over the lazy dog\n";
    struct tokenizer *t = NULL;
    struct lines lines;
    assert_true(lines_of(&lines, lesson));
    struct lines_walk walk = {.lines = &lines};
    assert_int_equal(tokenizer_new(&t, name, NULL, NULL), ATTEND_OK);
    assert_int_equal(tokenizer_learn(t, &(struct tokenizer_walk){lines_walk_next, &walk},
                                     &(struct tokenizer_lesson){.learn = attend_subwords_learn,
                                                                .vocab_size = 70},
                                     NULL),
                     ATTEND_OK);
    lines_release(&lines);
    return t;
}

static void fixture_init(struct fixture *f, const char *source, const char *target)
{
    *f = (struct fixture){0};
    f->inside.source.tokenizer = make_tokenizer(source);
    f->inside.target.tokenizer = make_tokenizer(target);
    assert_int_equal(
        vocab_from_counter(&f->inside.target.vocab, &(struct vocab_counter){0}, 0, NULL),
        ATTEND_OK);
    f->model.model = &f->inside;
}

static void fixture_release(struct fixture *f)
{
    text_side_release(&f->inside.source);
    text_side_release(&f->inside.target);
}

struct pieces {
    char *item[64];
    int count;
};

static void collect(void *context, const struct tokenizer_piece *piece)
{
    struct pieces *p = context;
    assert_true(p->count < 63);
    p->item[p->count++] = strndup(piece->text, piece->length);
}

static char **pieces_of(const struct tokenizer *t, const char *text, int *count)
{
    struct pieces p = {0};
    assert_true(tokenizer_split(t, text, strlen(text), collect, &p));
    p.item[p.count++] = strdup("</s>");
    char **copy = calloc((size_t)p.count, sizeof *copy);
    memcpy(copy, p.item, (size_t)p.count * sizeof *copy);
    *count = p.count;
    return copy;
}

/* Random weights; each row sums to 1. */
static void fill(struct attend_translation *t, int source_count, uint64_t key)
{
    const size_t T = (size_t)t->target_count, S = (size_t)source_count;
    t->attention = calloc(T * S, sizeof *t->attention);
    t->token_score = calloc(T, sizeof *t->token_score);
    t->complete = true;
    for (size_t i = 0; i < T; i++) {
        double sum = 0;
        for (size_t j = 0; j < S; j++)
            sum += rng_uniform(key, i * S + j);
        for (size_t j = 0; j < S; j++)
            t->attention[i * S + j] = (float)(rng_uniform(key, i * S + j) / sum);
        t->token_score[i] = (float)-rng_uniform(key + 1, i);
        t->log_probability += (double)t->token_score[i];
    }
}

static void sample(struct attend_translation *t, const struct fixture *f, const char *source,
                   const char *target)
{
    *t = (struct attend_translation){.text = strdup(target)};
    t->source = pieces_of(f->inside.source.tokenizer, source, &t->source_count);
    t->target = pieces_of(f->inside.target.tokenizer, target, &t->target_count);
    fill(t, t->source_count, 5);
    t->other = calloc(1, sizeof *t->other);
    t->others = 1;
    t->other->text = strdup("the dog");
    t->other->target = pieces_of(f->inside.target.tokenizer, "the dog", &t->other->target_count);
    fill(t->other, t->source_count, 9);
}

/* ---- Folding ---- */

static void assert_sound(const struct attend_translation *t, int source_count)
{
    double total = 0;
    for (int i = 0; i < t->target_count; i++) {
        double sum = 0;
        for (int j = 0; j < source_count; j++)
            sum += (double)t->attention[i * source_count + j];
        assert_near(sum, 1, 1e-6);
        total += (double)t->token_score[i];
    }
    assert_near(total, t->log_probability, 1e-6);
}

TEST(translation_fold_keeps_rows_and_scores_whole_in_every_pair_of_tokenizers)
{
    for (int s = 0; s < TOKENIZER_COUNT; s++)
        for (int i = 0; i < TOKENIZER_COUNT; i++) {
            struct fixture f;
            struct attend_translation t, folded;
            fixture_init(&f, tokenizers[s]->name, tokenizers[i]->name);
            sample(&t, &f, "the quick, brown (fox)", "over  the lazy dog!");
            assert_int_equal(attend_translation_fold(&folded, &t, &f.model, NULL), ATTEND_OK);
            assert_int_equal(folded.source_count, 5);
            assert_int_equal(folded.target_count, 5);
            assert_string_equal(folded.source[1], "quick,");
            assert_string_equal(folded.source[3], "(fox)");
            assert_string_equal(folded.source[4], "</s>");
            assert_string_equal(folded.target[3], "dog!");
            assert_string_equal(folded.text, t.text);
            assert_sound(&folded, 5);
            assert_int_equal(folded.others, 1);
            assert_int_equal(folded.other->target_count, 3);
            assert_sound(folded.other, 5);
            attend_translation_release(&folded);
            attend_translation_release(&t);
            fixture_release(&f);
        }
}

/* Give a translation of "x, y" as "ab c" weights, two heads, copied shares and scores. */
static void set_numbers(struct attend_translation *t)
{
    static const float weight[] = {
        0.1f, 0.2f, 0.3f, 0.4f, /* a */
        0.3f, 0.4f, 0.1f, 0.2f, /* b */
        1,    0,    0,    0,    /* blank: its row is dropped */
        0,    0.5f, 0.5f, 0,    /* c */
        0,    0,    0,    1,
    };
    assert_int_equal(t->source_count * t->target_count, sizeof weight / sizeof *weight);
    memcpy(t->attention, weight, sizeof weight);
    t->heads = 2;
    t->head_attention = malloc(2 * sizeof weight);
    for (int i = 0; i < 20; i++)
        t->head_attention[i] = 3 * (t->head_attention[20 + i] = weight[i]);
    t->copied = malloc(5 * sizeof *t->copied);
    for (int i = 0; i < 5; i++) {
        t->token_score[i] = (float)(1 << i);
        t->copied[i] = (float)i / 4;
    }
}

TEST(translation_fold_sums_columns_and_averages_rows)
{
    struct fixture f;
    struct attend_translation t, folded;
    fixture_init(&f, "word", "char");
    sample(&t, &f, "x, y", "ab c");
    set_numbers(&t);
    assert_int_equal(attend_translation_fold(&folded, &t, &f.model, NULL), ATTEND_OK);
    static const double want[] = {0.5, 0.2, 0.3, 0.5, 0.5, 0, 0, 0, 1};
    for (int i = 0; i < 9; i++)
        assert_near((double)folded.attention[i], want[i], 1e-6);
    assert_int_equal(folded.heads, 2);
    for (int i = 0; i < 9; i++) {
        assert_near((double)folded.head_attention[i], 3 * want[i], 1e-6);
        assert_near((double)folded.head_attention[9 + i], want[i], 1e-6);
    }
    static const double copied[] = {0.125, 0.75, 1};
    for (int i = 0; i < 3; i++)
        assert_near((double)folded.copied[i], copied[i], 1e-6);
    assert_near((double)folded.token_score[0], 1 + 2 + 4, 0);
    assert_near((double)folded.token_score[1], 8, 0);
    assert_near((double)folded.token_score[2], 16, 0);
    attend_translation_release(&folded);
    attend_translation_release(&t);
    fixture_release(&f);
}

TEST(translation_fold_takes_a_line_without_words)
{
    struct fixture f;
    struct attend_translation t = {.text = "", .complete = true}, folded;
    fixture_init(&f, "char", "char");
    assert_int_equal(attend_translation_fold(&folded, &t, &f.model, NULL), ATTEND_OK);
    assert_string_equal(folded.text, "");
    assert_int_equal(folded.source_count + folded.target_count, 0);
    attend_translation_release(&folded);
    fixture_release(&f);
}

/* ---- Unknown words ---- */

static struct attend_lexicon *lexicon(const char *text)
{
    char path[64];
    struct attend_lexicon *l = NULL;
    snprintf(path, sizeof path, "translation_fold_test.%ld.tsv", (long)getpid());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(attend_lexicon_load(&l, path, NULL), ATTEND_OK);
    assert_int_equal(unlink(path), 0);
    return l;
}

/* Make target piece i unknown, with most weight on </s> and then on source piece j. */
static void look(struct attend_translation *t, int i, int j)
{
    free(t->target[i]);
    t->target[i] = strdup("<unk>");
    for (int k = 0; k < t->source_count; k++)
        t->attention[i * t->source_count + k] = k == j                     ? 0.4f
                                                : k == t->source_count - 1 ? 0.5f
                                                                           : 0.01f;
}

static void assert_replaced(const char *tokenizer, const char *source, const char *target, int i,
                            int j, const struct attend_lexicon *l, const char *want)
{
    struct fixture f;
    struct attend_translation t;
    fixture_init(&f, tokenizer, tokenizer);
    sample(&t, &f, source, target);
    look(&t, i, j);
    assert_int_equal(attend_translation_replace_unknown(&t, &f.model, l, NULL), ATTEND_OK);
    assert_string_equal(t.text, want);
    attend_translation_release(&t);
    fixture_release(&f);
}

TEST(translation_unknown_becomes_the_word_looked_at)
{
    struct attend_lexicon *l = lexicon("fox\tNew York\nzebra\tz\n");
    assert_replaced("spaces", "the fox runs", "a b c", 1, 1, NULL, "a fox c");
    assert_replaced("spaces", "the fox runs", "a b c", 1, 1, l, "a New York c");
    assert_replaced("spaces", "the fox runs", "a b c", 2, 2, l, "a b runs");
    assert_replaced("word", "the fox, runs", "a b c", 1, 2, l, "a, c");
    assert_replaced("word", "the fox, runs", "a, b", 1, 1, l, "a New York b");
    assert_replaced("char", "x\xC3\xA9z", "abc", 1, 1, l,
                    "a\xC3\xA9"
                    "c");
    attend_lexicon_free(l);
}

TEST(translation_unknown_subword_leaves_the_mark_of_a_blank)
{
    struct fixture f;
    struct attend_translation t;
    fixture_init(&f, "sentencepiece", "sentencepiece");
    sample(&t, &f, "\xC3\xA9 fox", "the dog");
    int j = 0;
    while (strstr(t.source[j], "\xC3\xA9") == NULL)
        j++;
    look(&t, t.target_count - 2, j);
    assert_int_equal(attend_translation_replace_unknown(&t, &f.model, NULL, NULL), ATTEND_OK);
    assert_non_null(strstr(t.text, "\xC3\xA9"));
    assert_null(strstr(t.text, "\xE2\x96\x81"));
    attend_translation_release(&t);
    fixture_release(&f);
}

TEST(translation_unknown_needs_attention)
{
    struct fixture f;
    struct attend_translation t;
    fixture_init(&f, "spaces", "spaces");
    sample(&t, &f, "a", "b");
    free(t.attention);
    t.attention = NULL;
    assert_int_equal(attend_translation_replace_unknown(&t, &f.model, NULL, NULL), ATTEND_USAGE);
    attend_translation_release(&t);
    fixture_release(&f);
}

TEST(lexicon_answers_whole_lines)
{
    struct attend_lexicon *l = lexicon("New York\tla pomme\n");
    struct attend_translation t;
    assert_int_equal(attend_lexicon_answer(l, " New York", &t, NULL), ATTEND_OK);
    assert_string_equal(t.text, "la pomme");
    assert_true(t.complete);
    attend_translation_release(&t);
    assert_int_equal(attend_lexicon_answer(l, "York", &t, NULL), ATTEND_OK);
    assert_null(t.text);
    attend_lexicon_free(l);
}

/* ---- Given pairs ---- */

TEST(force_scores_every_token_and_takes_pieces)
{
    static const char *const sources[] = {"a b c", "h g", "d"};
    static const char *const targets[] = {"c b a", "h zebra", ""};
    static const char *const pieces[] = {"c b a", " h  <unk> ", ""};
    struct attend_model *model = NULL;
    struct attend_translator *translator = NULL;
    struct attend_translation text[3], given[3];
    assert_int_equal(
        attend_model_load(&model, ATTEND_SOURCE "/tests/data/model-v1.safetensors", NULL),
        ATTEND_OK);
    assert_int_equal(attend_translator_new(&translator, (const struct attend_model *const *)&model,
                                           1, NULL, NULL),
                     ATTEND_OK);
    assert_int_equal(attend_force(translator, sources, targets, 3, text, NULL), ATTEND_OK);
    assert_int_equal(attend_force_pieces(translator, sources, pieces, 3, given, NULL), ATTEND_OK);
    assert_true(text[0].log_probability > -3 && text[1].log_probability < -6);
    assert_string_equal(given[1].text, "h <unk>");
    for (int i = 0; i < 3; i++) {
        double total = 0;
        for (int k = 0; k < text[i].target_count; k++) {
            total += (double)text[i].token_score[k];
            assert_true(text[i].token_score[k] <= 0);
        }
        assert_near(total, text[i].log_probability, 1e-6);
        assert_near(given[i].log_probability, text[i].log_probability, 1e-9);
        assert_int_equal(given[i].target_count, text[i].target_count);
        attend_translation_release(&text[i]);
        attend_translation_release(&given[i]);
    }
    static const char *const broken[] = {"a", "\xC3\x28"};
    struct attend_error err = {.message = ""};
    assert_int_equal(attend_force_pieces(translator, sources, broken, 2, given, &err), ATTEND_DATA);
    assert_string_equal(err.message, "target:2: invalid UTF-8 at byte 1; convert it to UTF-8");
    attend_translator_free(translator);
    attend_model_free(model);
}
