/* attend serve: serves models over HTTP. The module with the HTTP library is loaded only here. */
#include "commands.h"
#include "frames.h"
#include "module.h"
#include "sentences.h"

#include <attend/serve.h>

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* What the hooks need. */
struct voice {
    const char *path; /* of the access log; NULL: standard error */
    FILE *access;
    struct frame_modules frames; /* that are loaded */
    const struct command *command;
    const struct args *args; /* the command line */
    struct args *again;      /* the same after the last reload; or NULL */
};

static struct attend_server *server; /* for the signal handler */
static atomic_bool reopen;           /* reopen the access log before the next line */

static void on_signal(int number)
{
    const int before = errno;
    if (number == SIGHUP) {
        atomic_store(&reopen, true);
        attend_server_reload(server);
    } else {
        attend_server_stop(server);
    }
    errno = before;
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
}

/* ---- Logs ---- */

static void note(void *context, const char *text)
{
    (void)context;
    fputs("attend serve: ", stderr);
    args_say(text);
    putc('\n', stderr);
}

/* Log rotation moves the file away and then sends SIGHUP. */
static void open_again(struct voice *voice)
{
    FILE *file = voice->path ? fopen(voice->path, "ae") : NULL;
    if (!file)
        return;
    fclose(voice->access);
    voice->access = file;
}

static void write_access(void *context, const char *line)
{
    struct voice *voice = context;
    if (atomic_exchange(&reopen, false))
        open_again(voice);
    fprintf(voice->access, "%s\n", line);
    fflush(voice->access);
}

static const struct attend_frame_modules *load_frames(void *context, const char *reader)
{
    struct voice *voice = context;
    return frame_modules_load(&voice->frames, reader);
}

static bool open_voice(struct voice *voice, const struct flags *flags, struct attend_error *err)
{
    voice->args = flags->args;
    voice->path = flags->access_log;
    voice->access = voice->path ? fopen(voice->path, "ae") : stderr;
    if (!voice->access)
        snprintf(err->message, sizeof err->message, "%s: cannot be opened: %s", voice->path,
                 strerror(errno));
    return voice->access;
}

/* ---- The file of --config ---- */

/* Read the file again. The server reads models and keys again with what this gives. */
static bool reread(void *context, const struct attend_serve_options **options,
                   const struct attend_translator_options **translator)
{
    struct voice *voice = context;
    struct attend_error err;
    struct args *again;
    if (args_again(&again, voice->args, &err)) {
        args_fail(voice->command, ATTEND_USAGE, &err);
        return false;
    }
    args_free(voice->again);
    voice->again = again;
    *options = &args_flags(again)->serve;
    *translator = &args_flags(again)->search;
    return true;
}

/* ---- The server ---- */

static const struct attend_http *load_http(struct attend_error *err)
{
    attend_http_fn *http = NULL;
    void *module = module_open("attend-serve.so", RTLD_NOW);
    if (module)
        module_find(module, "attend_http", &http);
    if (http)
        return http();
    const char *why = dlerror();
    snprintf(err->message, sizeof err->message,
             "serving needs attend-serve.so, which cannot be loaded (%s); install "
             "libmicrohttpd-dev and build again with ATTEND_SERVE=ON",
             why ? why : "file not found");
    return NULL;
}

/* Every connection is an open file; 100 more are for everything else. */
static void allow_files(const struct flags *flags)
{
    struct rlimit limit;
    const rlim_t wanted = (rlim_t)flags->serve.connections + 100;
    if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* Translators have buffers of many megabytes, which are freed when models are reloaded. By default
 * the C library soon allocates such buffers on the heap, where they leave holes, and memory grows
 * with every reload under load. With a fixed threshold, large buffers are mapped, and freeing them
 * returns their memory. */
static void give_memory_back(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 256 * 1024);
#endif
}

int cmd_serve(const struct command *command, const struct flags *flags, const char *const *operand,
              int count)
{
    (void)operand, (void)count;
    struct attend_error err;
    struct voice voice = {.command = command};
    if (!args_need(command, flags->serve.models, "model"))
        return EXIT_USAGE;
    give_memory_back();
    const struct attend_http *http = load_http(&err);
    if (!http || !open_voice(&voice, flags, &err))
        return args_fail(command, ATTEND_IO, &err);
    struct sentences sentences = {0};
    const struct attend_serve_hooks hooks = {.note = note,
                                             .access = write_access,
                                             .reread = flags->config ? reread : NULL,
                                             .context = &voice,
                                             .frames = load_frames,
                                             .sentences =
                                                 sentences_load(&sentences, command->name)};
    enum attend_status status =
        attend_server_open(&server, &flags->serve, &flags->search, &hooks, &err);
    if (!status) {
        allow_files(flags);
        catch_signals();
        status = attend_server_run(server, http, &err);
        for (const int *number = (const int[]){SIGTERM, SIGINT, SIGHUP, 0}; *number; number++)
            signal(*number, SIG_IGN); /* the handler must not see a closed server */
        attend_server_close(server);
    }
    sentences_close(&sentences);
    args_free(voice.again);
    if (voice.access != stderr)
        fclose(voice.access);
    return status ? args_fail_models(command, flags, flags->serve.models, status, &err) : EXIT_DONE;
}
