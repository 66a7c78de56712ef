/* Internal to reading matrices: building a list, and what the file formats share. */
#ifndef ATTEND_REPORT_MATRICES_H
#define ATTEND_REPORT_MATRICES_H

#include "attend/lines.h"
#include "attend/matrix.h"

/* Make a matrix that owns its words and weights, all NULL or unset. False when memory runs out;
 * release it in either case. */
bool matrices_make(struct attend_matrix *, int source_count, int target_count);
void matrices_drop(struct attend_matrix *);
/* Move a matrix into the list. It is released when memory runs out. */
enum attend_status matrices_take(struct attend_matrices *, struct attend_matrix *, long number,
                                 struct attend_error *err);
/* Set word i of a side of a matrix made by matrices_make; false when memory runs out. */
bool matrices_set_word(const char *const *side, int i, const char *word, size_t length);
/* Set a weight; false if it is not a finite float. */
bool matrices_set_weight(struct attend_matrix *, int target, int source, double weight);

struct attend_matrix_file {
    struct attend_lines *lines;
    const struct matrix_form *form; /* NULL before the first line */
    char *held;                     /* the next line, read ahead; or NULL */
    long number;                    /* sentences read so far */
};
/* Read the next line that is not blank into file->held; NULL at the end. */
enum attend_status matrix_file_hold(struct attend_matrix_file *, struct attend_error *err);

/* A file format. To add one, write a function that reads a sentence starting at file->held, and add
 * a row with the first character of such files. */
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
