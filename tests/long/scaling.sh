#!/usr/bin/env bash
# Measures how training scales from one process to two, each with one thread, on the same batches:
#     ATTEND=build/attend tests/long/scaling.sh [SRC TGT]
# Uses the demo's files by default. Prints the seconds of each, three times, alternating.
set -euo pipefail
: "${ATTEND:?the program}"
demo=$(cd "$(dirname "$0")/../../demo" && pwd)
src=${1:-$demo/train.hi} tgt=${2:-$demo/train.en}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

train=("$ATTEND" train --train-src "$src" --train-tgt "$tgt" --emb 256 --hidden 512 --batch-tokens 1500 --max-updates 12
    --threads 1 --log-every 1 --overwrite --model "$work/m" --log "$work/log")
# From the second update to the last; the first one still allocates memory pages.
seconds() { sed -n 's/.*"progress","update":\(2\|12\),.*"seconds":\([0-9.]*\).*/\2/p' "$work/log" | paste -sd ' ' | awk '{ print $2 - $1 }'; }
for _ in 1 2 3; do
    "${train[@]}" 2>/dev/null
    one=$(seconds)
    mpirun --oversubscribe --bind-to none -n 2 "${train[@]}" 2>/dev/null
    two=$(seconds)
    awk -v one="$one" -v two="$two" 'BEGIN { printf "10 updates: one process %.2f s, two %.2f s: %.2f times as fast\n", one, two, one / two }'
done
