/* Every kind of model survives saving and loading, byte for byte. */
#include "model/model.h"

#include "base/strbuf.h"
#include "model/file.h"
#include "model/model_parts.h"
#include "model/placement.h"
#include "source_fixture.h"
#include "test.h"
#include "text/detect.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char PIECES[] = "<unk>\n<s>\n</s>\na\nb\n";

static void assert_same_file(const char *a, const char *b)
{
    struct strbuf left = {0}, right = {0};
    assert_int_equal(io_read(a, &left, NULL), ATTEND_OK);
    assert_int_equal(io_read(b, &right, NULL), ATTEND_OK);
    assert_int_equal(left.length, right.length);
    assert_memory_equal(left.text, right.text, left.length);
    strbuf_release(&left);
    strbuf_release(&right);
}

static void set_all(struct attend_settings *set, const char *settings)
{
    struct attend_error err = {.message = ""};
    char text[256];
    snprintf(text, sizeof text, "%s", settings);
    for (char *rest = text, *name; (name = strsep(&rest, " "));) {
        char *value = strchr(name, '=');
        if (!value)
            continue;
        *value++ = '\0';
        if (option_assign(set, name, value, &err))
            fail_msg("%s", err.message);
    }
}

/* Sets "name=value ..." of a small network. `set` keeps the texts. */
static void set_config(struct attend_network_options *config, struct attend_settings *set,
                       const char *settings)
{
    struct attend_error err = {.message = ""};
    *config = (struct attend_network_options){.emb = 0};
    option_add(set, "", network_rows, config);
    option_add(set, "", model_size_rows, config);
    set_all(set, "source_vocab=5 target_vocab=5");
    set_all(set, "emb=4 hidden=6 positions=7");
    set_all(set, settings);
    model_config_complete(config);
    if (model_config_check(config, &err))
        fail_msg("%s: %s", settings, err.message);
}

/* Save a model with these settings, load it, save it again. */
static void check_round_trip(const char *settings)
{
    struct attend_network_options config;
    struct attend_settings set = {0};
    struct seq2seq net;
    struct model *loaded;
    struct attend_error err = {.message = ""};
    char first[64], second[64];
    set_config(&config, &set, settings);
    assert_int_equal(seq2seq_init(&net, &config, PACKING_TRAIN, NULL), ATTEND_OK);
    real *values = calloc(net.params.size, sizeof *values);
    param_bind(&net.params, values, NULL);
    assert_int_equal(param_initialize(&net.params, 3, NULL), ATTEND_OK);
    struct text_side side = {0};
    assert_int_equal(tokenizer_new(&side.tokenizer, "spaces", NULL, NULL), ATTEND_OK);
    assert_int_equal(vocab_parse(&side.vocab, PIECES, strlen(PIECES), "pieces", NULL), ATTEND_OK);
    snprintf(first, sizeof first, "model_test.%ld.first", (long)getpid());
    snprintf(second, sizeof second, "model_test.%ld.second", (long)getpid());
    struct text_side source = source_fixture(config.source_width, &side);
    assert_int_equal(model_save(first, &net, &source, &side, NULL, NULL), ATTEND_OK);
    text_side_release(&source);
    if (model_load(&loaded, first, &err))
        fail_msg("%s: %s", settings, err.message);
    assert_int_equal(model_save(second, &loaded->net, &loaded->source, &loaded->target, NULL, NULL),
                     ATTEND_OK);
    assert_same_file(first, second);
    unlink(first);
    unlink(second);
    model_free(loaded);
    text_side_release(&side);
    seq2seq_release(&net);
    option_release(&set);
    free(values);
}

TEST(model_of_every_attention_survives_its_file)
{
    for (const struct attention_ops *const *ops = attentions; *ops; ops++) {
        char settings[128];
        snprintf(settings, sizeof settings, "attention=%s heads=%d coverage=%s", (*ops)->name,
                 (*ops)->heads ? 2 : 1, (*ops)->coverage ? "true" : "false");
        check_round_trip(settings);
        for (const struct placement_ops *const *p = placements; *p; p++) {
            snprintf(settings, sizeof settings, "attention=%s placement=%s input-feeding=%s",
                     (*ops)->name, (*p)->name, (*p)->feeds ? "true" : "false");
            check_round_trip(settings);
        }
    }
}

TEST(model_of_frames_survives_its_file)
{
    check_round_trip("source_width=3");
    check_round_trip("source_width=3 pyramid=2 encoder-layers=3 unidirectional=true");
}

