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

static int halved(int length, int times)
{
    for (; times > 0; times--)
        length = (length + 1) / 2;
    return length;
}

int batch_annotations(int length, int width, int pyramid)
{
    return halved(length + (width == 0), pyramid);
}

/* Words of one sentence including </s>, or its frames; 0 if the batch lacks this side. A target of
 * strokes ends too. */
enum side { SOURCE, TARGET };
static int length_of(const struct batch_text *text, enum side which, int item)
{
    const struct sequences *side = which == TARGET ? text->target : text->source;
    return side ? sequences_length(side, item) + (which == TARGET || side->width == 0) : 0;
}

static int longest(const struct batch_text *text, enum side side)
{
    int most = 0;
    for (int i = 0; i < text->count; i++)
        if (length_of(text, side, text->item[i]) > most)
            most = length_of(text, side, text->item[i]);
    return most;
}

/* The rows of all sentences, at a level of the source. */
static int rows(const struct batch_text *text, enum side side, int level)
{
    size_t sum = 0;
    for (int i = 0; i < text->count; i++) {
        BUG_ON(side == SOURCE && length_of(text, side, text->item[i]) == 0);
        sum += (size_t)halved(length_of(text, side, text->item[i]), level);
    }
    BUG_ON(sum > 1u << 30);
    return (int)sum;
}

/* Returns how many steps its lanes have at most. */
static int bind_level(struct batch *b, struct arena *arena, const struct batch_text *text, int k)
{
    struct batch_level *level = &b->level[k];
    level->rows = rows(text, SOURCE, k);
    level->lane = arena_take(arena, sizeof *level->lane, (size_t)b->lanes);
    level->place = arena_take(arena, sizeof(int), 2 * (size_t)level->rows);
    level->ends = arena_take(arena, sizeof(int), 2 * (size_t)b->B);
    level->below = k ? arena_take(arena, sizeof(int), 2 * (size_t)level->rows) : NULL;
    return halved(longest(text, SOURCE), k);
}

/* The links of all sentences. */
static int links_of(const struct batch_text *text)
{
    int sum = 0;
    for (int i = 0; text->links && i < text->count; i++)
        sum += sequences_length(text->links, text->item[i]) / 2;
    return sum;
}

void batch_bind(struct batch *b, struct arena *arena, const struct batch_text *text, int lanes,
                int pyramid)
{
    BUG_ON(lanes < 1 || lanes > BATCH_LANES || pyramid < 0 || pyramid >= BATCH_LEVELS);
    int steps = longest(text, TARGET);
    *b = (struct batch){
        .B = text->count, .lanes = lanes, .pyramid = pyramid, .width = text->source->width};
    for (int k = 0; k <= pyramid; k++) {
        b->S = bind_level(b, arena, text, k);
        steps += b->S;
    }
    b->source_rows = b->level[0].rows;
    b->memory_rows = b->level[pyramid].rows;
    b->stroke_width = text->target ? text->target->width : 0;
    BUG_ON(b->stroke_width && b->stroke_width != BATCH_STROKE);
    b->target_rows = rows(text, TARGET, 0);
    const size_t B = (size_t)b->B, N = (size_t)b->source_rows, M = (size_t)b->target_rows;
    b->item = arena_take(arena, sizeof(int), B);
    b->memory_start = arena_take(arena, sizeof(int), B);
    b->memory_length = arena_take(arena, sizeof(int), B);
    b->memory_row = arena_take(arena, sizeof(int), (size_t)b->memory_rows);
    if (b->width)
        b->source_frame = arena_take(arena, sizeof(real), N * (size_t)b->width);
    else
        b->source_id = arena_take(arena, sizeof(int), N);
    b->target_in = arena_take(arena, sizeof(int), M);
    b->target_out = arena_take(arena, sizeof(int), M);
    b->stroke_in = arena_take(arena, sizeof(real), M * (size_t)b->stroke_width);
    b->stroke_out = arena_take(arena, sizeof(real), M * (size_t)b->stroke_width);
    b->target_choice = arena_take(arena, sizeof(int), M);
    b->target_place = arena_take(arena, sizeof(int), 2 * M);
    if (text->links)
        guide_bind(&b->guide, arena, b->target_rows, links_of(text));
    b->active = arena_take(arena, sizeof(int), 2 * (size_t)lanes * (size_t)steps);
    b->order = arena_take(arena, sizeof *b->order, B);
}

/* ---- Dealing sentences to lanes ---- */

/* Deal the sentences, longest target first, back and forth (0 1 1 0 0 1 ...), so that the lanes get
 * about equal work. In b->item the lanes follow one another, each longest first. */
