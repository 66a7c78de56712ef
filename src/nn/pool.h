/* Pooling: out_i += sum_j a_ij value_j. The values may be annotations or a projection of them:
 * projecting once per source word and then pooling gives the same as pooling and then projecting at
 * every step, and is far cheaper.
 *
 * With G heads the P columns are G equal parts: columns [g P/G, (g + 1) P/G) are pooled with the
 * weights of head g, columns g S .. g S + S - 1 of `weight`. P is a multiple of G.
 *
 * Positions before the first and after the last weight that is not 0 cost nothing but the look at
 * that weight: a mechanism that sees a window pays for the window. */
#ifndef ATTEND_NN_POOL_H
#define ATTEND_NN_POOL_H

#include "nn/attention.h"
#include "nn/steps.h"

/* value: (N, P), out: (M, P), added to. */
void pool_forward(const struct attention_rows *, int heads, struct view value, struct view out);
/* d_weight_ij = d_out_i . value_j, overwritten; (M, G S). Outside the reach of a row it is 0: there
 * the softmax passes no gradient on, a_ij being a factor of it. */
void pool_backward(const struct attention_rows *, int heads, struct view value, struct view d_out,
                   struct view d_weight);
/* After the last step: d_value_j = sum_t a_tj d_out_t for every sentence of a lane, overwritten.
 * weight (T rows, G S) and d_out (T rows, P) are slabs over the target steps. */
void pool_end(const struct attention_rows *, const struct steps *, int heads, struct view weight,
              struct view d_out, struct view d_value);

#endif
