/* All parts of the library agree on a text, even a hostile one: tokens, positions, words and
 * matrices have matching sizes, and a text has the same translation in a batch as alone.
 * tests/long/texts.sh runs this over a million texts. */
#include "api/model.h"
#include "api/translation.h"
#include "attend/explain.h"
#include "attend/plot.h"

#include "base/json.h"
#include "hostile_texts.h"
#include "test.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <math.h>
#include <unistd.h>

/* ---- Untrained models ---- */

struct fixture {
    struct attend_model *model;
    struct attend_translator *translator;
    struct hostile_texts texts;
};

struct kind {
    const char *tokenizer, *form, *attention;
    bool features;
    int heads;
    const char *letter_case;
};
static const struct kind kinds[] = {
    {"spaces", "none", "additive", false, 1, "keep"},
    {"spaces", "nfc", "dot", true, 1, "marked"},
    {"char", "nfkc", "scaled_dot", false, 2, "lower"},
    {"word", "nfc", "general", true, 1, "marked"},
    {"sentencepiece", "nfc", "location", false, 1, "marked"},
    {"sentencepiece", "nfkc", "none", true, 1, "keep"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool no_text(void *context, const char **text, size_t *length)
{
    (void)context, (void)text, (void)length;
    return false;
}

static void side_init(struct text_side *side, const struct kind *k)
{
    static const char pieces[] = "<unk>\n<s>\n</s>\na\nb\nc\nd\nthe\nfox\n\xEF\xBF\xAD.\n";
    const struct tokenizer_settings settings = {
        .form = k->form, .features = k->features, .letter_case = k->letter_case};
    struct strbuf bytes = {0};
    const bool learns = strcmp(k->tokenizer, "sentencepiece") == 0;
    *side = (struct text_side){0};
    if (learns)
        assert_int_equal(io_read(ATTEND_SOURCE "/tests/data/subwords.model", &bytes, NULL),
                         ATTEND_OK);
    assert_int_equal(
        tokenizer_load(&side->tokenizer, k->tokenizer, &settings, bytes.text, bytes.length, NULL),
        ATTEND_OK);
    assert_int_equal(learns ? tokenizer_vocab(&side->vocab, side->tokenizer,
                                              &(struct tokenizer_walk){no_text, NULL}, 0, NULL)
                            : vocab_parse(&side->vocab, pieces, sizeof pieces - 1, "pieces", NULL),
                     ATTEND_OK);
    strbuf_release(&bytes);
}

static void save_model(const char *path, const struct kind *k)
{
    struct attend_network_options config = {0};
    struct attend_settings set = {0};
    struct seq2seq net;
    struct text_side side;
    struct attend_error err = {.message = ""};
    side_init(&side, k);
    option_add(&set, "", network_rows, &config);
    config.source_vocab = config.target_vocab = vocab_size(side.vocab);
    config.emb = config.hidden = config.attention_size = config.readout_size = 4;
    config.positions = 9;
    assert_int_equal(option_assign(&set, "attention", k->attention, &err), ATTEND_OK);
    config.heads = k->heads;
    model_config_complete(&config);
    if (model_config_check(&config, &err))
        fail_msg("%s", err.message);
    assert_int_equal(seq2seq_init(&net, &config, PACKING_TRAIN, NULL), ATTEND_OK);
    real *values = calloc(net.params.size, sizeof *values);
    param_bind(&net.params, values, NULL);
    assert_int_equal(param_initialize(&net.params, 3, NULL), ATTEND_OK);
    assert_int_equal(model_save(path, &net, &side, &side, NULL, NULL), ATTEND_OK);
    seq2seq_release(&net);
    option_release(&set);
    text_side_release(&side);
    free(values);
}

static void fixture_init(struct fixture *f, const struct kind *k)
{
    struct attend_translator_options options = attend_translator_defaults();
    char path[64];
    struct attend_error err = {.message = ""};
    snprintf(path, sizeof path, "readers_agree_test.%ld", (long)getpid());
    save_model(path, k);
    if (attend_model_load(&f->model, path, &err))
        fail_msg("%s", err.message);
    unlink(path);
    options.beam = options.nbest = 2;
    options.max_length = 0.5;
    options.threads = 1;
    if (attend_translator_new(&f->translator, (const struct attend_model *const *)&f->model, 1,
                              &options, &err))
        fail_msg("%s", err.message);
    assert_int_equal(
        attend_translator_search(f->translator, &(struct attend_search){.each_head = true}, &err),
        ATTEND_OK);
    hostile_texts_init(&f->texts, (uint64_t)(k - kinds) + 1);
}

static void fixture_release(struct fixture *f)
{
    attend_translator_free(f->translator);
    attend_model_free(f->model);
    hostile_texts_release(&f->texts);
}

/* ---- What must hold ---- */

static void assert_matrix(const float *weight, int rows, int columns)
{
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int j = 0; j < columns; j++) {
            const double w = (double)weight[(size_t)i * (size_t)columns + (size_t)j];
            assert_true(w >= 0 && w <= 1.0001);
            sum += w;
        }
        assert_near(sum, 1, 1e-4);
    }
}

