/* Hard attention in a whole model: its likelihood against all alignments one by one, the sum over
 * all outputs, its gradient, and the invariants of batching. */
#include "seq2seq_fixture.h"

#include "text/vocab.h"

/* Variant k: every placement, both orders, and by turns what else a decoder can be. */
static struct attend_network_options hard(int k)
{
    static const char *const readouts[] = {"tanh", "linear", "maxout"},
                             *const ties[] = {"none", "target"},
                             *const others[] = {"gru", "lstm", "tanh"};
    struct attend_network_options c = small();
    c.attention = "monotonic";
    place(&c, k);
    c.input_feeding = c.input_feeding && k % 2;
    c.monotonic_order = k / placement_count() % 2;
    c.decoder_layers = 1 + k % 2;
    c.encoder_layers = c.decoder_layers;
    c.residual = k % 4 == 1;
    c.skip = placements[k % placement_count()]->skips && k % 4 == 3;
    c.layer_norm = k % 5 == 2;
    c.cell = others[k % 3];
    c.readout = readouts[k / 2 % 3];
    c.tie = ties[k / 3 % 2];
    c.readout_size = k / 3 % 2 ? c.emb : c.readout_size;
    return c;
}
enum { VARIANTS = 12 };

TEST(hard_gradient_of_every_variant)
{
    need_double();
    for (int k = 0; k < VARIANTS; k++) {
        const struct attend_network_options c = hard(k);
        char what[96];
        snprintf(what, sizeof what, "variant %d: %s order %d %s %s", k, c.placement,
                 c.monotonic_order, c.cell, c.readout);
        check_config(what, &c, k % 3 ? 0.2 : 0, 1 + k % 3, 5);
    }
}

TEST(hard_batch_equals_its_sentences)
{
    for (int k = 0; k < VARIANTS; k++) {
        const struct attend_network_options c = hard(k);
        check_batch_equals_singles(&c, 1 + k % 3);
    }
}

TEST(hard_same_threads_give_the_same_bytes)
{
    for (int k = 3; k < 6; k++) {
        const struct attend_network_options c = hard(k);
        check_same_bytes(&c);
    }
}

/* ---- All alignments ---- */

/* Rows of a sentence in the tape. */
struct rows {
    const struct fixture *f;
    int sentence, n, steps;
    int row[8];
};

static double jump_at(const struct rows *s, int t, int i, int d)
{
    const struct decoder *m = &s->f->model.decoder;
    const struct decoder_tape *tape = &s->f->tape.decoder;
    const struct decoder_layer *layer = &m->layer[m->asking];
    const int query = layer->columns.readout + layer->columns.slots, Q = m->attention.Q,
              width = query + Q, keys = decoder_projected_width(m, false);
    const ptrdiff_t at = s->f->tape.batch.memory_start[s->sentence] + i;
    return Q ? (double)tape->layer[m->asking].frame[s->row[t] * width + query + d] +
                   (double)tape->projected[at * keys + m->H + d]
             : 0;
}

static double score_at(const struct rows *s, int t, int i, int j)
{
    const int last = ALIGNMENTS_JUMPS - 1, d = j - i < last ? j - i : last;
    return (double)s->f->tape.decoder.hard.score[s->row[t] * s->f->tape.batch.S + j] +
           jump_at(s, t, i, d);
}

/* The sum over all ways to go on from position i with word t. */
static double all_from(const struct rows *s, int t, int i)
{
    const struct hard_tape *h = &s->f->tape.decoder.hard;
    double sum = 0, total = 0;
    if (t == s->steps)
        return 1;
    for (int j = i; j < s->n; j++) {
        const double p = exp(score_at(s, t, i, j));
        total += p;
        sum += p * exp(-h->loss[h->from[s->row[t]] + j]) * all_from(s, t + 1, j);
    }
    return sum / total;
}

