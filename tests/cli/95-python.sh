#!/usr/bin/env bash
# The Python package says what the program says (python/tests). Slow tests are those of `make test-python`.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
if [ -n "${ATTEND_QUICK:-}" ]; then
    echo "skipped: Python cannot load a library with sanitizers"
    exit 77
fi
/usr/bin/python3 -c 'import cffi, numpy, pytest, setuptools, sysconfig, os
assert os.path.exists(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null ||
    { echo "skipped: Python's packages are missing; install them with: make deps GROUP=python"; exit 77; }
bash "$ATTEND_SOURCE/tools/python.sh" quick "$(dirname "$ATTEND")" >"$work/log" 2>&1 || fail "$(tail -n 60 "$work/log")"