static const char *refusal(const char *settings, struct attend_error *err)
{
    struct attend_network_options config;
    struct attend_settings set = {0};
    set_config(&config, &set, "");
    set_all(&set, settings);
    assert_int_equal(model_config_check(&config, err), ATTEND_USAGE);
    option_release(&set);
    return err->message;
}

TEST(config_refuses_what_frames_exclude)
{
    struct attend_error err;
    assert_string_equal(refusal("source_width=3 copy=true", &err),
                        "`copy` needs a source of tokens; frames cannot be copied");
    assert_string_equal(refusal("source_width=3 tie=all", &err),
                        "`tie` all needs a source of tokens; frames have no embedding table");
    assert_string_equal(refusal("pyramid=1 encoder-layers=2", &err),
                        "`pyramid` needs a source of frames; the words of a text stay apart");
    assert_string_equal(refusal("source_width=3 pyramid=2 encoder-layers=2", &err),
                        "`pyramid` 2 needs `encoder_layers` 3 or more");
}

TEST(config_refuses_skip_links_that_have_nothing_to_skip)
{
    struct attend_error err;
    assert_string_equal(refusal("skip=true", &err), "`skip` needs at least two `decoder_layers`");
    assert_string_equal(
        refusal("skip=true decoder-layers=2 placement=luong", &err),
        "`skip` needs `placement` bahdanau or conditional; in the others the context "
        "comes after the layers");
}

TEST(config_refuses_what_a_transformer_encoder_lacks)
{
    struct attend_error err;
    assert_string_equal(
        refusal("encoder=transformer start=copy", &err),
        "`start` copy needs `encoder` recurrent; the others read all of a source at once");
    assert_string_equal(
        refusal("encoder=transformer unidirectional=true", &err),
        "`unidirectional` needs `encoder` recurrent; the others read all of a source at once");
    assert_string_equal(
        refusal("encoder=transformer source_width=3 pyramid=1 encoder-layers=2", &err),
        "`pyramid` needs `encoder` recurrent; the others read all of a source at once");
    assert_string_equal(refusal("encoder=transformer encoder-heads=9", &err),
                        "`encoder_heads` must divide `hidden`");
    assert_string_equal(
        refusal("encoder=transformer encoder-heads=2 encoder-layers=3 residual=true", &err),
        "`residual` needs at least two layers in the encoder or decoder");
}

TEST(config_refuses_what_a_hard_attention_excludes)
{
    struct attend_error err;
    assert_string_equal(refusal("attention=monotonic copy=true", &err),
                        "`copy` needs a soft attention; monotonic has a word for every position "
                        "instead");
    assert_string_equal(refusal("attention=monotonic heads=2 hidden=6", &err),
                        "`heads` needs `attention` dot, general, scaled_dot or cosine");
    assert_string_equal(refusal("attention=monotonic coverage=true", &err),
                        "`coverage` needs `attention` additive");
    assert_string_equal(refusal("attention=monotonic target_vocab=1001", &err),
                        "`attention` monotonic computes the output at every source position, so "
                        "the target may have at most 1000 different tokens, such as characters, "
                        "not 1001");
    assert_string_equal(refusal("monotonic-order=1", &err),
                        "`monotonic_order` needs `attention` monotonic");
}

TEST(model_of_the_first_order_survives_its_file)
{
    check_round_trip("attention=monotonic monotonic-order=1");
    check_round_trip("attention=monotonic monotonic-order=1 placement=luong input-feeding=true");
}

TEST(model_of_a_transformer_survives_its_file)
{
    for (int learned = 0; learned <= 1; learned++)
        for (const struct activation_ops *const *a = activations; *a; a++) {
            char settings[128];
            snprintf(settings, sizeof settings,
                     "encoder=transformer encoder-layers=2 encoder-heads=1 encoder-ff=7 "
                     "encoder-positions=%s encoder-activation=%s",
                     learned ? "learned" : "sinusoidal", (*a)->name);
            check_round_trip(settings);
        }
    check_round_trip("encoder=transformer source_width=3 encoder-heads=1");
}

TEST(model_of_every_cell_survives_its_file)
{
    for (const struct cell_ops *const *cell = cells; *cell; cell++) {
        char settings[128];
        snprintf(settings, sizeof settings,
                 "cell=%s encoder-layers=3 decoder-layers=2 residual=true layer-norm=true",
                 (*cell)->name);
        check_round_trip(settings);
    }
}

