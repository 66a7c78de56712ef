#include "pairs.h"

#include "args.h"

#include <string.h>

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

static enum attend_status read_both(struct pairs *p, int most, struct attend_error *err)
{
    const char *source = "", *target;
    enum attend_status status = ATTEND_OK;
    block_cut(&p->source_block, 0);
    block_cut(&p->target_block, 0);
    p->source_block.first = p->target_block.first = attend_lines_number(p->source) + 1;
    while (!status && source && p->source_block.count < most) {
        status = attend_lines_next_pair(p->source, p->target, &source, &target, err);
        if (!status && source)
            status = block_add(&p->source_block, source, err);
        if (!status && source)
            status = block_add(&p->target_block, target, err);
    }
    return status;
}

enum attend_status pairs_read(struct pairs *p, int most, struct attend_error *err)
{
    if (!p->source) {
        if (p->read)
            block_cut(&p->source_block, 0);
        p->read = true;
        return ATTEND_OK;
    }
    return p->forced ? read_both(p, most, err) : block_read(&p->source_block, p->source, most, err);
}

static enum attend_status force(const struct pairs *p, struct attend_translator *translator,
                                struct attend_translation *out, struct attend_error *err)
{
    return (p->pieces ? attend_force_pieces : attend_force)(
        translator, pairs_sources(p), pairs_targets(p), p->source_block.count, out, err);
}

void pairs_name_operand(struct attend_error *err)
{
    if (err->argument)
        attend_error_move(
            err, strcmp(err->argument, "target") == 0 ? "the translation" : "the sentence", 0);
}

enum attend_status pairs_run(const struct pairs *p, struct attend_translator *translator,
                             struct attend_translation *out, struct attend_error *err)
{
    const enum attend_status status =
        p->forced ? force(p, translator, out, err)
                  : attend_translate(translator, pairs_sources(p), p->source_block.count, out, err);
    if (status)
        pairs_name_line(p, err);
    return status;
}

const char *const *pairs_sources(const struct pairs *p)
{
    return (const char *const *)p->source_block.line;
}

const char *const *pairs_targets(const struct pairs *p)
{
    return (const char *const *)p->target_block.line;
}

void pairs_name_line(const struct pairs *p, struct attend_error *err)
{
    if (!p->source) {
        pairs_name_operand(err);
        return;
    }
    block_name_line(&p->source_block, p->forced ? "source" : "input", attend_lines_name(p->source),
                    NULL, err);
    if (p->forced)
        block_name_line(&p->target_block, "target", attend_lines_name(p->target), NULL, err);
}

void pairs_close(struct pairs *p)
{
    attend_lines_close(p->source);
    attend_lines_close(p->target);
    block_release(&p->source_block);
    block_release(&p->target_block);
    *p = (struct pairs){0};
}
