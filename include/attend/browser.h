/* Pages that run models in a browser: one file each, which opens from a folder and needs no server
 * and no network. The library's own code runs in them, as WebAssembly. */
#ifndef ATTEND_BROWSER_H
#define ATTEND_BROWSER_H

#include "attend/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What goes into a page of models. Lists end with NULL. */
struct attend_export {
    const char *const *models; /**< model files, at least one */
    const char *const *names;  /**< what the page calls them; NULL: their file names */
    const char *engine;        /**< the file attend.wasm, which `make wasm` builds */
    const char *title;         /**< title of the page; NULL: the names of the models */
    bool floats;               /**< keep the weights as they are; false: round them to int8 */
    void *reserved[2];
};
/** Write a page with the interface of `attend serve` that has its models inside. Texts in it are
 * translated on the reader's computer. */
ATTEND_API enum attend_status attend_export_html(const char *path, const struct attend_export *what,
                                                 struct attend_error *err);

/** Write a page that trains small models, with a guided tour: the playground. `engine` is the file
 * attend.wasm. */
ATTEND_API enum attend_status attend_playground_html(const char *path, const char *engine,
                                                     struct attend_error *err);

#ifdef __cplusplus
}
#endif

#endif
