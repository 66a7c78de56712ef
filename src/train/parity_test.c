/* One model and its training against PyTorch, number by number: tests/parity/seq2seq.txt, which
 * tools/make_parity.py writes and describes. */
#include "parity/parity.h"

#define SEQ2SEQ ATTEND_SOURCE "/tests/parity/seq2seq.txt"

enum { UPDATES = 10 };

/* Tolerances, relative to the largest number of the tensor: about ten times the observed error,
 * which in double comes from the rounding in the file. */
enum kind {
    ACTIVATION, /* annotations, weights, logits */
    LOSS,       /* before each update and after the last */
    GRADIENT,   /* cancellation costs a digit or two */
    NORM,
    FINAL, /* parameters after the last update */
};
static const struct {
    double in_float, in_double;
} tolerances[] = {
    [ACTIVATION] = {3e-6, 1e-9}, [LOSS] = {1e-5, 1e-9},  [GRADIENT] = {5e-5, 1e-9},
    [NORM] = {5e-5, 1e-9},       [FINAL] = {5e-5, 1e-9},
};

static double tolerance_of(enum kind kind)
{
    return sizeof(real) == sizeof(double) ? tolerances[kind].in_double : tolerances[kind].in_float;
}

static void each_place(void (*body)(struct parity *))
{
    assert_int_equal(everywhere(SEQ2SEQ, body), 1);
}

/* ---- Annotations and attention under teacher forcing ---- */

static void check_annotations(struct parity *p)
{
    const struct batch *b = &p->tape.batch;
    const int C = p->model.decoder.C;
    run_forward(p);
    for (int i = 0; i < b->B; i++) {
        const struct tensor *want = of_sentence(&p->numbers, "annotation.", b->item[i]);
        assert_int_equal(want->rows, b->memory_length[i]);
        assert_int_equal(want->cols, C);
        for (int j = 0; j < want->rows; j++)
            check_row(p, want, j, p->tape.encoder.memory + (ptrdiff_t)(b->memory_start[i] + j) * C,
                      tolerance_of(ACTIVATION));
    }
}

static void check_attention(struct parity *p)
{
    const struct batch *b = &p->tape.batch;
    int rows = 0;
    run_forward(p);
    for (int i = 0; i < SENTENCES; i++)
        rows += of_sentence(&p->numbers, "weight.", i)->rows;
    assert_int_equal(b->target_rows, rows);
    for (int row = 0; row < rows; row++)
        check_row(p, of_sentence(&p->numbers, "weight.", b->target_place[2 * row]),
                  b->target_place[2 * row + 1], p->tape.decoder.weight + (ptrdiff_t)row * b->S,
                  tolerance_of(ACTIVATION));
}

TEST(parity_annotations_match_pytorch) { each_place(check_annotations); }
TEST(parity_weights_match_pytorch) { each_place(check_attention); }

/* ---- Attention and logits step by step ---- */

static void check_step(struct parity *p, const struct stepping *s, int t, void *context)
{
    (void)context;
    for (int i = 0; i < s->rows; i++) {
        const int item = p->tape.batch.item[s->sentence[i]];
        const struct tensor *logits = of_sentence(&p->numbers, "logits.", item);
        assert_int_equal(logits->cols, p->config.target_vocab);
        check_row(p, logits, t, s->logits.at.at + (ptrdiff_t)i * logits->cols,
                  tolerance_of(ACTIVATION));
        check_row(p, of_sentence(&p->numbers, "weight.", item), t,
                  s->weight + (ptrdiff_t)i * s->weight_width, tolerance_of(ACTIVATION));
    }
}

static void check_steps(struct parity *p)
{
    run_forward(p);
    run_steps(p, check_step, NULL);
}

TEST(parity_forced_steps_match_pytorch) { each_place(check_steps); }

/* ---- Loss, gradients and updates ---- */

/* Every tensor of the file was used: three per sentence, two per run, three per parameter. */
static void check_count(struct parity *p)
{
    assert_int_equal(p->numbers.count, 3 * SENTENCES + 2 * 2 + 3 * p->model.params.count);
}

static void check_gradients(struct parity *p)
{
    team_run(p->team, run_worker, p);
    for (int i = 0; i < p->model.params.count; i++) {
        const struct param *param = p->model.params.item[i];
        const struct tensor *want = get(&p->numbers, "smoothed/gradient/", param->path);
        assert_int_equal(want->rows, param->rows);
        assert_int_equal(want->cols, param->cols);
        for (int row = 0; row < want->rows; row++)
            check_row(p, want, row, param->grad + (ptrdiff_t)row * want->cols,
                      tolerance_of(GRADIENT));
    }
}

static void check_plain_gradients(struct parity *p)
{
    p->job.loss.smoothing = 0;
    team_run(p->team, run_worker, p);
    for (int i = 0; i < p->model.params.count; i++) {
        const struct param *param = p->model.params.item[i];
        const struct tensor *want = get(&p->numbers, "plain/gradient/", param->path);
        check_summary(p, want->name, want, 0, param, param->grad, tolerance_of(GRADIENT));
    }
}

static void check_updates(struct parity *p, const char *run)
{
    real loss[UPDATES + 1], norm[UPDATES];
    const struct tensor *losses = get(&p->numbers, run, "loss"),
                        *norms = get(&p->numbers, run, "norm");
    assert_int_equal(losses->cols, UPDATES + 1);
    assert_int_equal(norms->cols, UPDATES);
    run_updates(p, UPDATES, loss, norm);
    check_row(p, losses, 0, loss, tolerance_of(LOSS));
    check_row(p, norms, 0, norm, tolerance_of(NORM));
}

static void check_smoothed_updates(struct parity *p)
{
    check_updates(p, "smoothed/");
    for (int i = 0; i < p->model.params.count; i++) {
        const struct param *param = p->model.params.item[i];
        const struct tensor *want = get(&p->numbers, "smoothed/final/", param->path);
        check_summary(p, want->name, want, 0, param, param->value, tolerance_of(FINAL));
    }
}

static void check_plain_updates(struct parity *p)
{
    p->job.loss.smoothing = 0;
    check_updates(p, "plain/");
}

TEST(parity_parameters_are_those_of_pytorch) { each_place(check_count); }
TEST(parity_gradients_match_pytorch) { each_place(check_gradients); }
TEST(parity_gradients_without_smoothing_match_pytorch) { each_place(check_plain_gradients); }
TEST(parity_ten_updates_match_pytorch) { each_place(check_smoothed_updates); }
TEST(parity_ten_updates_without_smoothing_match_pytorch) { each_place(check_plain_updates); }
