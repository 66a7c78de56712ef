#include "explain.h"
#include "picture.h"

#include <stdlib.h>

static const char *output_of(const struct explain_job *job) { return job->flags->output; }

/* An HTML page shows matrices, so curves cannot become one. */
bool explain_picture_takes(const struct explain_job *job)
{
    const char *path = output_of(job);
    return !path || picture_takes(path) ||
           (picture_ends_in(path, ".html") && !job->flags->curves && !job->flags->src);
}

/* Draw one panel for each measure that the model has. */
static int draw_panels(const struct explain_job *job, const struct attend_explanation *e)
{
    struct attend_matrix panel[ATTEND_MEASURES];
    float *share[ATTEND_MEASURES] = {0};
    const struct attend_style style = picture_style(job->flags);
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
            ? picture_save_text(job->command, good ? attend_page(panel, count, &style) : NULL, path)
            : picture_save(job->command,
                           good ? attend_picture_matrices(panel, count, &style) : NULL, path);
    for (int k = 0; k < ATTEND_MEASURES; k++)
        attend_array_free(share[k]);
    return code;
}

int explain_picture(const struct explain_job *job, const struct attend_explanation *e)
{
    if (!job->flags->curves)
        return draw_panels(job, e);
    const struct attend_style style = picture_style(job->flags);
    return picture_save(job->command, attend_explanation_picture(e, &style), output_of(job));
}
