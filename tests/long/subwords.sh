#!/usr/bin/env bash
# Compares our reading of SentencePiece models with SentencePiece, on N (30,000) hostile texts and as many of a model's own
# pieces for each of the 17 models of src/text/sentencepiece_equal_test.c, and on the lines of all FILES:
#     BUILD=build tests/long/subwords.sh [N [FILE...]]
# Every test run does this with a few texts.
set -euo pipefail
: "${BUILD:?the folder of a build with tests}"
export ATTEND_TEXTS=${1:-30000} ATTEND_FILES="${*:2}"
begun=$SECONDS
"$BUILD/unit/sentencepiece_equal_test"
echo "$((SECONDS - begun)) s"
