/* POSIX threads where there is one thread: locks are always free, and no thread can be started.
 * Nothing may wait for another thread, since none would ever come. */
#ifndef ATTEND_WASM_PTHREAD_H
#define ATTEND_WASM_PTHREAD_H

#include <errno.h>
#include <stdlib.h>
#include <sys/types.h> /* the types, as wasi-libc declares them */
#include <time.h>

#define PTHREAD_MUTEX_INITIALIZER                                                                  \
    {                                                                                              \
        0                                                                                          \
    }
#define PTHREAD_ONCE_INIT 0

#define ONE_THREAD(name, ...)                                                                      \
    static inline int name(__VA_ARGS__) { return 0; }
ONE_THREAD(pthread_mutex_init, pthread_mutex_t *m, const void *attributes)
ONE_THREAD(pthread_mutex_lock, pthread_mutex_t *m)
ONE_THREAD(pthread_mutex_unlock, pthread_mutex_t *m)
ONE_THREAD(pthread_mutex_destroy, pthread_mutex_t *m)
ONE_THREAD(pthread_cond_init, pthread_cond_t *c, const pthread_condattr_t *attributes)
ONE_THREAD(pthread_cond_signal, pthread_cond_t *c)
ONE_THREAD(pthread_cond_broadcast, pthread_cond_t *c)
ONE_THREAD(pthread_cond_destroy, pthread_cond_t *c)
ONE_THREAD(pthread_condattr_init, pthread_condattr_t *a)
ONE_THREAD(pthread_condattr_setclock, pthread_condattr_t *a, clockid_t clock)
ONE_THREAD(pthread_condattr_destroy, pthread_condattr_t *a)
ONE_THREAD(pthread_join, pthread_t thread, void **result)
#undef ONE_THREAD

static inline pthread_t pthread_self(void) { return NULL; }
static inline int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

static inline int pthread_create(pthread_t *thread, const void *attributes, void *(*start)(void *),
                                 void *context)
{
    return ENOSYS;
}

static inline int pthread_once(pthread_once_t *once, void (*run)(void))
{
    if (!*once)
        run();
    *once = 1;
    return 0;
}

static inline int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { abort(); }

static inline int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                                         const struct timespec *until)
{
    return ETIMEDOUT;
}

#endif
