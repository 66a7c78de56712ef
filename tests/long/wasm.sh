#!/usr/bin/env bash
# Compares attend.wasm with the program on 1,000 lines of each of three ready models, in Node and in Chromium: texts,
# attention and speed, for the table in docs/browser.md.
#     make build wasm && ATTEND=build/attend tests/long/wasm.sh
# Fails if fewer than 998 lines of a model have the program's text, if a difference is not between hypotheses that are
# nearly equally likely, or if a weight of attention differs by 1e-3; the program is limited to AVX2 for that, because with
# AVX-512 it rounds the inputs of int8 products to fewer bits (tensor/quant_form.h), and what that changes is printed
# beside it. Speed is the best of ROUNDS (9), all on one thread, a line at a time as in a page, and for the program also in
# its own batches. Chromium needs tests/page/node_modules (make test-page).
set -euo pipefail
: "${ATTEND:?the program}"
ATTEND=$(realpath "$ATTEND")
source=$(cd "$(dirname "$0")/../.." && pwd)
export ATTEND ROUNDS=${ROUNDS:-9} ATTEND_WASM=${ATTEND_WASM:-$(dirname "$ATTEND")/attend.wasm} CHROMIUM=${CHROMIUM:-$(command -v chromium)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat "$source/demo/test.hi" "$source/demo/valid.hi" >hindi-english.lines
awk -v folder=. -v seed=7 -v train=1000 -v dev=1 -v test=1 -f "$source/recipes/dates/make_dates.awk" "$source/recipes/dates/words.tsv" \
    "$source/recipes/dates/styles.tsv"
cut -f 1 train.tsv >dates.lines
# Words of the documents, the frequent ones first.
cat "$source"/docs/*.md "$source"/*.md | tr -cs 'A-Za-z' '\n' | grep -xE '[A-Za-z][a-z]{2,}' | tr '[:upper:]' '[:lower:]' | sort | uniq -c | sort -k1,1nr -k2 |
    awk 'NR <= 1000 { print $2 }' >english-pronunciation.lines

printf 'attend.wasm: %d bytes, %d after gzip\n' "$(wc -c <"$ATTEND_WASM")" "$(gzip -9c "$ATTEND_WASM" | wc -c)"
node "$source/tests/long/wasm.mjs" "$work" hindi-english dates english-pronunciation
