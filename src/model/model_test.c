/* Every kind of model survives its file: what is loaded is what was saved, to the byte. */
#include "model/model.h"

#include "base/strbuf.h"
#include "test.h"
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

/* Save a model with these settings ("name=value ..."), load it, save it again. */
static void check_round_trip(const char *settings)
{
    struct model_config config = {.source_vocab = 5, .target_vocab = 5};
    struct option_set set = {0};
    struct seq2seq net;
    struct model *loaded;
    struct attend_error err = {""};
    char text[256], first[64], second[64];
    assert_int_equal(option_add(&set, "", model_config_rows, &config, &err), ATTEND_OK);
    snprintf(text, sizeof text, "emb=4 hidden=6 positions=7 %s", settings);
    for (char *rest = text, *name; (name = strsep(&rest, " "));) {
        char *value = strchr(name, '=');
        if (!value)
            continue;
        *value++ = '\0';
        if (option_assign(&set, name, value, &err))
            fail_msg("%s", err.message);
    }
    model_config_complete(&config);
    if (model_config_check(&config, &err))
        fail_msg("%s: %s", settings, err.message);
    assert_int_equal(seq2seq_init(&net, &config, true, NULL), ATTEND_OK);
    real *values = calloc(net.params.size, sizeof *values);
    param_bind(&net.params, values, NULL);
    assert_int_equal(param_initialise(&net.params, 3, NULL), ATTEND_OK);
    struct model_side side = {.tokenizer = &tokenizer_spaces};
    assert_int_equal(vocab_parse(&side.vocab, PIECES, strlen(PIECES), "pieces", NULL), ATTEND_OK);
    snprintf(first, sizeof first, "model_test.%ld.first", (long)getpid());
    snprintf(second, sizeof second, "model_test.%ld.second", (long)getpid());
    assert_int_equal(model_save(first, &net, &side, &side, NULL), ATTEND_OK);
    if (model_load(&loaded, first, &err))
        fail_msg("%s: %s", settings, err.message);
    assert_int_equal(model_save(second, &loaded->net, &loaded->source, &loaded->target, NULL),
                     ATTEND_OK);
    assert_same_file(first, second);
    unlink(first);
    unlink(second);
    model_free(loaded);
    vocab_free(side.vocab);
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
        snprintf(settings, sizeof settings, "attention=%s placement=luong input-feeding=true",
                 (*ops)->name);
        check_round_trip(settings);
    }
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
        "start=zero readout=linear tie=none",
        "start=last readout=tanh tie=target",
        "start=mean readout=maxout tie=all",
        "start=copy unidirectional=true",
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        check_round_trip(settings[i]);
}
