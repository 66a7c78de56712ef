/* Shared libraries that are loaded only when they are needed. */
#ifndef ATTEND_CLI_MODULE_H
#define ATTEND_CLI_MODULE_H

/* Load a module by its file name, from the folder of the program or from where modules are
 * installed. `flags` are those of dlopen. NULL: dlerror() says why. A module is never unloaded. */
void *module_open(const char *name, int flags);
/* Store the address of a module's function in the function pointer `out`, or NULL if the module
 * does not have it. */
void module_find(void *module, const char *name, void *out);

#endif
