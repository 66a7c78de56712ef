/* Models that are large enough to be loaded by two threads. */
#include "model/ready.h"

#include "base/arena.h"
#include "file_fixture.h"

static void large(struct fixture *f)
{
    fixture_sized(f, 64, 192);
    save(f, "m");
}

/* Whether packed weights are those of a parameter. */
static void assert_packed(const struct packed *got, const struct param *want)
{
    struct arena count = {0}, arena = {0};
    struct packed alone;
    assert_int_equal(got->N, want->cols);
    packed_bind(&alone, &count, want->rows, want->cols);
    assert_int_equal(arena_reserve(&arena, count.used, NULL), ATTEND_OK);
    packed_bind(&alone, &arena, want->rows, want->cols);
    packed_fill(&alone, param_view(want), 0, 0, 0, want->cols);
    assert_memory_equal(got->at, alone.at, arena.used);
    arena_release(&arena);
}

TEST(ready_model_has_the_weights_of_its_file)
{
    struct fixture f;
    large(&f);
    struct model *m = load("m");
    assert_true(m->map.size > (size_t)2 << 20);
    assert_same_params(&m->net.params, &f.net.params);
    assert_packed(&m->net.decoder.output.forward, &m->net.decoder.output.W);
    for (int side = 0; side < 2; side++) {
        const struct encoder_recurrent *e = &m->net.encoder.recurrent;
        const struct rnn *rnn = side ? &e->backward[0] : &e->forward[0];
        assert_packed(&rnn->input, &rnn->W_input);
        assert_packed(&rnn->state, &rnn->U_state);
    }
    model_free(m);
    fixture_release(&f);
}

/* One bit in the header's texts, in each tenth of the data, and in the last byte. */
TEST(ready_model_with_any_damage_is_refused)
{
    struct fixture f;
    large(&f);
    struct strbuf bytes = read_all("m");
    const char *config = strstr(bytes.text + 8, "hidden");
    assert_non_null(config);
    for (size_t i = 0; i <= 11; i++) {
        const size_t place = i == 11  ? (size_t)(config - bytes.text)
                             : i == 0 ? bytes.length - 1
                                      : bytes.length / 10 * i - 5;
        bytes.text[place] ^= 1;
        assert_int_equal(io_write("d", bytes.text, bytes.length, NULL), ATTEND_OK);
        assert_refused("d", "d: is damaged: its checksum does not match");
        bytes.text[place] ^= 1;
    }
    strbuf_release(&bytes);
    fixture_release(&f);
}

/* The file is read in parts of 256 kB: numbers at their borders and within. */
TEST(ready_model_with_a_number_that_is_not_finite_is_refused)
{
    const size_t part = (1 << 18) / sizeof(real);
    struct fixture f;
    large(&f);
    struct param *p = &f.net.encoder.recurrent.forward[0].U_state;
    const size_t count = (size_t)p->rows * (size_t)p->cols,
                 places[] = {0, part - 1, part, count / 2, count - 1};
    assert_true(count > part);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const real kept = p->value[places[i]];
        char message[128];
        p->value[places[i]] = i % 2 ? (real)NAN : -(real)INFINITY;
        save(&f, "m");
        snprintf(message, sizeof message, "m: its %s contains NaN or infinity", p->path);
        assert_refused("m", message);
        p->value[places[i]] = kept;
    }
    fixture_release(&f);
}

/* The vocabulary is parsed while the checksum is computed. */
TEST(ready_model_with_damage_and_a_wrong_vocabulary_tells_of_the_damage)
{
    struct fixture f;
    large(&f);
    struct strbuf bytes = read_all("m");
    for (size_t at = bytes.length - 60; at < bytes.length; at++)
        bytes.text[at] = bytes.text[at] == '\n' ? '?' : bytes.text[at];
    assert_int_equal(io_write("d", bytes.text, bytes.length, NULL), ATTEND_OK);
    assert_refused("d", "d: is damaged: its checksum does not match");
    strbuf_release(&bytes);
    fixture_release(&f);
}
