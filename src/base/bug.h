/* BUG_ON checks for mistakes in our own code, never for bad input from a user or a file. It is
 * always on and aborts the process. */
#ifndef ATTEND_BASE_BUG_H
#define ATTEND_BASE_BUG_H

_Noreturn void bug_report(const char *file, int line, const char *condition);

#define BUG_ON(condition)                                                                          \
    do {                                                                                           \
        if (condition)                                                                             \
            bug_report(__FILE__, __LINE__, #condition);                                            \
    } while (0)

#endif
