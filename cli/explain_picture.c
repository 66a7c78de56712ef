#include "explain.h"
#include "picture.h"

#include <stdlib.h>

static const char *output_of(const struct explain_job *job)
{
    return attend_options_text(job->options, "output");
}

/* A page holds matrices; curves have none. */
bool explain_picture_takes(const struct explain_job *job)
{
    const char *path = output_of(job);
    return !path || picture_takes(path) ||
           (picture_ends_in(path, ".html") && !explain_has(job, "curves") &&
            !attend_options_text(job->options, "src"));
}

/* Attention and the measures beside it, as far as the model has them. */
static int draw_panels(const struct explain_job *job, const struct attend_explanation *e)
{
    struct attend_matrix panel[ATTEND_MEASURES];
    float *share[ATTEND_MEASURES] = {0};
    const struct attend_look look = picture_look(job->options);
    int count = 0;
    bool good = true;
    for (int k = 0; k < ATTEND_MEASURES; k++) {
        if (!e->value[k])
            continue;
        share[k] = attend_explanation_shares(e, (enum attend_measure)k);
        good = good && share[k];
        panel[count++] = (struct attend_matrix){.title = attend_measure_name(k),
                                                .source = (const char *const *)e->source,
                                                .target = (const char *const *)e->target,
                                                .source_count = e->source_count,
                                                .target_count = e->target_count,
                                                .weight = share[k]};
    }
    const char *path = output_of(job);
    const int code =
        picture_ends_in(path, ".html")
            ? picture_save_text(job->command, good ? attend_page(panel, count, &look) : NULL, path)
            : picture_save(job->command, good ? attend_picture_matrices(panel, count, &look) : NULL,
                           path);
    for (int k = 0; k < ATTEND_MEASURES; k++)
        free(share[k]);
    return code;
}

int explain_picture(const struct explain_job *job, const struct attend_explanation *e)
{
    if (!explain_has(job, "curves"))
        return draw_panels(job, e);
    const struct attend_look look = picture_look(job->options);
    return picture_save(job->command, attend_explanation_picture(e, &look), output_of(job));
}
