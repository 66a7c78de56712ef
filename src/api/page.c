#include "attend/plot.h"
#include "base/strbuf.h"
#include "viz/html.h"

char *attend_page(const struct attend_matrix *matrices, int count, const struct attend_look *look)
{
    struct strbuf out = {0};
    html_page(&out, matrices, count, look);
    return strbuf_detach(&out);
}
