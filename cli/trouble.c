#include "trouble.h"

#include "pairs.h"
#include "session.h"

#include <attend/matrix.h>
#include <attend/trouble.h>

#include <errno.h>
#include <stdlib.h>

/* A sentence of the report, ready to print. */
struct row {
    double score;
    long number;
    char *text;
};

struct report {
    const struct command *command;
    struct attend_trouble_limits limits;
    bool json, words;
    struct row *row; /* (count) */
    size_t count, size;
};

/* ---- A row of the table ---- */

static void print_words(FILE *out, const char *heading, const int *place, int count,
                        const struct attend_trouble *t, const char *const *source)
{
    if (count)
        fprintf(out, "        %s", heading);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%s (%.2f)", i ? ", " : "", source[place[i]], t->coverage[place[i]]);
    if (count)
        fputc('\n', out);
}

static void print_repeats(FILE *out, const struct attend_trouble *t, const char *const *target)
{
    if (t->repeats)
        fputs("        said again: ", out);
    for (int i = 0; i < t->repeats; i++) {
        const struct attend_repeat *r = &t->repeat[i];
        for (int k = 0; k < r->length; k++)
            fprintf(out, "%s%s", k ? " " : i ? ", " : "", target[r->again + k]);
        fprintf(out, " (%.2f)", r->weight);
    }
    if (t->repeats)
        fputc('\n', out);
}

static void print_side(FILE *out, const char *heading, const char *const *word, int count)
{
    fprintf(out, "        %s", heading);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%s", i ? " " : "", word[i]);
    fputc('\n', out);
}

static char *table_row(const struct attend_trouble *t, const struct attend_matrix *m, long number)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "%6ld  %6.3f  %8.3f  %10.3f  %7.3f  %8.3f  %10.2f  %6.2f\n", number, t->score,
            t->shortage, t->repetition, t->entropy, t->relative_entropy, t->dispersion,
            t->length_ratio);
    print_side(out, "source: ", m->source, t->source_count);
    print_side(out, "target: ", m->target, t->target_count);
    print_words(out, "left out: ", t->missed, t->missed_count, t, m->source);
    print_words(out, "too often: ", t->crowded, t->crowded_count, t, m->source);
    print_repeats(out, t, m->target);
    const bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

/* ---- Sentences ---- */

static bool make_room(struct report *r)
{
    if (r->count < r->size)
        return true;
    const size_t size = r->size ? 2 * r->size : 64;
    struct row *more = realloc(r->row, size * sizeof *more);
    if (more) {
        r->row = more;
        r->size = size;
    }
    return more;
}

static enum attend_status add(struct report *r, const struct attend_matrix *m, long number,
                              struct attend_error *err)
{
    struct attend_trouble t;
    const enum attend_status status = attend_trouble_find(&t, m, &r->limits, err);
    if (status)
        return status;
    char *text = make_room(r) ? (r->json ? attend_trouble_json : table_row)(&t, m, number) : NULL;
    if (text)
        r->row[r->count++] = (struct row){t.score, number, text};
    attend_trouble_release(&t);
    if (!text)
        snprintf(err->message, sizeof err->message, "out of memory for %zu sentences", r->count);
    return text ? ATTEND_OK : ATTEND_NO_MEMORY;
}

/* Add the matrix of a file. Errors name the file and the sentence. */
static enum attend_status add_foreign(struct report *r, const struct attend_matrices *sentence,
                                      const char *path, struct attend_error *err)
{
    const long number = sentence->number[0];
    struct attend_error wrong;
    if (!sentence->item[0].source_count)
        return ATTEND_OK;
    const enum attend_status status = add(r, &sentence->item[0], number, &wrong);
    if (status)
        snprintf(err->message, sizeof err->message, "%.150s: sentence %ld: %.300s", path, number,
                 wrong.message);
    return status;
}

