#include "attend/plot.h"
#include "base/strbuf.h"
#include "viz/html.h"

char *attend_page(const struct attend_matrix *matrices, int count, const struct attend_style *style)
{
    struct strbuf out = {0};
    html_page(&out, matrices, count, style);
    return strbuf_detach(&out);
}
