#include "document/document.h"

#include <string.h>
#include <strings.h>

#define ROW(name) &document_##name,
static const struct document_ops *const formats[] = {DOCUMENT_LIST(ROW) NULL};
#undef ROW
#define ONE(name) +1
enum { FORMATS = 0 DOCUMENT_LIST(ONE) };
#undef ONE

const struct document_ops *document_find(const char *name)
{
    const struct document_ops *const *row = formats;
    while (*row && strcmp((*row)->name, name) != 0)
        row++;
    return *row;
}

static bool ends_with(const char *text, size_t length, const char *ending)
{
    const size_t size = strlen(ending);
    return length > size && strncasecmp(text + length - size, ending, size) == 0;
}

const struct document_ops *document_find_ending(const char *path)
{
    size_t length = strlen(path);
    if (ends_with(path, length, ".gz"))
        length -= 3;
    else if (ends_with(path, length, ".zst"))
        length -= 4;
    for (const struct document_ops *const *row = formats; *row; row++)
        for (const char *const *ending = (*row)->ending; *ending; ending++)
            if (ends_with(path, length, *ending))
                return *row;
    return NULL;
}

bool attend_document_format(int i, struct attend_document_format *out)
{
    if (i < 0 || i >= FORMATS)
        return false;
    *out =
        (struct attend_document_format){formats[i]->name, formats[i]->ending[0], formats[i]->help};
    return true;
}

const char *attend_document_format_of(const char *path)
{
    const struct document_ops *ops = document_find_ending(path);
    return ops ? ops->name : NULL;
}
