#include "pairs.h"

#include "args.h"

#include <stdio.h>

enum attend_status pairs_open(struct pairs *p, const char *source, const char *target,
                              struct attend_error *err)
{
    *p = (struct pairs){.forced = target};
    enum attend_status status = attend_lines_open(&p->source, source, err);
    if (!status && target)
        status = attend_lines_open(&p->target, target, err);
    return status;
}

enum attend_status pairs_one(struct pairs *p, const char *source, const char *target,
                             struct attend_error *err)
{
    *p = (struct pairs){.forced = target, .source_block.first = 1, .target_block.first = 1};
    enum attend_status status = block_add(&p->source_block, source, err);
    if (!status && target)
        status = block_add(&p->target_block, target, err);
    return status;
}

static enum attend_status uneven(const struct pairs *p, struct attend_error *err)
{
    const bool longer = p->source_block.count > p->target_block.count;
    snprintf(err->message, sizeof err->message,
             "%.200s has more lines than %.200s: they must pair line for line",
             attend_lines_name(longer ? p->source : p->target),
             attend_lines_name(longer ? p->target : p->source));
    return ATTEND_DATA;
}

enum attend_status pairs_read(struct pairs *p, int most, struct attend_error *err)
{
    if (!p->source) {
        if (p->read)
            block_cut(&p->source_block, 0);
        p->read = true;
        return ATTEND_OK;
    }
    enum attend_status status = block_read(&p->source_block, p->source, most, err);
    if (!status && p->forced)
        status = block_read(&p->target_block, p->target, most, err);
    return !status && p->forced && p->source_block.count != p->target_block.count ? uneven(p, err)
                                                                                  : status;
}

enum attend_status pairs_run(const struct pairs *p, struct attend_translator *translator,
                             struct attend_translation *out, struct attend_error *err)
{
    const char *const *source = (const char *const *)p->source_block.line;
    const char *const *target = (const char *const *)p->target_block.line;
    const int count = p->source_block.count;
    const enum attend_status status =
        p->forced ? attend_force(translator, source, target, count, out, err)
                  : attend_translate(translator, source, count, out, err);
    if (status && !p->source)
        args_name_operands(err);
    if (status && p->source) {
        const char *name = attend_lines_name(p->source);
        block_name_line(&p->source_block, p->forced ? "source" : "input", name, NULL, err);
        if (p->forced)
            block_name_line(&p->target_block, "target", attend_lines_name(p->target), NULL, err);
    }
    return status;
}

void pairs_close(struct pairs *p)
{
    attend_lines_close(p->source);
    attend_lines_close(p->target);
    block_release(&p->source_block);
    block_release(&p->target_block);
    *p = (struct pairs){0};
}
