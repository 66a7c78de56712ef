/* A small model and a folder of its own, for tests of model files. */
#ifndef ATTEND_TESTS_FILE_FIXTURE_H
#define ATTEND_TESTS_FILE_FIXTURE_H

#include "model/file.h"

#include "base/io.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "folder_fixture.h"
#include "model/model.h"
#include "test.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static inline struct strbuf read_all(const char *path)
{
    struct strbuf bytes = {0};
    assert_int_equal(io_read(path, &bytes, NULL), ATTEND_OK);
    return bytes;
}

static inline void assert_same_bytes(const char *left, const char *right)
{
    struct strbuf a = read_all(left), b = read_all(right);
    assert_int_equal(a.length, b.length);
    assert_memory_equal(a.text, b.text, a.length);
    strbuf_release(&a);
    strbuf_release(&b);
}

/* ---- A small model ---- */

#define SPECIALS "<unk>\n<s>\n</s>\n"
static const char SOURCE_TEXT[] = SPECIALS "the\n\xc3\xa9t\xc3\xa9\n\"\\\n",
                  TARGET_TEXT[] = SPECIALS " \na\n";
struct fixture {
    struct folder folder;
    struct attend_network_options config;
    struct attend_settings settings; /* of the config: its texts are theirs */
    struct seq2seq net;
    real *values;
    struct text_side source, target;
};

/* Every setting at its default but the sizes. */
static inline void small_config(struct fixture *f, int emb, int hidden)
{
    option_add(&f->settings, "", network_rows, &f->config);
    f->config.source_vocab = 6;
    f->config.target_vocab = 5;
    f->config.emb = emb;
    f->config.hidden = hidden;
    f->config.attention_size = 4;
    f->config.readout_size = 1;
    f->config.positions = 1;
}

static inline struct vocab *vocab_of(const char *text)
{
    struct vocab *v = NULL;
    assert_int_equal(vocab_parse(&v, text, strlen(text), "vocab", NULL), ATTEND_OK);
    return v;
}

static inline void fixture_sized(struct fixture *f, int emb, int hidden)
{
    *f = (struct fixture){.folder = folder_enter()};
    small_config(f, emb, hidden);
    assert_int_equal(seq2seq_init(&f->net, &f->config, PACKING_TRAIN, NULL), ATTEND_OK);
    f->values = calloc(f->net.params.size, sizeof(real));
    param_bind(&f->net.params, f->values, NULL);
    for (size_t i = 0; i < f->net.params.size; i++)
        f->values[i] = (real)rng_normal(1, i);
    f->source.vocab = vocab_of(SOURCE_TEXT);
    f->target.vocab = vocab_of(TARGET_TEXT);
    assert_int_equal(tokenizer_new(&f->source.tokenizer, "spaces", NULL, NULL), ATTEND_OK);
    assert_int_equal(tokenizer_new(&f->target.tokenizer, "char", NULL, NULL), ATTEND_OK);
}

static inline void fixture_init(struct fixture *f) { fixture_sized(f, 2, 3); }

static inline void save(const struct fixture *f, const char *path)
{
    struct attend_error err = {.message = ""};
    if (model_save(path, &f->net, &f->source, &f->target, NULL, &err))
        fail_msg("%s", err.message);
}

static inline void fixture_release(struct fixture *f)
{
    seq2seq_release(&f->net);
    option_release(&f->settings);
    text_side_release(&f->source);
    text_side_release(&f->target);
    free(f->values);
    folder_leave(&f->folder);
}

static inline struct model *load(const char *path)
{
    struct model *m = NULL;
    struct attend_error err = {.message = ""};
    if (model_load(&m, path, &err))
        fail_msg("%s", err.message);
    return m;
}

static inline void assert_refused(const char *path, const char *message)
{
    struct model *m = NULL;
    struct attend_error err = {.message = ""};
    assert_int_equal(model_load(&m, path, &err), ATTEND_FORMAT);
    assert_null(m);
    if (strncmp(err.message, path, strlen(path)) != 0 || !strstr(err.message, message))
        fail_msg("'%s' is not in '%s'", message, err.message);
}

static inline void assert_same_params(const struct param_set *got, const struct param_set *want)
{
    assert_int_equal(got->count, want->count);
    for (int i = 0; i < want->count; i++) {
        const struct param *g = got->item[i], *w = want->item[i];
        assert_string_equal(g->path, w->path);
        assert_int_equal(g->rows, w->rows);
        assert_int_equal(g->cols, w->cols);
        assert_memory_equal(g->value, w->value, (size_t)w->rows * (size_t)w->cols * sizeof(real));
    }
}

#endif
