#include "settings/train_settings.h"

#include "base/json_writer.h"
#include "base/option_json.h"
#include "frames/options.h"
#include "frames/reader.h"
#include "model/config.h"
#include "settings/tables.h"

static bool reads_frames(const char *tokenizer)
{
    return tokenizer && frame_reader_find(tokenizer);
}

/* The tables in the order in which files record them. */
static void bind(struct train_settings *s)
{
    option_bind(&s->set, data_rows, &s->data);
    option_bind(&s->set, token_rows, &s->data);
    option_bind(&s->set, network_rows, &s->network);
    option_bind(&s->set, run_rows, &s->train);
    option_bind(&s->set, learning_rows, &s->train);
    option_bind(&s->set, frame_rows, &s->frames);
}

enum attend_status train_settings_take(struct train_settings *s,
                                       const struct attend_data_options *data,
                                       const struct attend_network_options *network,
                                       const struct attend_train_options *train,
                                       struct attend_error *err)
{
    enum attend_status status = SETTINGS_TAKE(&s->data, data_tables, data, err);
    if (!status)
        status = SETTINGS_TAKE(&s->network, network_tables, network, err);
    if (!status)
        status = SETTINGS_TAKE(&s->train, train_tables, train, err);
    if (!status)
        status = frame_options_take(&s->frames, s->data.frames, err);
    s->data.frames = &s->frames;
    if (!reads_frames(s->data.tgt_tokenizer))
        s->network.stroke_floor = MODEL_CONFIG_NO_FLOOR;
    if (!status)
        bind(s);
    return status;
}

enum attend_status train_settings_read(struct train_settings *s, const char *text, const char *name,
                                       struct attend_error *err)
{
    const enum attend_status status = train_settings_take(s, NULL, NULL, NULL, err);
    return status || !text ? status : option_json_read(&s->set, text, name, err);
}

void train_settings_json(const struct train_settings *s, struct strbuf *out)
{
    struct json_writer w = {.out = out};
    json_begin_object(&w, NULL);
    const bool frames = reads_frames(s->data.src_tokenizer) || reads_frames(s->data.tgt_tokenizer);
    for (int i = 0; i < s->set.count; i++)
        if (frames || s->set.group[i].rows != frame_rows)
            option_json_put(&w, s->set.group[i].rows, s->set.group[i].base);
    json_end(&w);
}

/* Frees only texts that were read; those of a caller are borrowed. */
void train_settings_release(struct train_settings *s) { option_release(&s->set); }
