/* Fault injection for the tests. One file selects the call that fails and holds the counts. It is
 * mapped by the injector (faults.c, preloaded into the program) and by the driver (arm.c). */
#ifndef ATTEND_TESTS_FAULTS_H
#define ATTEND_TESTS_FAULTS_H

#include <stdatomic.h>

/* Kinds of failure. To add one: a row here, and a call of fails() in the functions it concerns.
 *     memory     an allocation, strdup and its kin; ENOMEM
 *     new        operator new: std::bad_alloc
 *     open       a file, folder, lock or module cannot be opened or made
 *     read       EIO; a FILE remembers it, as after a real error
 *     write      ENOSPC; the same
 *     sync       fsync and fflush fail
 *     close      the file is closed, but its last bytes are lost; EIO
 *     rename, unlink, seek, map, look (stat and its kin), lock
 *     thread     pthread_create; EAGAIN
 *     socket     every call on sockets and event descriptors
 *     random     getrandom
 *     short-read, short-write   half of the bytes go through. Of a FILE's fwrite that is an error,
 *                of a descriptor's it is not
 *     interrupt  EINTR, where a signal can cause it: must change nothing */
#define FAULTS_LIST(X)                                                                             \
    X(MEMORY, "memory")                                                                            \
    X(NEW, "new")                                                                                  \
    X(OPEN, "open")                                                                                \
    X(READ, "read")                                                                                \
    X(WRITE, "write")                                                                              \
    X(SYNC, "sync")                                                                                \
    X(CLOSE, "close")                                                                              \
    X(RENAME, "rename")                                                                            \
    X(UNLINK, "unlink")                                                                            \
    X(SEEK, "seek")                                                                                \
    X(MAP, "map")                                                                                  \
    X(LOOK, "look")                                                                                \
    X(LOCK, "lock")                                                                                \
    X(THREAD, "thread")                                                                            \
    X(SOCKET, "socket")                                                                            \
    X(RANDOM, "random")                                                                            \
    X(SHORT_READ, "short-read")                                                                    \
    X(SHORT_WRITE, "short-write")                                                                  \
    X(INTERRUPT, "interrupt")

#define FAULTS_ENUM(name, text) FAULT_##name,
enum fault_kind { FAULTS_LIST(FAULTS_ENUM) FAULT_KINDS };
#undef FAULTS_ENUM

/* The number of calls per kind whose paths are recorded: enough for the tests' small runs. */
enum { FAULTS_TRACED = 1 << 16 };

struct faults {
    atomic_long count[FAULT_KINDS]; /* calls since it was armed */
    atomic_long at;                 /* number of the call that fails, from 1; 0: none */
    atomic_int kind;
    /* count calls from every library, not only those listed as counted */
    atomic_int all;
    atomic_int traced;                            /* record the path of each call */
    atomic_int hit;                               /* the call was made, and failed */
    char where[1024];                             /* function and callers of the failed call */
    atomic_uint path[FAULT_KINDS][FAULTS_TRACED]; /* a hash of the callers of each call */
};

#endif
