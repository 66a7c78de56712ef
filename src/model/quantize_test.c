/* Conversion to int8: every kind of model, its file, and refused input. */
#include "model/quantize.h"

#include "base/strbuf.h"
#include "model/model.h"
#include "model/model_parts.h"
#include "model/placement.h"
#include "model/weights.h"
#include "source_fixture.h"
#include "test.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char PIECES[] = "<unk>\n<s>\n</s>\na\nb\nc\nd\ne\nf\ng\n";
enum { VOCAB = 10 };

struct fixture {
    char plain[64], small[64]; /* files: float and int8 */
    struct model *from, *to;   /* the models in them */
};

/* ---- A model with these settings ("name=value ..."), as a file, and its conversion ---- */

static void assign_all(struct attend_settings *set, const char *settings)
{
    struct attend_error err = {.message = ""};
    char text[256];
    snprintf(text, sizeof text, "emb=5 hidden=6 positions=7 %s", settings);
    for (char *rest = text, *name; (name = strsep(&rest, " "));) {
        char *value = strchr(name, '=');
        if (!value)
            continue;
        *value++ = '\0';
        if (option_assign(set, name, value, &err))
            fail_msg("%s", err.message);
    }
}

static void save_plain(const char *path, const char *settings, real broken)
{
    struct attend_network_options config = {.emb = 0};
    struct attend_settings set = {0};
    struct text_side side = {0};
    struct seq2seq net;
    const struct model_extra extra = {.text = {{"settings", "{}"}}, .texts = 1};
    option_add(&set, "", network_rows, &config);
    option_add(&set, "", model_size_rows, &config);
    config.source_vocab = config.target_vocab = VOCAB;
    assign_all(&set, settings);
    model_config_complete(&config);
    assert_int_equal(seq2seq_init(&net, &config, PACKING_RUN, NULL), ATTEND_OK);
    real *values = calloc(net.params.size, sizeof *values);
    param_bind(&net.params, values, NULL);
    assert_int_equal(param_initialize(&net.params, 3, NULL), ATTEND_OK);
    for (size_t i = 0; i < net.params.size; i++)
        values[i] += (real)(0.1 * sin((double)i)); /* biases too */
    if (!isfinite(broken))
        values[17] = broken;
    assert_int_equal(tokenizer_new(&side.tokenizer, "spaces", NULL, NULL), ATTEND_OK);
    assert_int_equal(vocab_parse(&side.vocab, PIECES, strlen(PIECES), "pieces", NULL), ATTEND_OK);
    struct text_side source = source_fixture(config.source_width, &side);
    assert_int_equal(model_save(path, &net, &source, &side, &extra, NULL), ATTEND_OK);
    text_side_release(&source);
    text_side_release(&side);
    seq2seq_release(&net);
    option_release(&set);
    free(values);
}

static struct fixture fixture_new(const char *settings)
{
    struct fixture f = {.from = NULL};
    struct attend_error err = {.message = ""};
    snprintf(f.plain, sizeof f.plain, "quantize_test.%ld.plain", (long)getpid());
    snprintf(f.small, sizeof f.small, "quantize_test.%ld.small", (long)getpid());
    save_plain(f.plain, settings, 0);
    if (model_load_floats(&f.from, f.plain, &err) ||
        quantize_save(f.from, f.plain, f.small, &err) || model_load(&f.to, f.small, &err))
        fail_msg("%s: %s", settings, err.message);
    return f;
}

static void fixture_release(struct fixture *f)
{
    model_free(f->from);
    model_free(f->to);
    unlink(f->plain);
    unlink(f->small);
}

/* ---- Its loss on three pairs ---- */

static int source_ids[] = {3, 4, 5, 6, 7, 8, 9, 3}, target_ids[] = {5, 6, 7, 8, 9, 3, 4};
static size_t source_start[] = {0, 3, 4, 8}, target_start[] = {0, 1, 5, 7};
static const struct sequences source = {.count = 3, .start = source_start, .ids = source_ids},
                              target = {.count = 3, .start = target_start, .ids = target_ids};
/* The same lengths in frames of up to 3 numbers. */
static float source_rows[8 * 3] = {0.3f, -1.2f, 0.5f, 1.1f,  -0.4f, 0.9f, -0.7f, 0.2f,
                                   1.4f, -0.1f, 0.8f, -1.0f, 0.6f,  0.4f, -0.3f, 1.3f,
                                   0.1f, -0.9f, 0.7f, -0.6f, 1.2f,  0.0f, -1.1f, 0.2f};

