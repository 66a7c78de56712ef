#!/usr/bin/env bash
# A sample of tests/long/faults.sh: system calls that fail, a few of each kind in each command.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
[ -e "$(dirname "$ATTEND")/attend_faults.so" ] || { echo "skipped: built without the tests"; exit 77; }
if [ -n "${ATTEND_QUICK:-}" ]; then # a sanitizer, which has functions of its own beside libc's
    exec bash "$ATTEND_SOURCE/tests/faults/run.sh" 1 train translate convert serve
fi
bash "$ATTEND_SOURCE/tests/faults/known.sh"
exec bash "$ATTEND_SOURCE/tests/faults/run.sh" 2
