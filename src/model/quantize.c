#include "model/quantize.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "model/model.h"

#include <stdlib.h>

/* A copy of the parameters with matrices in int8. */
struct quantized {
    struct seq2seq net; /* only config and parameters are set */
    struct param param[PARAM_MAX];
    int8_t *values;
    float *scales;
};

static void quantized_free(struct quantized *q)
{
    if (!q)
        return;
    free(q->values);
    free(q->scales);
    free(q);
}

static enum attend_status quantized_new(struct quantized **out, const struct model *m,
                                        const char *name, struct attend_error *err)
{
    const struct param_set *set = &m->net.params;
    struct quantized *q = calloc(1, sizeof *q);
    size_t scales = 1;
    for (int i = 0; i < set->count; i++)
        scales += (size_t)param_scale_count(set->item[i]);
    if (q) {
        q->values = malloc(set->size);
        q->scales = malloc(scales * sizeof *q->scales);
    }
    if (!q || !q->values || !q->scales) {
        quantized_free(q);
        return error_set(err, ATTEND_NO_MEMORY, "%s: out of memory for %zu weights", name,
                         set->size);
    }
    q->net.config = m->net.config;
    q->net.int8 = true;
    *out = q;
    return ATTEND_OK;
}

/* Quantize each column with its own scale; in an embedding table, each row. */
static void round_matrix(const struct param *p, int8_t *values, float *scales)
{
    const int n = p->table ? p->cols : p->rows;
    const ptrdiff_t next = p->table ? p->cols : 1, stride = p->table ? 1 : p->cols;
    for (int i = 0; i < param_scale_count(p); i++)
        quant_weights(p->value + i * next, stride, n, values + i * next, stride, &scales[i]);
}

static void round_all(struct quantized *q, const struct param_set *set)
{
    int8_t *values = q->values;
    float *scales = q->scales;
    for (int i = 0; i < set->count; i++) {
        struct param *p = &q->param[i];
        *p = *set->item[i];
        q->net.params.item[q->net.params.count++] = p;
        if (!param_shrinks(p))
            continue;
        round_matrix(p, values, scales);
        p->value = NULL;
        p->int8 = values;
        p->scales = scales;
        values += (size_t)p->rows * (size_t)p->cols;
        scales += param_scale_count(p);
    }
}

enum attend_status quantize_save(const struct model *m, const char *name, const char *path,
                                 struct attend_error *err)
{
    BUG_ON(m->net.int8);
    struct quantized *q = NULL;
    struct strbuf calibration = {0};
    const struct model_extra extra = model_kept(m, &calibration);
    enum attend_status status = strbuf_status(&calibration, err);
    if (!status)
        status = quantized_new(&q, m, name, err);
    if (!status)
        round_all(q, &m->net.params);
    if (!status)
        status = model_save(path, &q->net, &m->source, &m->target, &extra, err);
    quantized_free(q);
    strbuf_release(&calibration);
    return status;
}
