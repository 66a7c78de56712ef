/* NumPy's files: paths that name a member of an archive. */
#ifndef ATTEND_FRAMES_NPY_H
#define ATTEND_FRAMES_NPY_H

#include <stddef.h>

/* For a path such as `a.npz:name`, the length of `a.npz`; 0 for any other path. */
size_t npy_archive_length(const char *path);

#endif