static void deal(struct batch *b, const struct batch_text *text, int *lane_size)
{
    for (int i = 0; i < b->B; i++) {
        const int item = text->item[i];
        const int source = length_of(text, SOURCE, item), target = length_of(text, TARGET, item);
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

/* Element t of a source, the last of which is </s> if they are tokens, becomes a row. */
static void fill_row(struct batch *b, const struct sequences *source, int item, int t, int row)
{
    const size_t at = source->start[item] + (size_t)t, width = (size_t)b->width;
    if (!b->width) {
        b->source_id[row] = at < source->start[item + 1] ? source->ids[at] : VOCAB_EOS;
        return;
    }
    real *frame = b->source_frame + (size_t)row * width;
    for (size_t i = 0; i < width; i++)
        frame[i] = (real)source->rows[at * width + i];
}

static void fill_source(struct batch *b, const struct batch_text *text, int lane, int size,
                        int first)
{
    const struct steps *steps = &b->level[0].lane[lane];
    for (int i = 0; i < size; i++)
        for (int t = 0; t < b->order[i].length; t++)
            fill_row(b, text->source, b->item[first + b->order[i].number], t, steps->start[t] + i);
}

/* The rows of level k - 1 that element t of the lane's sentence i joins. */
static void fill_below(struct batch *b, int k, int lane, int i, int t)
{
    const struct steps *steps = &b->level[k - 1].lane[lane];
    int *below = b->level[k].below + 2 * (b->level[k].lane[lane].start[t] + i);
    const bool pair = 2 * t + 1 < steps->count && i < steps->active[2 * t + 1];
    below[0] = steps->start[2 * t] + i;
    below[1] = pair ? steps->start[2 * t + 1] + i : -1;
}

static void fill_level(struct batch *b, int k, int lane, int size, int first)
{
    const struct batch_level *level = &b->level[k];
    for (int i = 0; i < size; i++) {
        const int number = first + b->order[i].number, last = b->order[i].length - 1;
        for (int t = 0; t <= last; t++) {
            const int row = level->lane[lane].start[t] + i;
            level->place[2 * row] = b->item[number];
            level->place[2 * row + 1] = t;
            if (k)
                fill_below(b, k, lane, i, t);
            if (k == b->pyramid)
                b->memory_row[b->memory_start[number] + t] = row;
        }
        level->ends[2 * number] = level->lane[lane].start[0] + i;
        level->ends[2 * number + 1] = level->lane[lane].start[last] + i;
    }
}

/* All levels of a lane, whose sentences are in b->order. */
static void fill_levels(struct batch *b, const struct batch_text *text, int lane, int size,
                        int first, int *row, int **work)
{
    for (int k = 0; k <= b->pyramid; k++) {
        for (int i = 0; k && i < size; i++)
            b->order[i].length = halved(b->order[i].length, 1);
        lay_steps(&b->level[k].lane[lane], b->order, size, first, &row[k], work);
        fill_level(b, k, lane, size, first);
        if (k == 0)
            fill_source(b, text, lane, size, first);
    }
}

/* Step t of a target becomes a row: words, or strokes. */
static void fill_words(struct batch *b, const struct sequences *target, int item, int t, int row)
{
    const int *ids = target->ids + target->start[item];
    b->target_in[row] = t ? ids[t - 1] : VOCAB_BOS;
    b->target_out[row] = t < sequences_length(target, item) ? ids[t] : VOCAB_EOS;
}

static void fill_strokes(struct batch *b, const struct sequences *target, int item, int t, int row)
{
    static const float first[BATCH_STROKE] = {0, 0, 1}, none[BATCH_STROKE] = {0};
    const float *strokes = target->rows + target->start[item] * BATCH_STROKE;
    const bool over = t == sequences_length(target, item);
    const float *before = t ? strokes + (ptrdiff_t)(t - 1) * BATCH_STROKE : first,
                *after = over ? none : strokes + (ptrdiff_t)t * BATCH_STROKE;
    for (int k = 0; k < BATCH_STROKE; k++) {
        b->stroke_in[row * BATCH_STROKE + k] = (real)before[k];
        b->stroke_out[row * BATCH_STROKE + k] = (real)after[k];
    }
    b->target_in[row] = 0;
    b->target_out[row] = over;
}

/* Give the rows of a sentence their links, which are in the order of its words. */
static void fill_links(struct batch *b, const struct sequences *links, int item, int sentence,
                       const struct steps *steps)
{
    const int *link = links->ids + links->start[item];
    for (int k = 0; k < sequences_length(links, item); k += 2)
        guide_add(&b->guide, steps->start[link[k + 1]] + sentence, link[k] >> b->pyramid);
}

static void fill_target(struct batch *b, const struct batch_text *text, int lane, int size,
                        int first)
{
    const struct steps *steps = &b->target[lane];
    for (int i = 0; i < size; i++) {
        const int item = b->item[first + i], length = b->order[i].length;
        for (int t = 0; t < length; t++) {
            const int row = steps->start[t] + i;
            if (b->stroke_width)
                fill_strokes(b, text->target, item, t, row);
            else
                fill_words(b, text->target, item, t, row);
            b->target_place[2 * row] = item;
            b->target_place[2 * row + 1] = t;
        }
        if (text->links)
            fill_links(b, text->links, item, i, steps);
    }
}

static void order_lane(struct batch *b, const struct batch_text *text, enum side side, int size,
                       int first)
{
    for (int i = 0; i < size; i++)
        b->order[i] = (struct batch_order){length_of(text, side, b->item[first + i]), 0, i};
    sort(b->order, size);
}

void batch_fill(struct batch *b, const struct batch_text *text)
{
    int lane_size[BATCH_LANES], level_row[BATCH_LEVELS] = {0}, target_row = 0, memory = 0;
    int *work = b->active;
    guide_clear(&b->guide);
    deal(b, text, lane_size);
    for (int i = 0; i < b->B; i++) {
        b->memory_start[i] = memory;
        b->memory_length[i] = halved(length_of(text, SOURCE, b->item[i]), b->pyramid);
        memory += b->memory_length[i];
    }
    for (int lane = 0, first = 0; lane < b->lanes; first += lane_size[lane++]) {
        const int size = lane_size[lane];
        order_lane(b, text, SOURCE, size, first);
        fill_levels(b, text, lane, size, first, level_row, &work);
        if (!text->target)
            continue;
        order_lane(b, text, TARGET, size, first); /* already sorted by target length */
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
