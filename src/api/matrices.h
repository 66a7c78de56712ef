/* Inside reading matrices: how a list gets what it owns, and what the forms of files share. */
#ifndef ATTEND_API_MATRICES_H
#define ATTEND_API_MATRICES_H

#include "attend/lines.h"
#include "attend/matrix.h"

/* A matrix that owns its words and weights, with room for them; what is not set yet is NULL. False
 * when memory runs out; release it in any case. */
bool matrices_make(struct attend_matrix *, int source_count, int target_count);
void matrices_drop(struct attend_matrix *);
/* A matrix that owns what it holds into the list, or dropped when memory runs out. */
enum attend_status matrices_take(struct attend_matrices *, struct attend_matrix *, long number,
                                 struct attend_error *err);
/* Set word i of a side of a matrix that owns it; false when memory runs out. */
bool matrices_set_word(const char *const *side, int i, const char *word, size_t length);
/* Set a weight; false when it is no finite float. */
bool matrices_set_weight(struct attend_matrix *, int target, int source, double weight);

struct attend_matrix_file {
    struct attend_lines *lines;
    const struct matrix_form *form; /* NULL until the first line */
    char *held;                     /* the next line, read before its time; or NULL */
    long number;                    /* sentences so far */
};
/* The next line that is not blank, into file->held; NULL at the end. */
enum attend_status matrix_file_hold(struct attend_matrix_file *, struct attend_error *err);

/* A form of file. To add one: a function that reads a sentence from file->held on, a row here, and
 * the character that its files begin with. */
struct matrix_form {
    char first; /* 0: any */
    enum attend_status (*read)(struct attend_matrix_file *, struct attend_matrices *,
                               struct attend_error *);
};
enum attend_status matrix_json_read(struct attend_matrix_file *, struct attend_matrices *,
                                    struct attend_error *err);
enum attend_status matrix_nematus_read(struct attend_matrix_file *, struct attend_matrices *,
                                       struct attend_error *err);

#endif
