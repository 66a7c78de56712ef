#include "serve/upload.h"

#include "base/error.h"
#include "serve/routes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Modules ---- */

static const struct attend_frame_modules *modules_for(struct attend_server *s, const char *reader)
{
    if (!s->hooks.frames)
        return NULL;
    pthread_mutex_lock(&s->tell);
    const struct attend_frame_modules *modules = s->hooks.frames(s->hooks.context, reader);
    pthread_mutex_unlock(&s->tell);
    return modules;
}

static void note_missing(struct attend_server *s, const struct served *served,
                         const struct attend_frame_modules *m)
{
    const bool sound = strcmp(served->info.frames, "wav") == 0;
    const bool image = strcmp(served->info.frames, "image") == 0;
    const char *why = sound && m ? m->no_sound : image && m ? m->no_image : NULL;
    char text[640];
    if ((!sound || (m && m->sound_decode)) && (!image || (m && m->image_decode)))
        return;
    snprintf(text, sizeof text, "%.200s reads %s, which needs attend-%s.so%s%.300s", served->name,
             sound ? "sound" : "images", sound ? "sound" : "image", why ? "; it " : "",
             why ? why : "");
    if (!s->hooks.note)
        return;
    pthread_mutex_lock(&s->tell);
    s->hooks.note(s->hooks.context, text);
    pthread_mutex_unlock(&s->tell);
}

void upload_prepare(struct attend_server *s, const struct catalog *c)
{
    for (int i = 0; i < c->cores; i++)
        if (c->core[i]->info.frames)
            note_missing(s, c->core[i], modules_for(s, c->core[i]->info.frames));
}

/* ---- Decoding ---- */

/* A wrong file is the client's fault. */
static enum attend_status blame(enum attend_status status)
{
    return status == ATTEND_FORMAT ? ATTEND_DATA : status;
}

static enum attend_status check_rows(const struct upload *u, int most, struct attend_error *err)
{
    return u->frames->rows <= most
               ? ATTEND_OK
               : error_set(err, ATTEND_DATA, "%s: has %d frames; at most %d are read", u->name,
                           u->frames->rows, most);
}

static enum attend_status decode(struct task *task, struct attend_translator *none,
                                 struct attend_error *err)
{
    struct upload *u = task->owner;
    struct exchange *e = task->job.owner;
    const struct attend_frame_file file = {u->name, u->bytes, u->length};
    const struct attend_frame_modules *modules = modules_for(e->server, u->served->info.frames);
    (void)none;
    enum attend_status status =
        blame(attend_frames_read(&u->frames, u->served->model, &file, modules, err));
    if (!status)
        status = check_rows(u, e->server->options.max_frames, err);
    if (status)
        return status;
    u->held = (size_t)u->frames->rows * (size_t)u->frames->width * sizeof(float);
    u->crowded_out = !server_hold(e->server, u->held);
    u->held = u->crowded_out ? 0 : u->held;
    return ATTEND_OK;
}

/* ---- The request ---- */

static bool reads_files(const struct served *served) { return served->info.frames; }

static const struct routes_wish reader = {
    .fits = reads_files,
    .none = "no model of this server reads files; send a text as q",
    .other = "reads text, not files; send a text as q"};

/* The last part of a client's name for a file, for messages. */
static const char *name_of(const struct form_field *file)
{
    enum { NAME_MOST = 100 };
    const char *name = file->file;
    for (const char *at = name; *at; at++)
        if (*at == '/' || *at == '\\')
            name = at + 1;
    const size_t length = strlen(name);
    return length == 0 ? "the file" : length > NAME_MOST ? name + length - NAME_MOST : name;
}

bool upload_given(const struct params *p) { return !p->json && form_file(&p->form, "file"); }

void upload_take(struct exchange *e, struct params *p)
{
    const struct form_field *file = form_file(&p->form, "file");
    if (params_given(p, "q")) {
        routes_refuse(e, "give either q or file");
        return;
    }
    if (file->length == 0) {
        routes_refuse(e, "the file is empty");
        return;
    }
    struct served *served = routes_model_for(e, p, &reader);
    struct upload *u = served ? calloc(1, sizeof *u) : NULL;
    if (!u) {
        if (served)
            exchange_error(e, 500, "Out of memory");
        return;
    }
    *u = (struct upload){.task = {.job = work_job(e, 1), .run = decode, .owner = u},
                         .params = *p,
                         .served = served_hold(served),
                         .name = name_of(file),
                         .bytes = file->bytes,
                         .length = file->length};
    *p = (struct params){0};
    e->upload = u;
    e->model = served->name;
    e->lines = 1;
}

bool upload_waits(const struct exchange *e) { return e->upload && !e->upload->begun; }

bool upload_submit(struct exchange *e) { return routes_submit_upload(e, &e->upload->task.job); }

void upload_begin_route(struct exchange *e)
{
    struct upload *u = e->upload;
    u->begun = true;
    if (!work_failed(e, &u->task.job)) {
        if (u->crowded_out)
            exchange_busy(e);
        else
            e->route->begin(e, &u->params);
    }
    params_release(&u->params);
}

void upload_free(struct upload *u)
{
    if (!u)
        return;
    const struct exchange *e = u->task.job.owner;
    server_let_go(e->server, u->held);
    attend_frames_free(u->frames);
    params_release(&u->params);
    served_release(u->served);
    free(u);
}
