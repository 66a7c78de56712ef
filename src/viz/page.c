#include "attend/plot.h"
#include "base/strbuf.h"
#include "viz/html.h"
#include "viz/html_frames.h"

char *attend_page(const struct attend_matrix *matrices, int count, const struct attend_style *style)
{
    struct strbuf out = {0};
    bool frames = count > 0;
    for (int i = 0; i < count; i++)
        frames = frames && matrices[i].frames;
    (frames ? html_frames : html_page)(&out, matrices, count, style);
    return strbuf_detach(&out);
}
