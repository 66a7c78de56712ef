#include "model/batch.h"

#include "base/arena.h"
#include "base/bug.h"
#include "base/rng.h"
#include "text/vocab.h"

#include <stdbool.h>

/* A sentence to sort: longest first, equal ones by number, so that the order is always the same. */
struct batch_order {
    int length, second, number;
};

static bool before(const struct batch_order *x, const struct batch_order *y)
{
    if (x->length != y->length)
        return x->length > y->length;
    if (x->second != y->second)
        return x->second > y->second;
    return x->number < y->number;
}

/* Sift the item at `root` of a heap of n down to its place; no parent sorts before its children. */
static void sink(struct batch_order *heap, int root, int n)
{
    const struct batch_order item = heap[root];
    for (int child = 2 * root + 1; child < n; child = 2 * root + 1) {
        if (child + 1 < n && before(&heap[child], &heap[child + 1]))
            child++;
        if (!before(&item, &heap[child]))
            break;
        heap[root] = heap[child];
        root = child;
    }
    heap[root] = item;
}

/* Heap sort, because qsort may allocate and this runs in the training loop. */
static void sort(struct batch_order *order, int n)
{
    for (int i = n / 2 - 1; i >= 0; i--)
        sink(order, i, n);
    for (int i = n - 1; i > 0; i--) {
        const struct batch_order last = order[0];
        order[0] = order[i];
        order[i] = last;
        sink(order, 0, i);
    }
}

/* Words of one sentence including </s>; 0 if the batch lacks this side. */
static int length_of(const struct sequences *side, int item)
{
    return side ? sequences_length(side, item) + 1 : 0;
}

static int longest(const struct sequences *side, const struct batch_text *text)
{
    int most = 0;
    for (int i = 0; i < text->count; i++)
        if (length_of(side, text->item[i]) > most)
            most = length_of(side, text->item[i]);
    return most;
}

static int rows(const struct sequences *side, const struct batch_text *text)
{
    size_t sum = 0;
    for (int i = 0; i < text->count; i++)
        sum += (size_t)length_of(side, text->item[i]);
    BUG_ON(sum > 1u << 30);
    return (int)sum;
}

void batch_bind(struct batch *b, struct arena *arena, const struct batch_text *text, int lanes)
{
    BUG_ON(lanes < 1 || lanes > BATCH_LANES);
    const int S = longest(text->source, text), T = longest(text->target, text);
    *b = (struct batch){.B = text->count, .lanes = lanes, .S = S};
    b->source_rows = rows(text->source, text);
    b->target_rows = rows(text->target, text);
    const size_t B = (size_t)b->B, N = (size_t)b->source_rows, M = (size_t)b->target_rows;
    b->item = arena_take(arena, sizeof(int), B);
    b->memory_start = arena_take(arena, sizeof(int), B);
    b->memory_length = arena_take(arena, sizeof(int), B);
    b->memory_row = arena_take(arena, sizeof(int), N);
    b->source_id = arena_take(arena, sizeof(int), N);
    b->target_in = arena_take(arena, sizeof(int), M);
    b->target_out = arena_take(arena, sizeof(int), M);
    b->target_choice = arena_take(arena, sizeof(int), M);
    b->source_place = arena_take(arena, sizeof(int), 2 * N);
    b->target_place = arena_take(arena, sizeof(int), 2 * M);
    b->active = arena_take(arena, sizeof(int), 2 * (size_t)lanes * (size_t)(S + T));
    b->order = arena_take(arena, sizeof *b->order, B);
}

/* ---- Dealing sentences to lanes ---- */

/* Deal the sentences, longest target first, back and forth (0 1 1 0 0 1 ...), so that the lanes get
 * about equal work. In b->item the lanes follow one another, each longest first. */
static void deal(struct batch *b, const struct batch_text *text, int *lane_size)
{
    for (int i = 0; i < b->B; i++) {
        const int item = text->item[i];
        const int source = length_of(text->source, item), target = length_of(text->target, item);
        b->order[i] = (struct batch_order){text->target ? target : source, source, i};
    }
    sort(b->order, b->B);
    int at = 0;
    for (int lane = 0; lane < b->lanes; lane++) {
        const int before = at;
        for (int i = 0; i < b->B; i++) {
            const int card = i % (2 * b->lanes);
            if ((card < b->lanes ? card : 2 * b->lanes - 1 - card) == lane)
                b->item[at++] = text->item[b->order[i].number];
        }
        lane_size[lane] = at - before;
    }
}

