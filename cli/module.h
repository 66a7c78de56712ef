/* Parts of the program that are loaded only when they are needed. */
#ifndef ATTEND_CLI_MODULE_H
#define ATTEND_CLI_MODULE_H

/* A module by its file name, from beside the program or from where modules are installed; NULL:
 * dlerror() says why. It stays until the process ends. `flags` are dlopen's. */
void *module_open(const char *name, int flags);
/* Put the address of a module's function into the function pointer `out`; NULL: not there. */
void module_find(void *module, const char *name, void *out);

#endif
