#!/usr/bin/env bash
# Kills a training run with SIGKILL at random moments and resumes it, N times (50), then compares it with a run that was
# never killed:
#     ATTEND=build/attend tests/long/kill.sh [N [SEED]]
# tests/cli/23-resume.sh runs it with a small N.
set -euo pipefail
times=${1:-50} RANDOM=${2:-1}
: "${ATTEND:?the program}"
demo=$(cd "$(dirname "$0")/../../demo" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

head -n 1500 "$demo/train.hi" >"$work/train.hi"
head -n 1500 "$demo/train.en" >"$work/train.en"
head -n 40 "$demo/valid.hi" >"$work/valid.hi"
head -n 40 "$demo/valid.en" >"$work/valid.en"
command() { # MODEL: into the array
    train=("$ATTEND" train --train-src "$work/train.hi" --train-tgt "$work/train.en" --valid-src "$work/valid.hi" \
        --valid-tgt "$work/valid.en" --tokenizer spaces --emb 16 --hidden 24 --batch-tokens 120 --dropout 0.2 --ema 0.99 \
        --average 3 --valid-every 15 --patience 0 --max-epochs 2 --save-every 7 --threads 2 \
        --log "$1.log" --model "$1")
}

begin=$(date +%s%N)
command "$work/whole"
"${train[@]}" 2>/dev/null
spent=$((($(date +%s%N) - begin) / 1000000)) # ms

killed=0
command "$work/cut"
while [ "$killed" -lt "$times" ]; do
    rm -f "$work/cut" "$work/cut".*
    for _ in 1 2 3; do
        "${train[@]}" 2>"$work/stderr" &
        child=$!
        sleep "$(awk -v ms=$((RANDOM % (spent + 1))) 'BEGIN { print ms / 1000 }')"
        if kill -KILL $child 2>/dev/null; then killed=$((killed + 1)); fi
        wait $child 2>/dev/null || true
        [ "$killed" -lt "$times" ] || break
    done
    "${train[@]}" 2>"$work/stderr" || { echo "it does not resume: $(cat "$work/stderr")" >&2; exit 1; }
    for file in "" .ckpt; do
        cmp "$work/whole$file" "$work/cut$file" || { echo "after $killed kills the model${file:+ checkpoint} differs" >&2; exit 1; }
    done
    # Only the model, its checkpoint, its log and the temporary file of a killed write may be left.
    left=$(find "$work" -name 'cut*' ! -name cut ! -name cut.ckpt ! -name cut.log ! -name '*.tmp' ! -name '*.lock')
    [ -z "$left" ] || { echo "files are left behind: $left" >&2; exit 1; }
done
echo "$killed kills; each run ended with the same bytes"
