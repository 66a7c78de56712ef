/* The encoder: annotations h_j of a source. It begins with rows x_j (N, E), the embeddings of tokens
 * or, for a source of frames f_j,
 *
 *     x_j = f_j W + b      no nonlinearity: what reads x_j has its own
 *
 * which are dropped out in training. A kind of encoder makes annotations of them: the memory that
 * attention reads, sentence by sentence in the decoder's order.
 *
 * To add a kind: write model/encoder_<name>.c with its formula and `const struct encoder_ops
 * encoder_<name>`, a header with what it keeps, a member for this below, and X(<name>) in
 * ENCODER_LIST.
 *
 * Dims: N rows of the source, E embedding, H, C annotation, L layers, B sentences. */
#ifndef ATTEND_MODEL_ENCODER_H
#define ATTEND_MODEL_ENCODER_H

#include "model/batch.h"
#include "model/config.h"
#include "model/dropouts.h"
#include "model/encoder_recurrent.h"
#include "model/encoder_transformer.h"
#include "nn/embedding.h"
#include "nn/projection.h"

#define ENCODER_LIST(X) X(recurrent) X(transformer)

struct encoder {
    const struct encoder_ops *ops;
    int width;                  /* numbers in a frame; 0: the source is tokens */
    struct embedding embedding; /* of tokens, or */
    struct projection frames;   /* of frames */
    int layers, E, H, C;
    /* What the kind has; the others stay empty. */
    struct encoder_recurrent recurrent;
    struct encoder_transformer transformer;
};

/* Caches of the products of source tokens with the first weights that multiply embeddings; see
 * nn/token_table.h. */
enum { ENCODER_TABLES = 2 };
struct encoder_tables {
    struct token_table *of[ENCODER_TABLES];
};

struct encoder_tape {
    real *x, *d_x;  /* (N, E) after dropout */
    real *memory;   /* (annotations, C) */
    real *d_memory; /* the same; input of backward, from the decoder */
    real *last;     /* (L, B, W) for each sentence, the state that has read all words, if the kind
                     * has states; W = states * H */
    real *d_last;   /* (L, B, W) input of backward */
    const struct encoder_tables *tables; /* for one thread, without dropout; or NULL */
    real *work;                          /* of products of tokens, only without training */
    /* (items) factor for the embeddings of each sentence, by item, for integrated gradients, which
     * start at zero embeddings. bind sets NULL, which means 1. */
    const real *embedding_scale;
    struct encoder_recurrent_tape recurrent;
    struct encoder_transformer_tape transformer;
};

struct encoder_ops {
    const char *name, *help;
    bool cells; /* its layers are cells, with states that can be copied, directions and pairs */
    int (*annotation)(const struct attend_network_options *); /* C */
    void (*declare)(struct encoder *, struct param_set *, const struct attend_network_options *);
    void (*bind)(struct encoder *, struct arena *, enum packing);
    void (*pack)(struct encoder *, struct compute *, bool training);
    void (*tape_bind)(struct encoder_tape *, struct arena *, const struct encoder *,
                      const struct batch *, int team, bool training);
    /* From x, or from the tokens if encoder_is_cached, to the memory. The team has not met since x
     * was written, and does not meet at the end: each member has the rows that worker_share gives
     * it. */
    void (*forward)(const struct encoder *, struct encoder_tape *, struct compute *,
                    const struct batch *, const struct dropouts *);
    /* From d_memory, and d_last if `copied`, to d_x. The team has met before, and meets at the
     * end. */
    void (*backward)(const struct encoder *, struct encoder_tape *, struct compute *,
                     const struct batch *, const struct dropouts *, bool copied);
    /* Right-hand side i that multiplies embeddings, without dropout between; NULL: there are
     * fewer. */
    const struct packed *(*product)(const struct encoder *, int i);
    /* Multiply-adds of forward. */
    double (*products)(const struct encoder *, const struct batch *);
};

#define ENCODER_DECLARE(name) extern const struct encoder_ops encoder_##name;
ENCODER_LIST(ENCODER_DECLARE)
#undef ENCODER_DECLARE

extern const struct encoder_ops *const encoders[]; /* ended by NULL */
const struct encoder_ops *encoder_find(const char *name);

void encoder_declare(struct encoder *, struct param_set *, const struct attend_network_options *);
void encoder_bind(struct encoder *, struct arena *, enum packing packing);
void encoder_pack(struct encoder *, struct compute *, bool training);
void encoder_tape_bind(struct encoder_tape *, struct arena *, const struct encoder *,
                       const struct batch *, int team, bool training);
/* By the whole team, one lane per member. Both end with a barrier. */
void encoder_forward(const struct encoder *, struct encoder_tape *, struct compute *,
                     const struct batch *, const struct dropouts *);
/* d_last is read only if `copied`. */
void encoder_backward(const struct encoder *, struct encoder_tape *, struct compute *,
                      const struct batch *, const struct dropouts *, bool copied);

/* For the kinds of encoders: whether the products of tokens come from tables, in which case nobody
 * fills x; and the i-th product. */
bool encoder_is_cached(const struct encoder *, const struct encoder_tape *);
struct tokens encoder_tokens(const struct encoder *, const struct encoder_tape *, int i);

#endif
