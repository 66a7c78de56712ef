#!/usr/bin/env bash
# Makes every call fail once, in every command; under the sanitizers, one call per call path:
#     ATTEND=build/attend tests/long/faults.sh [SCENARIO...]
# Uses build-asan if it exists. tests/cli/17-faults.sh runs a sample.
set -euo pipefail
: "${ATTEND:?the program}"
root=$(cd "$(dirname "$0")/../.." && pwd)
bash "$root/tests/faults/run.sh" every "$@"
[ ! -e "$root/build-asan/attend_faults.so" ] || ATTEND=$root/build-asan/attend bash "$root/tests/faults/run.sh" paths "$@"