static struct rows rows_of(const struct fixture *f, int sentence)
{
    const struct batch *b = &f->tape.batch;
    struct rows s = {.f = f, .sentence = sentence, .n = b->memory_length[sentence]};
    for (int lane = 0; lane < b->lanes; lane++)
        for (int t = 0; t < b->target[lane].count; t++) {
            const int i = sentence - b->target[lane].first;
            if (i >= 0 && i < b->target[lane].active[t])
                s.row[s.steps++] = b->target[lane].start[t] + i;
        }
    return s;
}

TEST(hard_loss_is_the_sum_over_all_alignments)
{
    for (int k = 0; k < VARIANTS; k++) {
        const struct attend_network_options c = hard(k);
        struct fixture f;
        double sum = 0;
        fixture_init(&f, &c, 1 + k % 2);
        f.job.loss.gradient = false;
        fill(&f, ALL, 4);
        run(&f);
        for (int b = 0; b < 4; b++) {
            const struct rows rows = rows_of(&f, b);
            assert_int_equal(rows.steps, sequences_length(&target, f.tape.batch.item[b]) + 1);
            sum -= log(all_from(&rows, 0, 0));
        }
        assert_near(f.loss, sum, sizeof(real) == sizeof(double) ? 1e-11 : 1e-5);
        fixture_release(&f);
    }
}

/* No alignment moves back, so neither does the mean of their posterior. */
TEST(hard_posterior_moves_forward)
{
    for (int k = 0; k < VARIANTS; k++) {
        const struct attend_network_options c = hard(k);
        struct fixture f;
        fixture_init(&f, &c, 2);
        f.job.loss.gradient = k % 2;
        fill(&f, ALL, 4);
        run(&f);
        for (int b = 0; b < 4; b++) {
            const struct rows rows = rows_of(&f, b);
            double before = 0;
            for (int t = 0; t < rows.steps; t++) {
                double mean = 0;
                for (int j = 0; j < rows.n; j++)
                    mean += j * (double)f.tape.decoder.weight[rows.row[t] * f.tape.batch.S + j];
                assert_true(mean >= before - 1e-6);
                before = mean;
            }
        }
        fixture_release(&f);
    }
}

/* ---- All outputs ---- */

enum { WORDS = 5, LONGEST = 3 }; /* <unk>, <s>, </s> and two others */

/* Minus the log-probabilities of a target's words and of </s>, by forcing. */
static void force(struct fixture *f, const int *words, int count, double *row_loss)
{
    const int first = 0;
    memcpy(target_ids, words, (size_t)count * sizeof *words);
    target_start[1] = (size_t)count;
    f->job.loss.row_loss = row_loss;
    fill(f, &first, 1);
    run(f);
}

/* The probability of all outputs that begin with `words`: those that end here, and those that go
 * on. At LONGEST words it is that of the beginning. */
static double mass_from(struct fixture *f, int *words, int count)
{
    double row_loss[LONGEST + 1], begins = 0, sum = 0;
    force(f, words, count, row_loss);
    for (int t = 0; t < count; t++)
        begins += row_loss[t];
    if (count == LONGEST)
        return exp(-begins);
    for (int word = 0; word < WORDS; word++) {
        words[count] = word;
        sum += word == VOCAB_EOS ? exp(-begins - row_loss[count]) : mass_from(f, words, count + 1);
    }
    return sum;
}

TEST(hard_probabilities_of_all_outputs_sum_to_one)
{
    const size_t second = target_start[1];
    int before[LONGEST], words[LONGEST];
    memcpy(before, target_ids, sizeof before);
    for (int k = 0; k < 2 * placement_count(); k++) {
        struct attend_network_options c = hard(k);
        struct fixture f;
        c.target_vocab = WORDS;
        fixture_init(&f, &c, 1);
        for (size_t i = 0; i < f.model.params.size; i++)
            f.values[i] *= 2; /* far from uniform */
        f.job.loss.gradient = false;
        assert_near(mass_from(&f, words, 0), 1, sizeof(real) == sizeof(double) ? 1e-12 : 1e-5);
        fixture_release(&f);
    }
    memcpy(target_ids, before, sizeof before);
    target_start[1] = second;
}
