#include "viz/markup.h"

#include "base/strbuf.h"

#include <string.h>

static const char *entity(char c)
{
    switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    default: return "&apos;";
    }
}

void markup_add(struct strbuf *out, const char *safe)
{
    while (*safe) {
        const size_t plain = strcspn(safe, "<>&\"'");
        strbuf_add(out, safe, plain);
        safe += plain;
        if (*safe)
            strbuf_adds(out, entity(*safe++));
    }
}
