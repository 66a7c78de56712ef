/* The output layer of a pen against PyTorch's distributions: tests/parity/mixture.txt, which
 * tools/make_parity.py writes and describes. */
#include "nn/mixture.h"
#include "parity/parity.h"

#include "base/arena.h"

#define MIXTURE ATTEND_SOURCE "/tests/parity/mixture.txt"

enum { ROWS = 5, READOUT = 4, COMPONENTS = 3, WIDTH = 6 * COMPONENTS + 2 };

struct pen {
    struct mixture layer;
    struct mixture_tape tape;
    struct mixture_job job;
    struct param_set set;
    struct gemm_scratch scratch[MAX_TEAM];
    real values[(READOUT + 1) * WIDTH], grads[(READOUT + 1) * WIDTH];
    real o[ROWS * READOUT], d_o[ROWS * READOUT], stroke[ROWS * MIXTURE_STROKE];
    int end[ROWS];
    double loss[ROWS];
};

static void bind_pen(struct pen *p, struct arena *arena)
{
    mixture_bind(&p->layer, arena, PACKING_TRAIN);
    mixture_tape_bind(&p->tape, arena, &p->layer, ROWS);
    for (int i = 0; i < MAX_TEAM; i++)
        gemm_scratch_bind(&p->scratch[i], arena);
}

static void copy_tensor(real *to, size_t n, const struct tensors *file, const char *name)
{
    const struct tensor *from = get(file, "", name);
    assert_int_equal((size_t)from->rows * (size_t)from->cols, n);
    for (size_t i = 0; i < n; i++)
        to[i] = (real)from->at[i];
}

static void fill_pen(struct pen *p, const struct tensors *file)
{
    real end[ROWS];
    assert_true(get(file, "", "K")->at[0] == COMPONENTS);
    mixture_declare(&p->layer, &p->set, "output", READOUT, COMPONENTS, 0.02);
    param_bind(&p->set, p->values, p->grads);
    copy_tensor(p->layer.W.value, READOUT * WIDTH, file, "W");
    copy_tensor(p->layer.b.value, WIDTH, file, "b");
    copy_tensor(p->o, ROWS * READOUT, file, "o");
    copy_tensor(p->stroke, ROWS * MIXTURE_STROKE, file, "stroke");
    copy_tensor(end, ROWS, file, "end");
    for (int i = 0; i < ROWS; i++)
        p->end[i] = end[i] > 0;
    p->job = (struct mixture_job){.o = view_of(p->o, ROWS, READOUT),
                                  .stroke = view_of(p->stroke, ROWS, MIXTURE_STROKE),
                                  .end = p->end,
                                  .scale = 1,
                                  .d_o = view_of(p->d_o, ROWS, READOUT),
                                  .row_loss = p->loss};
}

static void run_pen(struct worker *w, void *job)
{
    struct pen *p = job;
    struct compute c = {.worker = w, .gemm = p->scratch[w->index]};
    mixture_pack(&p->layer, &c);
    worker_meet(w);
    mixture_run(&p->layer, &p->tape, &c, &p->job);
}

static void check_tensor(const struct tensors *file, const char *name, const real *got,
                         double tolerance)
{
    const struct tensor *want = get(file, "", name);
    for (int i = 0; i < want->rows * want->cols; i++)
        assert_near((double)got[i], want->at[i], tolerance);
}

static void check_pen(const struct tensors *file, int threads)
{
    const bool exact = sizeof(real) == sizeof(double);
    struct arena count = {0}, arena = {0};
    struct team *team = NULL;
    struct pen p = {0};
    fill_pen(&p, file);
    bind_pen(&p, &count);
    assert_int_equal(arena_reserve(&arena, count.used, NULL), ATTEND_OK);
    bind_pen(&p, &arena);
    assert_int_equal(team_new(&team, threads, NULL), ATTEND_OK);
    team_run(team, run_pen, &p);
    for (int i = 0; i < ROWS; i++)
        assert_near(p.loss[i], get(file, "", "loss")->at[i], exact ? 1e-9 : 2e-5);
    check_tensor(file, "d_o", p.d_o, exact ? 1e-9 : 1e-4);
    check_tensor(file, "d_W", p.layer.W.grad, exact ? 1e-9 : 1e-4);
    check_tensor(file, "d_b", p.layer.b.grad, exact ? 1e-9 : 1e-4);
    team_free(team);
    arena_release(&arena);
}

TEST(mixture_loss_and_gradients_match_pytorch)
{
    FILE *file = fopen(MIXTURE, "r");
    struct tensors tensors;
    assert_non_null(file);
    assert_false(tensors_read(&tensors, file));
    fclose(file);
    for (int level = 0; level <= (int)simd_level_available(); level++)
        for (int threads = 1; threads <= MAX_TEAM; threads++) {
            simd_cap(level);
            check_pen(&tensors, threads);
        }
    simd_cap(SIMD_LEVELS);
    tensors_release(&tensors);
}
