#include "serve/detection.h"

#include "base/error.h"
#include "base/strbuf.h"
#include "serve/routes.h"

#include <stdlib.h>
#include <string.h>

enum { LONG_ENOUGH = 40 }; /* texts with more characters than this are classified alone */

static enum attend_status run(struct task *, struct attend_translator *, struct attend_error *err);

struct detection *detection_new(struct exchange *e, int count, int room)
{
    struct detection *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->task = (struct task){.job = work_job(e, 1), .run = run, .owner = d};
    d->catalog = e->catalog;
    d->count = count;
    d->room = room;
    d->text = calloc((size_t)count, sizeof *d->text);
    d->guess = calloc((size_t)count * (size_t)room, sizeof *d->guess);
    d->found = calloc((size_t)count, sizeof *d->found);
    if (d->text && d->guess && d->found)
        return d;
    detection_free(d);
    return NULL;
}

void detection_free(struct detection *d)
{
    if (!d)
        return;
    for (int i = 0; d->text && i < d->count; i++)
        free(d->text[i]);
    free(d->text);
    free(d->guess);
    free(d->found);
    free(d);
}

/* ---- Detecting ---- */

static bool detect(struct detection *d, int i, const char *text)
{
    const struct catalog *c = d->catalog;
    d->found[i] = attend_detect(c->models, c->cores, text, &d->guess[i * d->room], d->room);
    d->detected++;
    return d->found[i] >= 0;
}

/* Short texts get the language of all texts together: classify it once, for the first of them. */
static bool detect_short(struct detection *d, int first)
{
    struct strbuf all = {0};
    for (int i = 0; i < d->count; i++)
        strbuf_addf(&all, "%s\n", d->text[i]);
    const bool good = !all.failed && detect(d, first, all.text);
    strbuf_release(&all);
    return good;
}

static void copy_guesses(struct detection *d, int from, int to)
{
    d->found[to] = d->found[from];
    memcpy(&d->guess[to * d->room], &d->guess[from * d->room], (size_t)d->room * sizeof *d->guess);
}

static bool detect_all(struct detection *d)
{
    int first = -1; /* the first short text */
    bool good = true;
    for (int i = 0; i < d->count && good; i++) {
        if (!d->together || routes_characters(d->text[i]) > LONG_ENOUGH) {
            good = detect(d, i, d->text[i]);
        } else if (first < 0) {
            first = i;
            good = detect_short(d, i);
        } else {
            copy_guesses(d, first, i);
        }
    }
    return good;
}

static enum attend_status run(struct task *task, struct attend_translator *translator,
                              struct attend_error *err)
{
    (void)translator;
    return detect_all(task->owner)
               ? ATTEND_OK
               : error_set(err, ATTEND_NO_MEMORY, "out of memory for languages");
}
