/* Modules of web/ as one script, for pages that are a single file: a browser loads no module from
 * beside a file. Each module becomes a function, so their names cannot meet:
 *
 *     import {a, b as c} from './x.js';        const x_js = (() => { ... return {a, b}; })();
 *     export const d = a + c;                  const y_js = (() => {
 *                                              const {a, b: c} = x_js;
 *                                              const d = a + c;
 *                                              return {d};
 *                                              })();
 *
 * Each import is one line and has this form. An export stands before a function, class or const at
 * the beginning of its line. The root may await. */
#ifndef ATTEND_BROWSER_MODULES_H
#define ATTEND_BROWSER_MODULES_H

struct strbuf;

/* Add the module `root` with all that it imports. Imports in a circle are a bug. */
void modules_add(struct strbuf *, const char *root);

#endif
