#!/usr/bin/env bash
# Every call fails once in turn, in every command; under the sanitizers, one call of each path:
#     ATTEND=build/attend tests/long/faults.sh [SCENARIO...]
# build-asan is used when it is there. tests/cli/17-faults.sh runs a sample.
set -euo pipefail
: "${ATTEND:?the program}"
root=$(cd "$(dirname "$0")/../.." && pwd)
bash "$root/tests/faults/run.sh" every "$@"
[ ! -e "$root/build-asan/attend_faults.so" ] || ATTEND=$root/build-asan/attend bash "$root/tests/faults/run.sh" paths "$@"
