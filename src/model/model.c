#include "model/model.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "model/file.h"
#include "text/tokenizer.h"
#include "text/vocab.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a file's config records beside the settings a user chooses. */
#define SIZE_ROW(field)                                                                            \
    {                                                                                              \
        .name = #field, .kind = OPTION_INT, .offset = offsetof(struct model_config, field),        \
        .min = VOCAB_SPECIALS, .max = VOCAB_MAX_SIZE                                               \
    }
static const struct option_row size_rows[] = {SIZE_ROW(source_vocab), SIZE_ROW(target_vocab), {0}};

enum { CONFIG_TABLES = 2 };
static const struct option_row *const config_tables[CONFIG_TABLES] = {size_rows, model_config_rows};

/* The names of a side's parts in the file. */
static const struct side_names {
    const char *tokenizer, *vocab;
} source_names = {"source_tokenizer", "vocab.source"},
  target_names = {"target_tokenizer", "vocab.target"};

enum attend_status model_side_copy(struct model_side *side, const struct model_side *from,
                                   struct attend_error *err)
{
    struct strbuf text = {0};
    vocab_write(from->vocab, &text);
    enum attend_status status = strbuf_status(&text, err);
    if (!status)
        status = vocab_parse(&side->vocab, text.text, text.length, "vocabulary", err);
    side->tokenizer = from->tokenizer;
    strbuf_release(&text);
    return status;
}

void model_side_release(struct model_side *side)
{
    vocab_free(side->vocab);
    *side = (struct model_side){0};
}

void model_side_join(const struct model_side *side, const int *ids, int count, struct strbuf *out)
{
    const char **piece = calloc((size_t)count + 1, sizeof *piece);
    for (int i = 0; piece && i < count; i++)
        piece[i] = vocab_piece(side->vocab, ids[i]);
    if (piece)
        side->tokenizer->join(out, piece, count);
    out->failed = out->failed || !piece;
    free(piece);
}

/* ---- Saving ---- */

static void add_setting(struct strbuf *s, const struct option_row *row,
                        const struct model_config *config)
{
    const bool quoted = row->kind == OPTION_TEXT || row->kind == OPTION_CHOICE;
    char value[256];
    const int length = option_print(row, config, value, sizeof value);
    BUG_ON(length < 0 || (size_t)length >= sizeof value);
    if (quoted && length == 0)
        return; /* not given */
    if (s->length > 1)
        strbuf_addc(s, ',');
    json_add_text(s, row->name);
    strbuf_addc(s, ':');
    if (quoted)
        json_add_text(s, value);
    else
        strbuf_adds(s, value);
}

static void add_config(struct strbuf *s, const struct model_config *config)
{
    strbuf_addc(s, '{');
    for (int i = 0; i < CONFIG_TABLES; i++)
        for (const struct option_row *row = config_tables[i]; row->name; row++)
            add_setting(s, row, config);
    strbuf_addc(s, '}');
}

static struct file_tensor param_tensor(const struct param *p)
{
    return (struct file_tensor){.name = p->path,
                                .dtype = FILE_REAL,
                                .rows = (size_t)p->rows,
                                .cols = (size_t)p->cols,
                                .bytes = p->value};
}

static struct file_tensor text_tensor(const char *name, const struct strbuf *text)
{
    return (struct file_tensor){
        .name = name, .dtype = FILE_U8, .rows = 1, .cols = text->length, .bytes = text->text};
}

enum attend_status model_save(const char *path, const struct seq2seq *net,
                              const struct model_side *source, const struct model_side *target,
                              struct attend_error *err)
{
    return model_save_with(path, net, source, target, &(struct model_extra){0}, err);
}

