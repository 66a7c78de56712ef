/* Training from JavaScript, some updates at a time. Pairs and the model are files in memory; the
 * log, a file of JSON lines, is how JavaScript sees the run. */
#include "wasm/calls.h"

#include "attend/train.h"
#include "base/error.h"

#include <stdlib.h>

struct run {
    struct attend_settings *settings; /* which fill the options below, and own their texts */
    struct attend_data_options data;
    struct attend_network_options network;
    struct attend_train_options train;
    struct attend_training *training;
};

static enum attend_status take_settings(struct run *run, const struct json *request,
                                        struct attend_error *err)
{
    const struct {
        enum attend_table table;
        void *options;
    } tables[] = {{ATTEND_TABLE_DATA, &run->data},
                  {ATTEND_TABLE_TOKENS, &run->data},
                  {ATTEND_TABLE_NETWORK, &run->network},
                  {ATTEND_TABLE_TRAIN, &run->train},
                  {ATTEND_TABLE_LEARNING, &run->train}};
    enum attend_status status = attend_settings_new(&run->settings, err);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !status; i++)
        status = attend_settings_add(run->settings, "", tables[i].table, tables[i].options, err);
    return status ? status : settings_take_object(run->settings, request, err);
}

void WASM_CALL(training_free)(struct run *run);
void training_free(struct run *run)
{
    if (!run)
        return;
    attend_training_free(run->training);
    attend_settings_free(run->settings);
    free(run);
}

/* The request has the settings of `attend train`. Answers {"training": handle}. */
char *WASM_CALL(training_new)(const char *text);
char *training_new(const char *text)
{
    struct attend_error err;
    struct json *request = NULL;
    struct run *run = calloc(1, sizeof *run);
    enum attend_status status =
        run ? request_parse(&request, text, &err)
            : error_set(&err, ATTEND_NO_MEMORY, "out of memory for a run of training");
    if (run) {
        run->data = attend_data_defaults();
        run->network = attend_network_defaults();
        run->train = attend_train_defaults();
    }
    if (!status)
        status = take_settings(run, request, &err);
    if (!status)
        status =
            attend_training_new(&run->training, &run->data, &run->network, &run->train, NULL, &err);
    json_free(request);
    if (status) {
        training_free(run);
        run = NULL;
    }
    return answer_handle(status, "training", run, &err);
}

/* Make up to so many updates. Answers {"ended": whether the run is complete}. */
char *WASM_CALL(training_advance)(struct run *run, int updates);
char *training_advance(struct run *run, int updates)
{
    struct attend_error err;
    struct strbuf out = {0};
    struct json_writer w = {.out = &out};
    bool ended;
    const enum attend_status status = attend_training_advance(run->training, updates, &ended, &err);
    if (status)
        return answer_failure(status, &err);
    json_begin_object(&w, NULL);
    json_put_flag(&w, "ended", ended);
    json_end(&w);
    return answer_text(status, strbuf_detach(&out), &err);
}

void WASM_CALL(training_set_lr)(struct run *run, double lr);
void training_set_lr(struct run *run, double lr) { attend_training_set_lr(run->training, lr); }

/* Write the model as it is now to a file. Answers {}. */
char *WASM_CALL(training_save)(struct run *run, const char *path);
char *training_save(struct run *run, const char *path)
{
    struct attend_error err;
    struct strbuf out = {0};
    const enum attend_status status = attend_training_save(run->training, path, &err);
    strbuf_adds(&out, "{}");
    if (status) {
        strbuf_release(&out);
        return answer_failure(status, &err);
    }
    return answer_text(status, strbuf_detach(&out), &err);
}
