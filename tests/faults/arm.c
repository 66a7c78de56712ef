/* Selects the call that the injector makes fail, and prints what it has counted:
 *
 *     arm FILE trace           record the path of each call from now on; none fails
 *     arm FILE KIND N [all]    the N-th call of the kind from now on fails, once; N = 0: none.
 *                              all: count calls from every library
 *     arm FILE                 print "KIND COUNT" for each kind that was called
 *     arm FILE KIND paths      after a trace: print the number of the first call of each path
 *     arm FILE hit             print where the armed call failed; nothing if it was not made */
#include "faults.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FAULTS_NAME(name, text) text,
static const char *const names[] = {FAULTS_LIST(FAULTS_NAME)};
#undef FAULTS_NAME

static int find_kind(const char *name)
{
    for (int i = 0; i < FAULT_KINDS; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

/* Disarm first, because a server may be running. */
static int arm(struct faults *f, int kind, long at, int all, int traced)
{
    atomic_store(&f->at, 0);
    for (int i = 0; i < FAULT_KINDS; i++)
        atomic_store(&f->count[i], 0);
    f->where[0] = '\0';
    atomic_store(&f->hit, 0);
    atomic_store(&f->kind, kind);
    atomic_store(&f->all, all);
    atomic_store(&f->traced, traced);
    atomic_store(&f->at, at);
    return 0;
}

static int tell_counts(struct faults *f)
{
    for (int i = 0; i < FAULT_KINDS; i++)
        if (atomic_load(&f->count[i]))
            printf("%s %ld\n", names[i], atomic_load(&f->count[i]));
    return 0;
}

static int tell_paths(struct faults *f, int kind)
{
    const long count = atomic_load(&f->count[kind]);
    unsigned *seen = calloc(FAULTS_TRACED, sizeof *seen);
    if (!seen)
        return 1;
    for (long i = 0, known = 0; i < count && i < FAULTS_TRACED; i++) {
        const unsigned path = atomic_load(&f->path[kind][i]);
        long at = 0;
        while (at < known && seen[at] != path)
            at++;
        if (at < known)
            continue;
        seen[known++] = path;
        printf("%ld\n", i + 1);
    }
    free(seen);
    return 0;
}

static int run(struct faults *f, int count, char **word)
{
    if (count == 0)
        return tell_counts(f);
    if (count == 1 && strcmp(word[0], "hit") == 0)
        return atomic_load(&f->hit) ? puts(f->where) == EOF : 0;
    if (count == 1 && strcmp(word[0], "trace") == 0)
        return arm(f, 0, 0, 0, 1);
    const int kind = find_kind(word[0]);
    if (kind < 0 || count < 2) {
        fprintf(stderr, "arm: '%s' is not a kind with a number\n", word[0]);
        return 2;
    }
    if (strcmp(word[1], "paths") == 0)
        return tell_paths(f, kind);
    return arm(f, kind, strtol(word[1], NULL, 10), count == 3, 0);
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 5)
        return 2;
    const int fd = open(argv[1], O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || ftruncate(fd, sizeof(struct faults)))
        return 1;
    void *at = mmap(NULL, sizeof(struct faults), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return at == MAP_FAILED ? 1 : run(at, argc - 2, argv + 2);
}