enum attend_status model_save_with(const char *path, const struct seq2seq *net,
                                   const struct model_side *source, const struct model_side *target,
                                   const struct model_extra *extra, struct attend_error *err)
{
    BUG_ON(vocab_size(source->vocab) != net->config.source_vocab ||
           vocab_size(target->vocab) != net->config.target_vocab);
    struct strbuf config = {0}, source_vocab = {0}, target_vocab = {0};
    struct file_tensor tensor[MODEL_EXTRA_TENSORS + PARAM_MAX + 2];
    struct file_text text[MODEL_EXTRA_TEXTS + 3];
    int tensors = 0, texts = 0;
    add_config(&config, &net->config);
    vocab_write(source->vocab, &source_vocab);
    vocab_write(target->vocab, &target_vocab);
    enum attend_status status = ATTEND_OK;
    if (config.failed || source_vocab.failed || target_vocab.failed) {
        status = error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
        goto done;
    }
    for (int i = 0; i < extra->tensors; i++)
        tensor[tensors++] = extra->tensor[i];
    for (int i = 0; i < net->params.count; i++)
        tensor[tensors++] = param_tensor(net->params.item[i]);
    tensor[tensors++] = text_tensor(source_names.vocab, &source_vocab);
    tensor[tensors++] = text_tensor(target_names.vocab, &target_vocab);
    text[texts++] = (struct file_text){"config", config.text};
    text[texts++] = (struct file_text){source_names.tokenizer, source->tokenizer->name};
    text[texts++] = (struct file_text){target_names.tokenizer, target->tokenizer->name};
    for (int i = 0; i < extra->texts; i++)
        text[texts++] = extra->text[i];
    status = file_save(
        path,
        &(struct file_content){.text = text, .texts = texts, .tensor = tensor, .tensors = tensors},
        err);
done:
    strbuf_release(&config);
    strbuf_release(&source_vocab);
    strbuf_release(&target_vocab);
    return status;
}

/* ---- Loading ---- */

/* What a load works on. */
struct loading {
    const char *path;
    struct file *file;
    struct model *model;
};

/* One member of the config. */
static enum attend_status assign(const struct loading *l, struct option_set *set,
                                 const struct json_walk *w, struct attend_error *err)
{
    if (!option_find(set, w->name, NULL))
        return error_set(err, ATTEND_FORMAT,
                         "%s: its config has the setting %.64s, which this program does not know; "
                         "use a newer attend",
                         l->path, w->name);
    struct attend_error why = {""};
    struct strbuf value = {0};
    enum attend_status status = ATTEND_OK;
    strbuf_adds(&value, "");
    if (!json_print(w->value, &value))
        status = error_set(&why, ATTEND_FORMAT, "%s is neither text nor number", w->name);
    if (!status)
        status = strbuf_status(&value, &why);
    if (!status)
        status = option_assign(set, w->name, value.text, &why);
    strbuf_release(&value);
    if (status)
        error_set(err, status, "%s: its config is wrong: %s", l->path, why.message);
    return status == ATTEND_USAGE ? ATTEND_FORMAT : status;
}

/* Choices that do not go together cannot have been trained. */
static enum attend_status check_config(const struct loading *l, struct attend_error *err)
{
    struct attend_error why;
    if (model_config_check(&l->model->net.config, &why) == ATTEND_OK)
        return ATTEND_OK;
    return error_set(err, ATTEND_FORMAT, "%s: its config is wrong: %s", l->path, why.message);
}

/* Settings that the file does not know are newer than it and get their default. */
static enum attend_status load_config(struct loading *l, struct attend_error *err)
{
    struct option_set set = {0};
    struct json *config = NULL;
    struct file_text text = {.name = "config"};
    struct json_walk w = {0};
    char name[sizeof err->message];
    enum attend_status status = ATTEND_OK;
    for (int i = 0; !status && i < CONFIG_TABLES; i++)
        status = option_add(&set, NULL, config_tables[i], &l->model->net.config, err);
    if (!status)
        status = file_find_text(l->file, &text, err);
    snprintf(name, sizeof name, "%s: its config", l->path);
    if (!status)
        status = json_parse(&config, text.text, strlen(text.text), name, err);
    while (!status && json_next(config, &w))
        status = assign(l, &set, &w, err);
    model_config_complete(&l->model->net.config);
    if (!status)
        status = check_config(l, err);
    json_free(config);
    return status;
}

