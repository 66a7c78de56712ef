/* Tables of a test: the first line is the columns (with a header, if it is not empty), the rest is
 * the file. The output of each line is its source, so that edits are compared too.
 *
 * Aimed at: src/eval/eval_table.c, src/eval/errors.c, src/eval/confusions.c, src/metric/units.c,
 * src/metric/edits.c, src/report/errors_text.c */
#include "fuzz.h"

#include "attend/eval_set.h"

#include <stdlib.h>
#include <string.h>

static void check_reports(const struct attend_eval_set *set)
{
    struct attend_wrong_lines *errors = NULL;
    struct attend_confusions *confusions = NULL;
    struct attend_error err = {.message = ""};
    FUZZ_CHECK(!attend_eval_set_errors(&errors, set, 3, &err));
    FUZZ_CHECK(!attend_eval_set_confusions(&confusions, set, &err));
    char *text = attend_wrong_lines_text(errors, false);
    fuzz_check_text(text, true);
    free(text);
    text = attend_eval_report_json(
        &(struct attend_eval_report){.errors = errors, .confusions = confusions});
    fuzz_check_json(text, strlen(text));
    free(text);
    attend_wrong_lines_free(errors);
    attend_confusions_free(confusions);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = {data, size};
    struct attend_eval_set *set = NULL;
    struct attend_error err = {.message = ""};
    struct attend_eval_options options = attend_eval_defaults();
    size_t length;
    char *columns = fuzz_until(&in, '\n', &length);
    fuzz_make_text(columns, length, false);
    if (fuzz_compressed(in.at, in.left) || size > 2000) {
        free(columns);
        return 0;
    }
    options.header = *columns;
    options.columns = *columns ? columns : NULL;
    options.test = fuzz_file(0, in.at, in.left);
    enum attend_status status = attend_eval_set_ask(&set, &options, &err);
    fuzz_check_error(status, &err);
    for (int i = 0; set && !status && i < attend_eval_set_count(set); i++)
        status = attend_eval_set_answer(set, i, attend_eval_set_source(set, i), &err);
    if (set)
        check_reports(set);
    attend_eval_set_free(set);
    free(columns);
    return 0;
}