/* Count a lane's steps from the lengths in b->order, which are longest first. Takes its arrays from
 * *work. */
static void lay_steps(struct steps *steps, const struct batch_order *order, int size, int first,
                      int *row, int **work)
{
    const int count = size ? order[0].length : 0;
    int *active = *work, *start = active + count;
    *work += 2 * count;
    for (int t = 0, running = size; t < count; t++) {
        while (order[running - 1].length <= t)
            running--;
        active[t] = running;
        start[t] = *row;
        *row += running;
    }
    *steps = (struct steps){.count = count, .first = first, .active = active, .start = start};
}

/* ---- Filling the rows ---- */

static void fill_source(struct batch *b, const struct batch_text *text, int lane, int size,
                        int first)
{
    const struct steps *steps = &b->source[lane];
    for (int i = 0; i < size; i++) {
        const int number = first + b->order[i].number, item = b->item[number],
                  length = b->order[i].length;
        const int *ids = text->source->ids + text->source->start[item];
        for (int t = 0; t < length; t++) {
            const int row = steps->start[t] + i;
            b->source_id[row] = t + 1 < length ? ids[t] : VOCAB_EOS;
            b->source_place[2 * row] = item;
            b->source_place[2 * row + 1] = t;
            b->memory_row[b->memory_start[number] + t] = row;
        }
    }
}

static void fill_target(struct batch *b, const struct batch_text *text, int lane, int size,
                        int first)
{
    const struct steps *steps = &b->target[lane];
    for (int i = 0; i < size; i++) {
        const int item = b->item[first + i], length = b->order[i].length;
        const int *ids = text->target->ids + text->target->start[item];
        for (int t = 0; t < length; t++) {
            const int row = steps->start[t] + i;
            b->target_in[row] = t ? ids[t - 1] : VOCAB_BOS;
            b->target_out[row] = t + 1 < length ? ids[t] : VOCAB_EOS;
            b->target_place[2 * row] = item;
            b->target_place[2 * row + 1] = t;
        }
    }
}

static void order_lane(struct batch *b, const struct sequences *side, int size, int first)
{
    for (int i = 0; i < size; i++)
        b->order[i] = (struct batch_order){length_of(side, b->item[first + i]), 0, i};
    sort(b->order, size);
}

void batch_fill(struct batch *b, const struct batch_text *text)
{
    int lane_size[BATCH_LANES], source_row = 0, target_row = 0, memory = 0, *work = b->active;
    deal(b, text, lane_size);
    for (int i = 0; i < b->B; i++) {
        b->memory_start[i] = memory;
        b->memory_length[i] = length_of(text->source, b->item[i]);
        memory += b->memory_length[i];
    }
    for (int lane = 0, first = 0; lane < b->lanes; first += lane_size[lane++]) {
        const int size = lane_size[lane];
        order_lane(b, text->source, size, first);
        lay_steps(&b->source[lane], b->order, size, first, &source_row, &work);
        fill_source(b, text, lane, size, first);
        if (!text->target)
            continue;
        order_lane(b, text->target, size, first); /* already sorted by target length */
        lay_steps(&b->target[lane], b->order, size, first, &target_row, &work);
        fill_target(b, text, lane, size, first);
    }
}

/* ---- Scheduled sampling ---- */

static void feed_back_step(struct batch *b, const struct steps *steps, int t, double rate,
                           uint64_t key)
{
    for (int i = 0; i < steps->active[t]; i++) {
        const int row = steps->start[t] + i, choice = b->target_choice[steps->start[t - 1] + i];
        const uint64_t sentence = rng_key(key, (uint64_t)b->target_place[2 * row]);
        if (choice >= VOCAB_SPECIALS && rng_uniform(sentence, (uint64_t)t) < rate)
            b->target_in[row] = choice;
    }
}

void batch_feed_back(struct batch *b, double rate, uint64_t key)
{
    for (int lane = 0; lane < b->lanes; lane++)
        for (int t = 1; t < b->target[lane].count; t++)
            feed_back_step(b, &b->target[lane], t, rate, key);
}