static enum attend_status load_vocab(struct loading *l, struct vocab **out, const char *tensor,
                                     int size, struct attend_error *err)
{
    char name[sizeof err->message];
    snprintf(name, sizeof name, "%s: %s", l->path, tensor);
    struct file_tensor t = {.name = tensor, .dtype = FILE_U8, .rows = 1};
    enum attend_status status = file_find_tensor(l->file, &t, err);
    if (!status)
        status = vocab_parse(out, t.bytes, t.cols, name, err);
    if (!status && vocab_size(*out) != size)
        status = error_set(err, ATTEND_FORMAT, "%s has %d pieces, the config says %d", name,
                           vocab_size(*out), size);
    return status;
}

static enum attend_status load_side(struct loading *l, struct model_side *side,
                                    const struct side_names *names, int size,
                                    struct attend_error *err)
{
    struct file_text tokenizer = {.name = names->tokenizer};
    const enum attend_status status = file_find_text(l->file, &tokenizer, err);
    if (status)
        return status;
    side->tokenizer = tokenizer_find(tokenizer.text);
    if (!side->tokenizer)
        return error_set(err, ATTEND_FORMAT,
                         "%s: its %s is %.64s, which this program does not have; use a newer "
                         "attend",
                         l->path, names->tokenizer, tokenizer.text);
    return load_vocab(l, &side->vocab, names->vocab, size, err);
}

/* Nobody writes through the pointer: a loaded model has no gradients and is never trained. */
static real *read_only(const void *bytes)
{
    union {
        const void *in;
        real *out;
    } pointer = {.in = bytes};
    return pointer.out;
}

static enum attend_status bind_params(struct loading *l, struct attend_error *err)
{
    const struct param_set *set = &l->model->net.params;
    enum attend_status status = ATTEND_OK;
    for (int i = 0; !status && i < set->count; i++) {
        struct file_tensor t = param_tensor(set->item[i]);
        status = file_find_tensor(l->file, &t, err);
        set->item[i]->value = read_only(t.bytes);
    }
    return status;
}

/* The parameters are only declared at first and sought in the file, so that a config which the file
 * does not live up to cannot make us take memory for it. */
static enum attend_status load_net(struct loading *l, struct attend_error *err)
{
    struct seq2seq *net = &l->model->net;
    const struct model_config config = net->config;
    encoder_declare(&net->encoder, &net->params, &config);
    decoder_declare(&net->decoder, &net->params, &config, &net->encoder.embedding);
    enum attend_status status = bind_params(l, err);
    if (!status)
        status = file_check_all_found(l->file, MODEL_EXTRA_PREFIX, err);
    if (!status)
        status = seq2seq_init(net, &config, false, err);
    if (!status)
        status = bind_params(l, err);
    if (status)
        return status;
    struct worker alone = worker_alone();
    struct compute compute = {.worker = &alone}; /* packing copies and multiplies nothing */
    seq2seq_pack(net, &compute);
    return ATTEND_OK;
}

static enum attend_status load(struct loading *l, struct attend_error *err)
{
    struct model *m = l->model;
    enum attend_status status = io_map(&m->map, l->path, err);
    if (!status)
        status = file_open(&l->file, &m->map, l->path, err);
    if (!status)
        status = load_config(l, err);
    if (!status)
        status = load_side(l, &m->source, &source_names, m->net.config.source_vocab, err);
    if (!status)
        status = load_side(l, &m->target, &target_names, m->net.config.target_vocab, err);
    if (!status)
        status = load_net(l, err);
    file_close(l->file);
    return status;
}

/* Names in a damaged file may hold anything; a message stays one line of text. */
static void make_printable(struct attend_error *err)
{
    for (char *c = err->message; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
}

enum attend_status model_load(struct model **out, const char *path, struct attend_error *err)
{
    struct model *m = calloc(1, sizeof *m);
    if (!m)
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory", path);
    const enum attend_status status = load(&(struct loading){.path = path, .model = m}, err);
    if (status == ATTEND_OK) {
        *out = m;
        return ATTEND_OK;
    }
    if (err)
        make_printable(err);
    model_free(m);
    return status;
}

void model_free(struct model *m)
{
    if (!m)
        return;
    struct option_set texts = {.group = {{.rows = model_config_rows, .base = &m->net.config}},
                               .count = 1};
    option_release(&texts);
    seq2seq_release(&m->net);
    model_side_release(&m->source);
    model_side_release(&m->target);
    io_unmap(&m->map);
    free(m->values);
    free(m);
}