static void assert_sound(const struct attend_translation *t, const struct attend_translation *of)
{
    assert_int_equal(t->source_count, of->source_count);
    for (int i = 0; i < t->target_count; i++) {
        assert_true(strlen(t->target[i]) > 0);
        assert_true((double)t->token_score[i] <= 0);
    }
    if (t->attention)
        assert_matrix(t->attention, t->target_count, t->source_count);
    for (int h = 0; h < t->heads; h++)
        assert_matrix(t->head_attention +
                          (size_t)h * (size_t)t->target_count * (size_t)t->source_count,
                      t->target_count, t->source_count);
}

static void assert_sound_all(const struct attend_translation *t)
{
    for (int j = 0; j < t->source_count; j++)
        assert_true(strlen(t->source[j]) > 0);
    assert_sound(t, t);
    for (int i = 0; i < t->others; i++)
        assert_sound(&t->other[i], t);
}

/* The JSON of a translation has a row for each target word and a column for each source word. */
static void assert_json(const struct attend_translation *t)
{
    char *text = attend_translation_json(t);
    struct json *json;
    struct attend_error err = {.message = ""};
    if (json_parse(&json, text, strlen(text), "translation", &err))
        fail_msg("%s in %s", err.message, text);
    const struct json *attention = json_member(json, "attention");
    assert_int_equal(json_length(json_member(json, "source")), t->source_count);
    assert_int_equal(json_length(json_member(json, "target")), t->target_count);
    for (int i = 0; i < json_length(attention); i++)
        assert_int_equal(json_length(json_at(attention, i)), t->source_count);
    json_free(json);
    free(text);
}

static void assert_same(const struct attend_translation *a, const struct attend_translation *b)
{
    assert_string_equal(a->text, b->text);
    assert_int_equal(a->source_count, b->source_count);
    assert_int_equal(a->target_count, b->target_count);
    assert_near(a->log_probability, b->log_probability, 1e-5);
    for (int j = 0; j < a->source_count; j++)
        assert_string_equal(a->source[j], b->source[j]);
}

/* ---- Batches of texts ---- */

enum { MOST = 16 };
struct texts {
    struct strbuf text[MOST];
    const char *line[MOST];
    int count;
};

static void next_texts(struct texts *t, struct hostile_texts *from, int count)
{
    t->count = count;
    for (int i = 0; i < count; i++) {
        hostile_text(from, &t->text[i]);
        t->line[i] = t->text[i].text;
    }
}

static void texts_release(struct texts *t)
{
    for (int i = 0; i < MOST; i++)
        strbuf_release(&t->text[i]);
}