TEST(model_of_every_start_readout_and_tie_survives_its_file)
{
    static const char *const settings[] = {
        "skip=true decoder-layers=2 placement=conditional",
        "start=zero readout=linear tie=none",
        "start=last readout=tanh tie=target",
        "start=mean readout=maxout tie=all",
        "start=copy unidirectional=true",
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        check_round_trip(settings[i]);
}

/* ---- Tokenizers with a state and settings ---- */

static bool no_text(void *context, const char **text, size_t *length)
{
    (void)context, (void)text, (void)length;
    return false;
}

/* A side with a user's SentencePiece model. */
static struct text_side subword_side(const char *form, bool features)
{
    struct text_side side = {0};
    struct strbuf bytes = {0};
    struct attend_error err = {.message = ""};
    const struct tokenizer_settings settings = {.form = form, .features = features};
    assert_int_equal(io_read(ATTEND_SOURCE "/tests/data/subwords.model", &bytes, NULL), ATTEND_OK);
    if (tokenizer_load(&side.tokenizer, "sentencepiece", &settings, bytes.text, bytes.length,
                       &err) ||
        tokenizer_vocab(&side.vocab, side.tokenizer, &(struct tokenizer_walk){no_text, NULL}, 0,
                        &err))
        fail_msg("%s", err.message);
    strbuf_release(&bytes);
    return side;
}

static void save_with_sides(const char *path, const struct text_side *source,
                            const struct text_side *target)
{
    struct attend_network_options config = {0};
    struct attend_settings set = {0};
    struct seq2seq net;
    option_add(&set, "", network_rows, &config);
    config.source_vocab = vocab_size(source->vocab);
    config.target_vocab = vocab_size(target->vocab);
    config.emb = config.hidden = config.attention_size = config.readout_size = 2;
    config.positions = 1;
    model_config_complete(&config);
    assert_int_equal(seq2seq_init(&net, &config, PACKING_TRAIN, NULL), ATTEND_OK);
    real *values = calloc(net.params.size, sizeof *values);
    param_bind(&net.params, values, NULL);
    assert_int_equal(model_save(path, &net, source, target, NULL, NULL), ATTEND_OK);
    seq2seq_release(&net);
    option_release(&set);
    free(values);
}

static void add_piece(void *context, const struct tokenizer_piece *piece)
{
    strbuf_add(context, piece->text, piece->length);
    strbuf_addc(context, '|');
}

static void assert_pieces(const struct tokenizer *t, const char *text, const char *want)
{
    struct strbuf got = {0};
    assert_true(tokenizer_split(t, text, strlen(text), add_piece, &got));
    assert_string_equal(got.text, want);
    strbuf_release(&got);
}

TEST(model_keeps_the_state_and_the_settings_of_its_tokenizers)
{
    struct text_side source = subword_side("none", true), target = subword_side("nfkc", false);
    struct model *m = NULL;
    struct attend_error err = {.message = ""};
    char first[64], second[64];
    snprintf(first, sizeof first, "model_test.%ld.first", (long)getpid());
    snprintf(second, sizeof second, "model_test.%ld.second", (long)getpid());
    save_with_sides(first, &source, &target);
    if (model_load(&m, first, &err))
        fail_msg("%s", err.message);
    assert_true(m->source.tokenizer->features && m->source.tokenizer->form == UTF8_NONE);
    assert_true(!m->target.tokenizer->features && m->target.tokenizer->form == UTF8_NFKC);
    assert_pieces(m->source.tokenizer, "the man\tN",
                  "\xE2\x9F\xA8N\xE2\x9F\xA9|\xE2\x96\x81the|\xE2\x96\x81man|");
    assert_pieces(m->target.tokenizer, "\xEF\xBD\x94he", "\xE2\x96\x81the|");
    assert_int_equal(model_save(second, &m->net, &m->source, &m->target, NULL, NULL), ATTEND_OK);
    assert_same_file(first, second);
    unlink(first);
    unlink(second);
    model_free(m);
    text_side_release(&source);
    text_side_release(&target);
}

/* ---- Languages ---- */

TEST(model_keeps_its_languages_and_how_they_look)
{
    struct text_side source = subword_side("none", false), target = subword_side("none", false);
    struct model *m = NULL;
    struct text_side copy = {0};
    char first[64], second[64];
    snprintf(first, sizeof first, "model_test.%ld.first", (long)getpid());
    snprintf(second, sizeof second, "model_test.%ld.second", (long)getpid());
    assert_int_equal(text_side_name(&source, "pt-BR", NULL), ATTEND_OK);
    assert_int_equal(text_side_name(&source, NULL, NULL), ATTEND_OK);
    source.detect = malloc(sizeof *source.detect);
    memset(source.detect, 42, sizeof *source.detect);
    save_with_sides(first, &source, &target);
    assert_int_equal(model_load_copy(&m, first, NULL), ATTEND_OK);
    unlink(first);
    assert_string_equal(m->source.language, "pt-BR");
    assert_memory_equal(m->source.detect, source.detect, sizeof *source.detect);
    assert_true(!m->target.language && !m->target.detect);
    assert_int_equal(text_side_copy(&copy, &m->source, NULL), ATTEND_OK);
    save_with_sides(first, &source, &target);
    save_with_sides(second, &copy, &m->target);
    assert_same_file(first, second);
    unlink(first);
    unlink(second);
    model_free(m);
    text_side_release(&copy);
    text_side_release(&source);
    text_side_release(&target);
}

TEST(model_with_a_language_alone_looks_like_its_vocabulary)
{
    struct text_side side = subword_side("none", false);
    struct model *m = NULL;
    char path[64];
    snprintf(path, sizeof path, "model_test.%ld", (long)getpid());
    assert_int_equal(text_side_name(&side, "en", NULL), ATTEND_OK);
    save_with_sides(path, &side, &side);
    assert_int_equal(model_load(&m, path, NULL), ATTEND_OK);
    assert_non_null(m->source.detect);
    const struct detect *const language[] = {m->source.detect};
    double bits[2];
    assert_true(detect_bits(language, 1, "the man and the house", bits));
    assert_true(bits[0] < bits[1]);
    unlink(path);
    model_free(m);
    text_side_release(&side);
}

TEST(model_language_is_a_code)
{
    static const char *const wrong[] = {
        "", "e n", "en\n", "\xc3\xa4", "en_US", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    struct text_side side = {0};
    struct attend_error err;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(text_side_name(&side, wrong[i], &err), ATTEND_USAGE);
    assert_null(side.language);
    assert_true(text_language_valid("en") && text_language_valid("zh-Hant-TW"));
}

/* Save the file again with tokenizer.target replaced by another tensor, or, without a name,
 * removed. */
static void change_state(const char *path, const char *name, const char *bytes)
{
    struct io_map map;
    struct file *file = NULL;
    struct model *m = NULL;
    struct file_tensor tensor[PARAM_MAX + 4];
    struct file_text text[] = {
        {"config", NULL}, {"source_tokenizer", NULL}, {"target_tokenizer", NULL}};
    int count = 0;
    assert_int_equal(model_load(&m, path, NULL), ATTEND_OK);
    assert_int_equal(io_map(&map, path, NULL), ATTEND_OK);
    assert_int_equal(file_open(&file, &map, path, NULL), ATTEND_OK);
    for (; count < m->net.params.count; count++) {
        const struct param *p = m->net.params.item[count];
        tensor[count] =
            (struct file_tensor){p->path, FILE_REAL, (size_t)p->rows, (size_t)p->cols, p->value};
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(file_find_text(file, &text[i], NULL), ATTEND_OK);
    const char *names[] = {"vocab.source", "tokenizer.source", "vocab.target"};
    for (int i = 0; i < 3; i++) {
        tensor[count] = (struct file_tensor){.name = names[i], .dtype = FILE_U8, .rows = 1};
        assert_int_equal(file_find_tensor(file, &tensor[count++], NULL), ATTEND_OK);
    }
    if (name)
        tensor[count++] = (struct file_tensor){name, FILE_U8, 1, strlen(bytes), bytes};
    assert_int_equal(file_save(path,
                               &(struct file_content){
                                   .text = text, .texts = 3, .tensor = tensor, .tensors = count},
                               NULL),
                     ATTEND_OK);
    file_close(file);
    io_unmap(&map);
    model_free(m);
}

TEST(model_without_the_state_of_its_tokenizer_is_refused)
{
    static const char *const cases[][3] = {
        {"tokenizer.target", "no such thing", "its tokenizer.target: is no sound SentencePiece"},
        {NULL, "", "is damaged: it has no tensor tokenizer.target"},
        {"tokenizer.other", "x", "is damaged: it has no tensor tokenizer.target"},
    };
    struct text_side side = subword_side("none", false);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct model *m = NULL;
        struct attend_error err = {.message = ""};
        char path[64];
        snprintf(path, sizeof path, "model_test.%ld", (long)getpid());
        save_with_sides(path, &side, &side);
        change_state(path, cases[i][0], cases[i][1]);
        assert_int_equal(model_load(&m, path, &err), ATTEND_FORMAT);
        assert_non_null(strstr(err.message, cases[i][2]));
        assert_null(m);
        unlink(path);
    }
    text_side_release(&side);
}