struct run {
    const struct seq2seq *net;
    struct seq2seq_tape tape;
    struct gemm_scratch scratch[4];
    double loss;
};

static void run_worker(struct worker *w, void *job)
{
    struct run *r = job;
    struct compute c = {.worker = w, .gemm = r->scratch[w->index]};
    const struct seq2seq_job run = {.loss = {.scale = 1}};
    const double loss = seq2seq_run(r->net, &r->tape, &c, &run);
    if (w->index == 0)
        r->loss = loss;
}

static void run_bind(struct run *r, struct arena *arena, const struct batch_text *text, int team)
{
    seq2seq_tape_bind(&r->tape, arena, r->net, text, team);
    for (int i = 0; i < team; i++)
        gemm_scratch_bind(&r->scratch[i], arena);
}

static double loss_of(const struct model *m, const int *items, int count, int threads)
{
    const int width = m->net.config.source_width;
    const struct sequences frames = {
        .count = 3, .start = source_start, .width = width, .rows = source_rows};
    const struct batch_text text = {width ? &frames : &source, &target, items, count, NULL};
    struct run r = {.net = &m->net};
    struct arena counting = {0}, arena = {0};
    struct team *team;
    assert_int_equal(team_new(&team, threads, NULL), ATTEND_OK);
    run_bind(&r, &counting, &text, threads);
    assert_int_equal(arena_reserve(&arena, counting.used, NULL), ATTEND_OK);
    memset(arena.block, 0xff, arena.size);
    run_bind(&r, &arena, &text, threads);
    batch_fill(&r.tape.batch, &text);
    team_run(team, run_worker, &r);
    team_free(team);
    arena_release(&arena);
    return r.loss;
}

/* ---- Every kind of model ---- */

/* Each value is within half a quantization step of the original; vectors are unchanged. */
static void assert_params_near(const struct model *from, const struct model *to)
{
    assert_int_equal(from->net.params.count, to->net.params.count);
    for (int n = 0; n < from->net.params.count; n++) {
        const struct param *a = from->net.params.item[n], *b = to->net.params.item[n];
        const size_t size = (size_t)a->rows * (size_t)a->cols;
        assert_string_equal(a->path, b->path);
        assert_int_equal(param_shrinks(b), b->int8 != NULL);
        if (!b->int8)
            assert_memory_equal(a->value, b->value, size * sizeof(real));
        for (size_t i = 0; b->int8 && i < size; i++) {
            const size_t line = b->table ? i / (size_t)a->cols : i % (size_t)a->cols;
            const double step = (double)b->scales[line];
            assert_near(step * b->int8[i], (double)a->value[i], 0.501 * step);
        }
    }
}

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

static void check(const char *settings)
{
    static const int all[] = {0, 1, 2};
    struct fixture f = fixture_new(settings);
    char again[64];
    const double want = loss_of(f.from, all, 3, 1), got = loss_of(f.to, all, 3, 1);
    if (!(fabs(got - want) < 0.02 * want))
        fail_msg("%s: the loss is %g, of floats %g", settings, got, want);
    assert_near(loss_of(f.to, all, 3, 3), got, 1e-5 * got);
    double apart = 0;
    for (int i = 0; i < 3; i++)
        apart += loss_of(f.to, all + i, 1, 1);
    assert_near(apart, got, 1e-5 * got);
    assert_params_near(f.from, f.to);
    assert_true(f.to->net.int8 && !f.from->net.int8);
    assert_string_equal(f.to->settings, "{}");
    snprintf(again, sizeof again, "quantize_test.%ld.again", (long)getpid());
    const struct model_extra extra = {.text = {{"settings", "{}"}}, .texts = 1};
    assert_int_equal(model_save(again, &f.to->net, &f.to->source, &f.to->target, &extra, NULL),
                     ATTEND_OK);
    assert_same_file(f.small, again);
    unlink(again);
    fixture_release(&f);
}

