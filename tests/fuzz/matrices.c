/* Files of attention matrices, as JSON lines or in the format of Nematus; small ones are drawn.
 *
 * Aimed at: src/report/matrices.c src/report/matrix_json.c src/report/matrix_nematus.c
 *   src/report/matrix_file.c */
#include "fuzz.h"

#include "attend/matrix.h"

#include <math.h>

static void check_matrix(const struct attend_matrix *m)
{
    FUZZ_CHECK(m->source_count >= 0 && m->target_count >= 0);
    for (int i = 0; i < m->source_count; i++)
        fuzz_check_text(m->source[i], true);
    for (int i = 0; i < m->target_count; i++)
        fuzz_check_text(m->target[i], true);
    for (int i = 0; i < m->source_count * m->target_count; i++)
        FUZZ_CHECK(isfinite(m->weight[i]));
}

static void draw(const struct attend_matrices *list)
{
    enum { SMALL = 200 };
    int cells = 0;
    for (int i = 0; i < list->count && cells <= SMALL; i++)
        cells += 1 + list->item[i].source_count * list->item[i].target_count;
    if (cells > SMALL || list->count == 0)
        return;
    for (int view = 0; view <= ATTEND_VIEW_SALIENCE; view++) {
        const struct attend_style style = {.view = (enum attend_view)view};
        struct attend_picture *picture = attend_picture_matrices(list->item, list->count, &style);
        char *svg = attend_picture_svg(picture);
        char *text = attend_terminal_matrices(list->item, list->count, &style, view & 1);
        fuzz_check_text(svg, true);
        fuzz_check_text(text, true);
        attend_picture_free(picture);
        attend_text_free(svg);
        attend_text_free(text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (fuzz_compressed(data, size))
        return 0;
    struct attend_matrix_file *file = NULL;
    struct attend_matrices list = {0};
    struct attend_error err = {.message = ""};
    enum attend_status status = attend_matrix_file_open(&file, fuzz_file(0, data, size), &err);
    for (int before = -1; !status && before < list.count;) {
        before = list.count;
        status = attend_matrix_file_next(file, &list, &err);
    }
    fuzz_check_error(status, &err);
    for (int i = 0; i < list.count; i++) {
        check_matrix(&list.item[i]);
        FUZZ_CHECK(list.number[i] >= 1 && (i == 0 || list.number[i - 1] <= list.number[i]));
    }
    attend_matrices_scale(&list);
    draw(&list);
    attend_matrices_release(&list);
    attend_matrix_file_close(file);
    return 0;
}