/* Positions lie in the text and rise, and the number of tokens is the number of words. */
static void check_places(const struct fixture *f, const struct texts *t,
                         const struct attend_translation *result)
{
    struct tokenized tokens;
    assert_int_equal(translation_tokenize(&tokens, &f->model->model->source, TOKENIZED_SOURCE,
                                          t->line, t->count, "texts", NULL),
                     ATTEND_OK);
    for (int i = 0; i < t->count; i++) {
        const int count = tokenized_count(&tokens, i);
        size_t from = 0;
        const bool features = f->model->model->source.tokenizer->features;
        assert_int_equal(result[i].source_count, count ? count + 1 : 0);
        for (int k = 0; k < count; k++) {
            const struct token_span span = tokenized_span(&tokens, i, k);
            assert_true(span.from <= span.to && span.to <= strlen(t->line[i]));
            assert_true(features || span.from >= from);
            from = span.from;
        }
    }
    tokenized_release(&tokens);
}

static void check_translate(struct fixture *f, const struct texts *t)
{
    struct attend_translation together[MOST], alone;
    struct attend_error err = {.message = ""};
    if (attend_translate(f->translator, t->line, t->count, together, &err))
        fail_msg("%s", err.message);
    check_places(f, t, together);
    for (int i = 0; i < t->count; i++) {
        assert_int_equal(attend_translate(f->translator, &t->line[i], 1, &alone, &err), ATTEND_OK);
        assert_same(&together[i], &alone);
        assert_sound_all(&together[i]);
        if (together[i].source_count)
            assert_json(&together[i]);
        attend_translation_release(&alone);
        attend_translation_release(&together[i]);
    }
}

static void check_force(struct fixture *f, const struct texts *source, const struct texts *target)
{
    struct attend_translation together[MOST], alone;
    struct attend_error err = {.message = ""};
    if (attend_force(f->translator, source->line, target->line, source->count, together, &err))
        fail_msg("%s", err.message);
    for (int i = 0; i < source->count; i++) {
        assert_int_equal(
            attend_force(f->translator, &source->line[i], &target->line[i], 1, &alone, &err),
            ATTEND_OK);
        assert_same(&together[i], &alone);
        assert_sound_all(&together[i]);
        attend_translation_release(&alone);
        attend_translation_release(&together[i]);
    }
}

TEST(readers_agree_on_hostile_texts_translated_and_forced)
{
    const int wanted = hostile_texts_wanted(3000) / KINDS;
    for (int k = 0; k < KINDS; k++) {
        struct fixture f;
        struct texts source = {0}, target = {0};
        fixture_init(&f, &kinds[k]);
        for (int done = 0; done < wanted; done += 2 * source.count) {
            next_texts(&source, &f.texts, 1 + (int)hostile_next(&f.texts, MOST));
            next_texts(&target, &f.texts, source.count);
            check_translate(&f, &source);
            check_force(&f, &source, &target);
        }
        texts_release(&source);
        texts_release(&target);
        fixture_release(&f);
    }
}

/* ---- Pictures, words, steps, explanations, other attention ---- */

static void check_picture(const struct attend_translation *t)
{
    const struct attend_matrix m = {.source = (const char *const *)t->source,
                                    .target = (const char *const *)t->target,
                                    .source_count = t->source_count,
                                    .target_count = t->target_count,
                                    .weight = t->attention};
    for (int view = 0; view <= ATTEND_VIEW_SALIENCE && t->attention; view++) {
        const struct attend_style style = {.view = (enum attend_view)view};
        struct attend_picture *picture = attend_picture_matrices(&m, 1, &style);
        char *svg = attend_picture_svg(picture);
        char *terminal = attend_terminal_matrices(&m, 1, &style, view == 1);
        assert_true(svg && terminal);
        attend_text_free(svg);
        attend_text_free(terminal);
        attend_picture_free(picture);
    }
}

