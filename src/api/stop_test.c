/* Long work calls attend_stop between its steps and ends when it returns true. */
#include "test.h"

#include "attend/explain.h"

#include <limits.h>
#include <stdatomic.h>
#include <string.h>

/* Returns true from the (limit + 1)-th call on. */
struct patience {
    atomic_int asked;
    int limit;
};

static bool is_over(void *context)
{
    struct patience *p = context;
    return atomic_fetch_add(&p->asked, 1) >= p->limit;
}

struct fixture {
    struct attend_model *model;
    struct attend_translator *translator;
};

static void setup(struct fixture *f)
{
    struct attend_error err = {.message = ""};
    struct attend_translator_options options = attend_translator_defaults();
    options.threads = 2;
    assert_int_equal(
        attend_model_load(&f->model, ATTEND_SOURCE "/tests/data/model-v1.safetensors", &err),
        ATTEND_OK);
    const struct attend_model *const model = f->model;
    assert_int_equal(attend_translator_new(&f->translator, &model, 1, &options, &err), ATTEND_OK);
}

static void teardown(struct fixture *f)
{
    attend_translator_free(f->translator);
    attend_model_free(f->model);
}

/* ---- What can be stopped ---- */

typedef enum attend_status work_fn(struct attend_translator *, struct attend_error *err);
static const char *const lines[] = {"a b c d", "d c", "b", "a c b"}, *const targets[] = {"d c b a",
                                                                                         "c d", "b",
                                                                                         "b c a"};
enum { LINES = 4 };

static void release(struct attend_translation *t, enum attend_status status)
{
    for (int i = 0; i < LINES; i++) {
        assert_true(status == ATTEND_OK || !t[i].text); /* nothing to release on failure */
        attend_translation_release(&t[i]);
    }
}

static enum attend_status translate(struct attend_translator *t, struct attend_error *err)
{
    struct attend_translation out[LINES];
    const enum attend_status status = attend_translate(t, lines, LINES, out, err);
    release(out, status);
    return status;
}

static enum attend_status force(struct attend_translator *t, struct attend_error *err)
{
    struct attend_translation out[LINES];
    const enum attend_status status = attend_force(t, lines, targets, LINES, out, err);
    release(out, status);
    return status;
}

static enum attend_status explain(struct attend_translator *t, struct attend_error *err)
{
    struct attend_explanation *out = NULL;
    const enum attend_status status =
        attend_explain(&out, t, &(struct attend_explain_job){.source = lines[0]}, err);
    attend_explanation_free(out);
    return status;
}

static enum attend_status faithfulness(struct attend_translator *t, struct attend_error *err)
{
    struct attend_faithfulness out;
    return attend_faithfulness(
        &out, t,
        &(struct attend_faithfulness_job){
            .source = lines, .target = targets, .count = LINES, .resamples = 10},
        err);
}

static enum attend_status steps(struct attend_translator *t, struct attend_error *err)
{
    struct attend_steps *out = NULL;
    const enum attend_status status =
        attend_steps_new(&out, t, &(struct attend_steps_job){.source = lines[0], .top = 2}, err);
    attend_steps_free(out);
    return status;
}

static enum attend_status what_if(struct attend_translator *t, struct attend_error *err)
{
    static const struct attend_focus focus = {.weight = 1};
    struct attend_what_if out = {0};
    const enum attend_status status = attend_what_if(&out, t, lines[0], NULL, &focus, 1, err);
    attend_what_if_release(&out);
    return status;
}

/* Each with the smallest number of calls expected. */
static const struct {
    work_fn *run;
    int asks;
} works[] = {{translate, 4}, {force, LINES}, {explain, 12}, {faithfulness, 4 * LINES},
             {steps, 8},     {what_if, 12}};

static enum attend_status run_with(struct fixture *f, work_fn *run, int limit, int *asked)
{
    struct attend_error err = {.message = ""};
    struct patience patience = {.limit = limit};
    const struct attend_stop stop = {is_over, &patience};
    attend_translator_stop(f->translator, &stop);
    const enum attend_status status = run(f->translator, &err);
    attend_translator_stop(f->translator, NULL);
    *asked = atomic_load(&patience.asked);
    assert_string_equal(err.message, status ? "stopped on request" : "");
    return status;
}

TEST(stop_ends_every_kind_of_work_at_whichever_step_it_is_asked)
{
    struct fixture f;
    setup(&f);
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        int asked, ignored;
        assert_int_equal(run_with(&f, works[i].run, INT_MAX, &asked), ATTEND_OK);
        assert_true(asked >= works[i].asks);
        for (int limit = 0; limit < asked; limit++)
            assert_int_equal(run_with(&f, works[i].run, limit, &ignored), ATTEND_STOPPED);
        /* The translator still works. */
        assert_int_equal(run_with(&f, works[i].run, INT_MAX, &ignored), ATTEND_OK);
        assert_int_equal(works[i].run(f.translator, NULL), ATTEND_OK);
    }
    teardown(&f);
}

/* Both sides of a batch have 4096 rows at most, and a backward pass is twice the work. */
TEST(stop_is_looked_at_often_in_long_explanations)
{
    struct fixture f;
    struct patience patience = {.limit = INT_MAX};
    const struct attend_stop stop = {is_over, &patience};
    char text[2 * 40];
    for (int i = 0; i < 40; i++) {
        text[2 * i] = "abcd"[i % 4];
        text[2 * i + 1] = i == 39 ? '\0' : ' ';
    }
    setup(&f);
    struct attend_explanation *out = NULL;
    attend_translator_stop(f.translator, &stop);
    assert_int_equal(
        attend_explain(&out, f.translator,
                       &(struct attend_explain_job){.source = text, .target = text, .ig_steps = 4},
                       NULL),
        ATTEND_OK);
    attend_explanation_free(out);
    const double cost = attend_explain_cost(40, 40, 4);
    assert_true(cost / atomic_load(&patience.asked) < 3 * 4096);
    teardown(&f);
}

TEST(explain_refuses_a_pair_that_costs_too_much)
{
    struct fixture f;
    struct attend_error err = {.message = ""};
    struct attend_explanation *out = NULL;
    struct attend_explain_job job = {.source = "a b c", .target = "c b a"};
    setup(&f);
    job.max_cost = attend_explain_cost(3, 3, 0);
    assert_int_equal(attend_explain(&out, f.translator, &job, &err), ATTEND_OK);
    attend_explanation_free(out);
    job.max_cost -= 1;
    assert_int_equal(attend_explain(&out, f.translator, &job, &err), ATTEND_USAGE);
    assert_non_null(strstr(err.message, "3 source and 3 target tokens are too many to explain"));
    assert_true(attend_explain_cost(10, 20, 0) > attend_explain_cost(10, 10, 0));
    assert_true(attend_explain_cost(10, 10, 64) > attend_explain_cost(10, 10, 0));
    teardown(&f);
}
