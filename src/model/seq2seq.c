#include "model/seq2seq.h"

static void bind_packed(struct seq2seq *m, struct arena *arena, enum packing packing)
{
    encoder_bind(&m->encoder, arena, packing);
    decoder_bind(&m->decoder, arena, packing);
}

enum attend_status seq2seq_init(struct seq2seq *m, const struct attend_network_options *config,
                                enum packing packing, struct attend_error *err)
{
    struct arena count = {0};
    *m = (struct seq2seq){
        .config = *config, .training = packing == PACKING_TRAIN, .int8 = packing == PACKING_INT8};
    model_config_complete(&m->config);
    encoder_declare(&m->encoder, &m->params, &m->config);
    m->decoder_from = m->params.size;
    decoder_declare(&m->decoder, &m->params, &m->config, &m->encoder.embedding);
    bind_packed(m, &count, packing);
    const enum attend_status status = arena_reserve(&m->packed, count.used, err);
    if (status == ATTEND_OK)
        bind_packed(m, &m->packed, packing);
    return status;
}

void seq2seq_pack(struct seq2seq *m, struct compute *c)
{
    encoder_pack(&m->encoder, c, m->training);
    decoder_pack(&m->decoder, c, m->training);
    worker_meet(c->worker);
}

void seq2seq_release(struct seq2seq *m) { arena_release(&m->packed); }

void seq2seq_tape_bind(struct seq2seq_tape *tape, struct arena *arena, const struct seq2seq *m,
                       const struct batch_text *text, int team)
{
    batch_bind(&tape->batch, arena, text, team, m->config.pyramid);
    encoder_tape_bind(&tape->encoder, arena, &m->encoder, &tape->batch, team, m->training);
    decoder_tape_bind(&tape->decoder, arena, &m->decoder, &tape->batch, team, m->training);
}

/* The first pass of scheduled sampling: what would the model have chosen at each step? */
static void feed_back(const struct seq2seq *m, struct seq2seq_tape *tape, struct compute *c,
                      const struct seq2seq_job *job)
{
    const struct decoder_loss choose = {.choose = true};
    decoder_forward(&m->decoder, &tape->decoder, c, &tape->batch, &tape->encoder, &job->dropout);
    decoder_loss(&m->decoder, &tape->decoder, c, &tape->batch, &choose);
    worker_meet(c->worker);
    if (c->worker->index == 0)
        batch_feed_back(&tape->batch, job->sampling, job->sampling_key);
    worker_meet(c->worker);
}

static void backward(const struct seq2seq *m, struct seq2seq_tape *tape, struct compute *c,
                     const struct seq2seq_job *job)
{
    const struct batch *b = &tape->batch;
    const bool tells = job->ready && c->worker->index == 0;
    decoder_backward(&m->decoder, &tape->decoder, c, b, &tape->encoder, &job->dropout);
    if (tells)
        job->ready(job->context, m->decoder_from, m->params.size);
    encoder_backward(&m->encoder, &tape->encoder, c, b, &job->dropout,
                     m->decoder.start == START_COPY);
    if (tells)
        job->ready(job->context, 0, m->decoder_from);
}

double seq2seq_run(const struct seq2seq *m, struct seq2seq_tape *tape, struct compute *c,
                   const struct seq2seq_job *job)
{
    const struct batch *b = &tape->batch;
    frame_masks_apply(&job->masks, b, c->worker->index);
    encoder_forward(&m->encoder, &tape->encoder, c, b, &job->dropout);
    if (job->sampling > 0 && decoder_chooses(&m->decoder))
        feed_back(m, tape, c, job);
    decoder_forward(&m->decoder, &tape->decoder, c, b, &tape->encoder, &job->dropout);
    const double loss = decoder_loss(&m->decoder, &tape->decoder, c, b, &job->loss);
    if (job->loss.gradient)
        backward(m, tape, c, job);
    return loss;
}

/* ---- Tables ---- */

enum attend_status seq2seq_tables_init(struct seq2seq_tables *t, const struct seq2seq *net,
                                       struct attend_error *err)
{
    const struct encoder *e = &net->encoder;
    enum attend_status status = ATTEND_OK;
    *t = (struct seq2seq_tables){0};
    for (int i = 0; i < ENCODER_TABLES && !status; i++) {
        const struct packed *product = e->width ? NULL : e->ops->product(e, i);
        if (product)
            status = token_table_new(&t->source.of[i], e->embedding.table.rows, product->N, err);
    }
    if (!status)
        status = token_table_new(&t->target, net->decoder.output.V, net->decoder.embed.N, err);
    if (status)
        seq2seq_tables_release(t);
    return status;
}

void seq2seq_tables_release(struct seq2seq_tables *t)
{
    for (int i = 0; i < ENCODER_TABLES; i++)
        token_table_free(t->source.of[i]);
    token_table_free(t->target);
    *t = (struct seq2seq_tables){0};
}

size_t seq2seq_tables_memory(const struct seq2seq_tables *t)
{
    size_t memory = token_table_memory(t->target);
    for (int i = 0; i < ENCODER_TABLES; i++)
        memory += token_table_memory(t->source.of[i]);
    return memory;
}