static void check_fold(struct fixture *f, const char *line)
{
    struct attend_translation t, words;
    struct attend_error err = {.message = ""};
    assert_int_equal(attend_translate(f->translator, &line, 1, &t, &err), ATTEND_OK);
    assert_int_equal(attend_translation_fold(&words, &t, f->model, &err), ATTEND_OK);
    assert_true(words.source_count <= t.source_count && words.target_count <= t.target_count);
    for (int i = 0; i < words.target_count && words.attention; i++) {
        double sum = 0;
        for (int j = 0; j < words.source_count; j++)
            sum += (double)words.attention[i * words.source_count + j];
        assert_near(sum, 1, 1e-4);
    }
    check_picture(&words);
    attend_translation_release(&words);
    attend_translation_release(&t);
}

/* A focus on the last source token is accepted, one beyond it is refused. */
static void check_focus(struct fixture *f, const char *line, int source_count)
{
    for (int beyond = 0; beyond < 2; beyond++) {
        const struct attend_focus focus = {0, source_count - 1 + beyond, 0.5};
        struct attend_what_if what_if;
        struct attend_error err = {.message = ""};
        const enum attend_status status =
            attend_what_if(&what_if, f->translator, line, NULL, &focus, 1, &err);
        assert_int_equal(status, beyond ? ATTEND_USAGE : ATTEND_OK);
        if (status)
            continue;
        assert_int_equal(what_if.before.source_count, source_count);
        assert_sound_all(&what_if.after);
        attend_what_if_release(&what_if);
    }
}

static int check_explanation(struct fixture *f, const char *source, const char *target)
{
    struct attend_explanation *e = NULL;
    struct attend_error err = {.message = ""};
    const enum attend_status status = attend_explain(
        &e, f->translator,
        &(struct attend_explain_job){.source = source, .target = target, .ig_steps = 1}, &err);
    if (status == ATTEND_USAGE)
        return 0; /* no words */
    if (status)
        fail_msg("%s", err.message);
    char *text = attend_explanation_json(e);
    struct json *json;
    assert_int_equal(json_parse(&json, text, strlen(text), "explanation", &err), ATTEND_OK);
    json_free(json);
    const int source_count = e->source_count;
    for (int i = 0; e->value[ATTEND_ATTENTION] && i < e->target_count; i++)
        assert_matrix(e->value[ATTEND_ATTENTION] + (size_t)i * (size_t)source_count, 1,
                      source_count);
    attend_text_free(text);
    attend_explanation_free(e);
    return source_count;
}

static void check_steps(struct fixture *f, const char *source, const char *target, int source_count)
{
    struct attend_steps *s;
    struct attend_error err = {.message = ""};
    if (attend_steps_new(&s, f->translator,
                         &(struct attend_steps_job){.source = source, .target = target, .top = 2},
                         &err))
        fail_msg("%s", err.message);
    assert_int_equal(s->source_count, source_count);
    for (int i = 0; s->weight && i < s->target_count * s->heads; i++)
        assert_matrix(s->weight + (size_t)i * (size_t)source_count, 1, source_count);
    attend_steps_free(s);
}

TEST(readers_agree_on_hostile_texts_explained_and_drawn)
{
    const int wanted = hostile_texts_wanted(3000) / 100 / KINDS;
    for (int k = 0; k < KINDS; k++) {
        struct fixture f;
        struct texts t = {0};
        fixture_init(&f, &kinds[k]);
        for (int done = 0; done < wanted; done++) {
            next_texts(&t, &f.texts, 2);
            const int count = check_explanation(&f, t.line[0], t.line[1]);
            if (!count)
                continue;
            check_steps(&f, t.line[0], done % 2 ? t.line[1] : NULL, count);
            check_fold(&f, t.line[0]);
            if (attend_model_attends(f.model))
                check_focus(&f, t.line[0], count);
        }
        texts_release(&t);
        fixture_release(&f);
    }
}
