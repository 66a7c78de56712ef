#!/usr/bin/env bash
# Runs N (1,000,000) hostile texts through translation and scoring, and a hundredth of that through explanations,
# pictures and the server's routes:
#     BUILD=build tests/long/texts.sh [N]
# The checks are in src/api/readers_agree_test.c and src/serve/hostile_text_test.c; every test run does them with a few
# texts.
set -euo pipefail
: "${BUILD:?the folder of a build with tests}"
export ATTEND_TEXTS=${1:-1000000}
for test in readers_agree_test hostile_text_test; do
    begun=$SECONDS
    "$BUILD/unit/$test"
    echo "$test: $ATTEND_TEXTS texts, $((SECONDS - begun)) s"
done
