/* BUG_ON is for our own mistakes, never for what a user or a file says: it is always on and ends
 * the process. */
#ifndef ATTEND_BASE_BUG_H
#define ATTEND_BASE_BUG_H

_Noreturn void bug_report(const char *file, int line, const char *condition);

#define BUG_ON(condition)                                                                          \
    do {                                                                                           \
        if (condition)                                                                             \
            bug_report(__FILE__, __LINE__, #condition);                                            \
    } while (0)

#endif
