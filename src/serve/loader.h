/* Which models are in memory. Without a limit (`memory_limit`) all are, from the start. With one, a
 * thread of its own loads a model when the first job needs it, and models that no job uses make
 * room: first the one whose last job came longest ago.
 *
 * A job whose model is not in memory waits here, within its deadline, and then goes on to its
 * batcher. While the first job in this queue waits for room, all other jobs join the queue, or a
 * busy model could keep its place for ever. */
#ifndef ATTEND_SERVE_LOADER_H
#define ATTEND_SERVE_LOADER_H

#include "attend/model.h"

#include <sys/types.h>
#include <time.h>

struct batch_job;
struct batcher;
struct loader;
struct served;

/* What tells whether a file is still the one that was read. */
struct file_identity {
    dev_t device;
    ino_t number;
    off_t size;
    struct timespec changed;
};

/* The two threads that have a translator for a model. */
enum loader_work { LOADER_TRANSLATING, LOADER_EXPLAINING, LOADER_WORKS };

/* A model's weights. All but `model` without a limit, `home`, `file` and `weights` belong to the
 * loader and its lock. */
struct loadable {
    struct loader *home;        /* NULL: always in memory */
    struct attend_model *model; /* with its weights; NULL: not in memory */
    struct file_identity file;
    size_t weights;               /* bytes that they take */
    size_t working[LOADER_WORKS]; /* bytes of the translators */
    int jobs;                     /* that have gone on to a batcher and are not finished */
    long used;                    /* the time of its last job, on the loader's clock */
    struct served *next;          /* in the list of models in memory */
};

struct loader_setup {
    size_t limit;    /* bytes of all models in memory, with their translators */
    int queue_lines; /* that may wait here */
    void (*note)(void *context, const char *text);
    void *context;
};

enum attend_status loader_new(struct loader **out, const struct loader_setup *,
                              struct attend_error *err);
/* Start its thread, once the models are known: they may still be refused. */
enum attend_status loader_start(struct loader *, struct attend_error *err);
/* No job may wait or run any more, and no model may be left. NULL is fine. */
void loader_free(struct loader *);

/* Note what file a model is about to be read from. */
enum attend_status loader_identify(struct file_identity *, const char *path,
                                   struct attend_error *err);

/* Hand a job to its batcher, as soon as its model is in memory; false when a queue is full. `core`
 * may be NULL, for a job without a model, and so may the loader. */
bool loader_submit(struct loader *, struct served *core, struct batcher *, struct batch_job *);
/* A job of loader_submit is finished. */
void loader_done(struct loader *, struct batch_job *);
/* A thread has used its translator, which takes so many bytes now. Unloads idle models if the limit
 * is exceeded. True: it still is, so the thread must free its translator. */
bool loader_measure(struct loader *, struct served *core, enum loader_work, size_t bytes);
/* The model is about to be freed. */
void loader_forget(struct loader *, struct served *core);
/* Finish jobs that are over before their model was there. */
void loader_expire(struct loader *, double now);

struct loader_figures {
    int models;          /* in memory */
    long loads, unloads; /* so far */
    size_t bytes, limit; /* of the models in memory, with their translators */
    int waiting;         /* lines */
};
/* All zero without a loader. */
struct loader_figures loader_figures(struct loader *);
bool loader_has(struct served *core);
/* Whether a model is in memory, or its file is still there to be loaded. */
bool loader_can(struct served *core);

#endif