/* Add the first hypothesis of each sentence of a file of matrices. */
static enum attend_status read_matrices(struct report *r, const char *path,
                                        struct attend_error *err)
{
    struct attend_matrix_file *file;
    enum attend_status status = attend_matrix_file_open(&file, path, err);
    if (status)
        return status;
    for (bool more = true; more && !status;) {
        struct attend_matrices sentence = {0};
        status = attend_matrix_file_next(file, &sentence, err);
        more = sentence.count > 0;
        if (!status && more)
            status = add_foreign(r, &sentence, path, err);
        attend_matrices_release(&sentence);
    }
    attend_matrix_file_close(file);
    return status;
}

static enum attend_status add_translation(struct report *r, const struct attend_translation *t,
                                          const struct attend_model *model, long number,
                                          struct attend_error *err)
{
    struct attend_translation folded = {0};
    if (!t->source_count)
        return ATTEND_OK;
    enum attend_status status =
        r->words ? attend_translation_fold(&folded, t, model, err) : ATTEND_OK;
    const struct attend_matrix m = attend_matrix_of(r->words ? &folded : t, 0, -1);
    if (!status)
        status = add(r, &m, number, err);
    attend_translation_release(&folded);
    return status;
}

static enum attend_status read_block(struct report *r, const struct pairs *pairs,
                                     const struct session *session,
                                     struct attend_translation *result, struct attend_error *err)
{
    const int count = pairs->source_block.count;
    enum attend_status status = pairs_run(pairs, session->translator, result, err);
    if (status)
        return status;
    for (int i = 0; i < count && !status; i++)
        status =
            add_translation(r, &result[i], session->model[0], pairs->source_block.first + i, err);
    for (int i = 0; i < count; i++)
        attend_translation_release(&result[i]);
    return status;
}

static enum attend_status read_pairs(struct report *r, const struct session *session,
                                     const struct flags *flags, struct attend_error *err)
{
    struct pairs pairs = {0};
    struct attend_translation *result = calloc(BLOCK_LINES, sizeof *result);
    enum attend_status status =
        result ? pairs_open(&pairs, flags->src, flags->tgt, err) : ATTEND_NO_MEMORY;
    for (bool more = true; more && !status;) {
        status = pairs_read(&pairs, BLOCK_LINES, err);
        more = pairs.source_block.count > 0;
        if (!status && more)
            status = read_block(r, &pairs, session, result, err);
    }
    pairs_close(&pairs);
    free(result);
    return status;
}

/* ---- The report ---- */

static int worst_first(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int print(struct report *r, size_t limit)
{
    errno = 0;
    if (r->count)
        qsort(r->row, r->count, sizeof *r->row, worst_first);
    if (!r->json)
        puts("  line   score  shortage  repetition  entropy  relative  dispersion   ratio");
    for (size_t i = 0; i < r->count && (!limit || i < limit); i++) {
        fputs(r->row[i].text, stdout);
        if (r->json)
            putchar('\n');
    }
    return args_flush(r->command, stdout);
}

static int read_sentences(struct report *r, const struct flags *flags)
{
    const char *matrix = flags->matrix;
    struct session session = {0};
    struct attend_error err = {.message = "out of memory"};
    enum attend_status status;
    if (matrix) {
        status = read_matrices(r, matrix, &err);
    } else {
        const int code = session_open(&session, r->command, flags);
        if (code != EXIT_DONE || !session_attends(&session, r->command)) {
            session_close(&session);
            return code != EXIT_DONE ? code : EXIT_FAILED;
        }
        status = read_pairs(r, &session, flags, &err);
    }
    session_close(&session);
    return status ? args_fail(r->command, status, &err) : EXIT_DONE;
}

static void drop(char *text) { free(text); }

int trouble_report(const struct command *command, const struct flags *flags)
{
    struct report r = {.command = command,
                       .limits = ATTEND_TROUBLE_LIMITS,
                       .json = flags->json,
                       .words = !flags->pieces};
    r.limits.missed = flags->missed;
    r.limits.crowded = flags->crowded;
    int code = read_sentences(&r, flags);
    if (code == EXIT_DONE)
        code = print(&r, (size_t)flags->limit);
    for (size_t i = 0; i < r.count; i++)
        (r.json ? attend_text_free : drop)(r.row[i].text);
    free(r.row);
    return code;
}
