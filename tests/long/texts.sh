#!/usr/bin/env bash
# Hostile texts, N of them (1,000,000) through translating and forcing, a hundredth of that through explaining, drawing and
# the server's routes:
#     BUILD=build tests/long/texts.sh [N]
# What must hold is in src/api/readers_agree_test.c and src/serve/hostile_text_test.c, which every test run does with a few.
set -euo pipefail
: "${BUILD:?the folder of a build with tests}"
export ATTEND_TEXTS=${1:-1000000}
for test in readers_agree_test hostile_text_test; do
    begun=$SECONDS
    "$BUILD/unit/$test"
    echo "$test: $ATTEND_TEXTS texts, $((SECONDS - begun)) s"
done