TEST(quantize_of_every_attention_runs_and_survives_its_file)
{
    for (const struct attention_ops *const *ops = attentions; *ops; ops++) {
        char settings[128];
        snprintf(settings, sizeof settings, "attention=%s heads=%d coverage=%s", (*ops)->name,
                 (*ops)->heads ? 2 : 1, (*ops)->coverage ? "true" : "false");
        check(settings);
        for (const struct placement_ops *const *p = placements; *p; p++) {
            snprintf(settings, sizeof settings, "attention=%s placement=%s input-feeding=%s",
                     (*ops)->name, (*p)->name, (*p)->feeds ? "true" : "false");
            check(settings);
        }
    }
}

TEST(quantize_of_every_cell_start_readout_and_tie_runs_and_survives_its_file)
{
    static const char *const settings[] = {
        "cell=gru start=zero readout=linear tie=none",
        "cell=lstm start=last readout=tanh tie=target encoder-layers=2 decoder-layers=3",
        "cell=tanh start=mean readout=maxout tie=all layer-norm=true",
        "start=copy unidirectional=true residual=true encoder-layers=2 decoder-layers=2",
        "placement=conditional cell=lstm layer-norm=true decoder-layers=3 residual=true",
        "skip=true decoder-layers=3 cell=lstm",
        "skip=true decoder-layers=2 placement=conditional attention=dot heads=2",
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        check(settings[i]);
}

TEST(quantize_of_the_first_order_runs_and_survives_its_file)
{
    check("attention=monotonic monotonic-order=1");
    check("attention=monotonic monotonic-order=1 placement=luong");
}

TEST(quantize_of_frames_runs_and_survives_its_file)
{
    check("source_width=3");
    check("source_width=1");
    check("source_width=2 pyramid=1 encoder-layers=3 residual=true layer-norm=true");
}

TEST(quantize_of_a_transformer_runs_and_survives_its_file)
{
    check("encoder=transformer encoder-heads=1 encoder-layers=2");
    check("encoder=transformer encoder-heads=1 encoder-positions=learned encoder-ff=5");
    check("encoder=transformer encoder-heads=1 source_width=3 encoder-activation=gelu");
}

/* Matrices of one row have the shape of vectors and are treated as such. */
TEST(quantize_of_sizes_of_one_runs_and_survives_its_file)
{
    check("emb=1");
    check("hidden=1");
    check("attention-size=1 readout-size=1");
    check("emb=1 hidden=1 unidirectional=true tie=target placement=luong");
    check("emb=1 tie=all attention=location positions=1");
}

/* ---- What is refused ---- */

TEST(weights_that_are_not_finite_are_refused_when_loaded)
{
    char path[64];
    snprintf(path, sizeof path, "quantize_test.%ld.plain", (long)getpid());
    const real broken[] = {(real)NAN, (real)INFINITY};
    for (int i = 0; i < 2; i++) {
        struct model *m = NULL;
        struct attend_error err = {.message = ""};
        save_plain(path, "", broken[i]);
        assert_int_equal(model_load(&m, path, &err), ATTEND_FORMAT);
        assert_non_null(
            strstr(err.message, "its encoder.embedding.table contains NaN or infinity"));
        assert_null(m);
        unlink(path);
    }
}

TEST(quantize_is_refused_where_floats_are_needed)
{
    struct fixture f = fixture_new("");
    struct model *m = NULL;
    struct attend_error err = {.message = ""};
    assert_int_equal(model_load_floats(&m, f.small, &err), ATTEND_FORMAT);
    assert_non_null(strstr(err.message, "its weights are int8, which can only be run"));
    assert_null(m);
    fixture_release(&f);
}

/* Save the converted model again after `change` has modified its tensors and texts. */
struct content {
    struct file_tensor tensor[WEIGHTS_TENSORS + 4];
    struct file_text text[5];
    int tensors, texts;
};
typedef void change_fn(struct content *);

static struct file_tensor *tensor_of(struct content *c, const char *name)
{
    for (int i = 0; i < c->tensors; i++)
        if (strcmp(c->tensor[i].name, name) == 0)
            return &c->tensor[i];
    fail_msg("there is no %s", name);
    return NULL;
}

static void drop(struct content *c, const char *name)
{
    *tensor_of(c, name) = c->tensor[--c->tensors];
}

static int8_t low[100];
static float wrong_scales[100];

static void use_low(struct content *c)
{
    low[99] = -128;
    tensor_of(c, "encoder.embedding.table")->bytes = low;
}
static void use_nan(struct content *c)
{
    wrong_scales[3] = NAN;
    tensor_of(c, "encoder.embedding.table.scale")->bytes = wrong_scales;
}
static void use_negative(struct content *c)
{
    wrong_scales[3] = -1;
    tensor_of(c, "encoder.embedding.table.scale")->bytes = wrong_scales;
}
static void shorten(struct content *c) { tensor_of(c, "encoder.embedding.table.scale")->cols--; }
static void unsign(struct content *c) { tensor_of(c, "encoder.embedding.table")->dtype = FILE_U8; }
static void turn(struct content *c)
{
    struct file_tensor *t = tensor_of(c, "decoder.output.W");
    const size_t rows = t->rows;
    t->rows = t->cols;
    t->cols = rows;
}
static void forget_scale(struct content *c) { drop(c, "decoder.output.W.scale"); }
static void forget_kind(struct content *c) { c->texts--; }
static void invent_kind(struct content *c) { c->text[c->texts - 1].text = "int4"; }

static void save_changed(const struct model *m, const char *path, change_fn *change)
{
    static const char *const texts[] = {"config", "source_tokenizer", "target_tokenizer",
                                        WEIGHTS_TEXT},
                             *const vocabs[] = {"vocab.source", "vocab.target"};
    struct content c = {.texts = 4};
    struct weights_names names;
    struct file *file = NULL;
    assert_int_equal(file_open(&file, &m->map, path, NULL), ATTEND_OK);
    c.tensors = weights_tensors(c.tensor, &names, &m->net.params);
    for (int i = 0; i < 2; i++) {
        c.tensor[c.tensors] = (struct file_tensor){.name = vocabs[i], .rows = 1};
        assert_int_equal(file_find_tensor(file, &c.tensor[c.tensors++], NULL), ATTEND_OK);
    }
    for (int i = 0; i < 4; i++) {
        c.text[i].name = texts[i];
        assert_int_equal(file_find_text(file, &c.text[i], NULL), ATTEND_OK);
    }
    if (change)
        change(&c);
    assert_int_equal(
        file_save(path, &(struct file_content){c.text, c.tensor, c.texts, c.tensors, 0}, NULL),
        ATTEND_OK);
    file_close(file);
}

TEST(quantize_by_hand_is_refused_with_the_reason)
{
    static const struct {
        change_fn *change;
        const char *message;
    } cases[] = {
        {use_low, "its encoder.embedding.table contains -128, which is out of range"},
        {use_nan, "entry 3 of its encoder.embedding.table.scale is not a scale"},
        {use_negative, "entry 3 of its encoder.embedding.table.scale is not a scale"},
        {shorten, "its tensor encoder.embedding.table.scale is F32 (1, 9), not F32 (1, 10)"},
        {unsign, "its tensor encoder.embedding.table is U8 (10, 10), not I8 (10, 10)"},
        {turn, "its tensor decoder.output.W is I8 (10, 4), not I8 (4, 10)"},
        {forget_scale, "it has no tensor decoder.output.W.scale"},
        {forget_kind, "is I8"},
        {invent_kind, "its weights are int4, which this program does not have"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f = fixture_new("emb=10 readout-size=4");
        struct model *m = NULL;
        struct attend_error err = {.message = ""};
        save_changed(f.to, f.small, cases[i].change);
        assert_int_equal(model_load(&m, f.small, &err), ATTEND_FORMAT);
        if (!strstr(err.message, cases[i].message))
            fail_msg("'%s', not '%s'", err.message, cases[i].message);
        fixture_release(&f);
    }
    struct fixture f = fixture_new("emb=10 readout-size=4");
    struct model *m = NULL;
    save_changed(f.to, f.small, NULL);
    assert_int_equal(model_load(&m, f.small, NULL), ATTEND_OK);
    model_free(m);
    fixture_release(&f);
}

/* Programs for version 1 must refuse the file instead of misreading it. Float models stay readable
 * for them. */
TEST(quantize_writes_format_version_2_and_floats_stay_version_1)
{
    struct fixture f = fixture_new("");
    const char *const want[][2] = {{f.plain, "\"format_version\":\"1\""},
                                   {f.small, "\"format_version\":\"2\""}};
    for (int i = 0; i < 2; i++) {
        struct strbuf bytes = {0};
        assert_int_equal(io_read(want[i][0], &bytes, NULL), ATTEND_OK);
        assert_non_null(strstr(bytes.text + 8, want[i][1]));
        strbuf_release(&bytes);
    }
    fixture_release(&f);
}
