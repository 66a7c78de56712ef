/* Every kind of model against PyTorch, by summary values: tests/parity/family.txt, which
 * tools/make_parity.py writes and describes. */
#include "parity/parity.h"

#define FAMILY ATTEND_SOURCE "/tests/parity/family.txt"

enum { UPDATES = 5, SHOWN = 0, MEMBERS = 65 };

/* Relative to the model's largest number of the same kind. */
static double tolerance(void) { return sizeof(real) == sizeof(double) ? 1e-9 : 1e-4; }

static void each_model(void (*body)(struct parity *))
{
    assert_int_equal(everywhere(FAMILY, body), MEMBERS);
}

static void check_attention(struct parity *p)
{
    const struct batch *b = &p->tape.batch;
    const int S = decoder_memory_span(&p->model.decoder, b->S),
              width = decoder_weight_width(&p->model.decoder, b->S);
    int rows = 0;
    p->job.loss.smoothing = 0; /* which would smooth the posterior of a hard attention */
    run_forward(p);
    for (int row = 0; row < b->target_rows; row++) {
        if (b->target_place[2 * row] != SHOWN)
            continue;
        check_weights(p, of_sentence(&p->numbers, "weight.", SHOWN), b->target_place[2 * row + 1],
                      p->tape.decoder.weight + (ptrdiff_t)row * width, S, tolerance());
        rows++;
    }
    assert_int_equal(rows, of_sentence(&p->numbers, "weight.", SHOWN)->rows);
}

static void check_gradients(struct parity *p)
{
    const struct param_set *params = &p->model.params;
    const struct tensor *key = get(&p->numbers, "", "key"),
                        *want = get(&p->numbers, "", "gradient");
    team_run(p->team, run_worker, p);
    if (params->count != key->cols || params->count != want->rows)
        fail_msg("model %s has %d parameters, PyTorch's %d", p->name, params->count, want->rows);
    for (int i = 0; i < params->count; i++) {
        const struct param *param = params->item[i];
        if (path_key(param->path) != (int)key->at[i])
            fail_msg("model %s: parameter %d, %s, is another in the file", p->name, i, param->path);
        check_summary(p, param->path, want, i, param, param->grad, tolerance());
    }
}

static void check_updates(struct parity *p)
{
    real loss[UPDATES + 1], norm[UPDATES];
    const struct tensor *losses = get(&p->numbers, "", "loss");
    assert_int_equal(losses->cols, UPDATES + 1);
    run_updates(p, UPDATES, loss, norm);
    check_row(p, losses, 0, loss, tolerance());
    check_row(p, get(&p->numbers, "", "norm"), 0, norm, tolerance());
}

TEST(family_weights_match_pytorch) { each_model(check_attention); }
TEST(family_gradients_match_pytorch) { each_model(check_gradients); }
TEST(family_losses_of_updates_match_pytorch) { each_model(check_updates); }

/* ---- Step by step ---- */

/* (1 - eps) (-log p_y) + eps / V sum_k (-log p_k) */
static double smoothed_loss(const real *logits, int V, int y, double eps)
{
    double sum = 0, mean = 0;
    for (int k = 0; k < V; k++) {
        sum += exp((double)logits[k]);
        mean += (double)logits[k] / V;
    }
    return log(sum) - (1 - eps) * (double)logits[y] - eps * mean;
}

static void add_loss(struct parity *p, const struct stepping *s, int t, void *context)
{
    const int S = decoder_memory_span(&p->model.decoder, p->tape.batch.S),
              V = p->config.target_vocab;
    const bool hard = p->model.decoder.hard;
    const char *shown = hard ? "prior." : "weight.";
    double *loss = context;
    for (int i = 0; i < s->rows; i++) {
        const int item = p->tape.batch.item[s->sentence[i]];
        const bool over = t == sequences_length(&p->target, item);
        const int y = over ? VOCAB_EOS : p->target.ids[p->target.start[item] + (size_t)t];
        *loss += smoothed_loss(s->logits.at.at + (ptrdiff_t)i * V, V, y, hard ? 0 : p->smoothing);
        if (item == SHOWN)
            check_weights(p, of_sentence(&p->numbers, shown, SHOWN), t,
                          s->weight + (ptrdiff_t)i * s->weight_width, S, tolerance());
    }
}

static void check_steps(struct parity *p)
{
    double loss = 0;
    run_forward(p);
    run_steps(p, add_loss, &loss);
    check_number(p, "loss of steps", get(&p->numbers, "", p->model.decoder.hard ? "steps" : "loss"),
                 0, 0, loss / p->tape.batch.target_rows, tolerance());
}

TEST(family_forced_steps_match_pytorch) { each_model(check_steps); }
