#include "frames/reader.h"

#include "base/error.h"

#include <string.h>

#define ROW(name) &frame_reader_##name,
const struct frame_reader *const frame_readers[FRAME_READERS] = {FRAME_READER_LIST(ROW)};
#undef ROW

const struct frame_reader *frame_reader_find(const char *name)
{
    for (int i = 0; i < FRAME_READERS; i++)
        if (strcmp(frame_readers[i]->name, name) == 0)
            return frame_readers[i];
    return NULL;
}

struct attend_choice attend_frame_reader(int i)
{
    if (i < 0 || i >= FRAME_READERS)
        return (struct attend_choice){0};
    return (struct attend_choice){frame_readers[i]->name, frame_readers[i]->help, NULL};
}

enum attend_status frame_reader_refuse(const struct frame_reader *reader,
                                       const struct frame_input *in, struct attend_error *err)
{
    if (in->length == 0)
        return error_set(err, ATTEND_FORMAT, "%s: is empty", in->name);
    return error_set(err, ATTEND_FORMAT, "%s: is not %s", in->name, reader->kinds);
}
