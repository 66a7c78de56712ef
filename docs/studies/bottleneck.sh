#!/usr/bin/env bash
# The bottleneck study of docs/mechanisms.md: accuracy against source length, fixed context against attention, at equal size.
# Sequences of 1 to 40 of eight letters, each to be replaced by the next letter. Takes a few minutes on two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
attend=$PWD/build/attend
out=$PWD/build/bottleneck
mkdir -p "$out"
cd "$out"

awk 'function next_random() { seed = (seed * 1103515245 + 12345) % 2147483648; return int(seed / 65536) }
BEGIN { seed = 11; letters = "abcdefgh"
    for (line = 0; line < 13000; line++) {
        n = 1 + next_random() % 40; source = target = ""
        for (i = 0; i < n; i++) {
            k = next_random() % 8
            source = source (i ? " " : "") substr(letters, 1 + k, 1)
            target = target (i ? " " : "") substr(letters, 1 + (k + 1) % 8, 1)
        }
        part = line < 10000 ? "train" : line < 11000 ? "valid" : "test"
        print source > (part ".src"); print target > (part ".tgt")
    } }'

for attention in additive none; do
    "$attend" train --train-src train.src --train-tgt train.tgt --valid-src valid.src --valid-tgt valid.tgt \
        --model $attention.safetensors --overwrite --attention $attention --emb 32 --hidden 64 --dropout 0 \
        --label-smoothing 0 --lr 0.003 --batch-tokens 1500 --max-epochs "${EPOCHS:-20}" --patience 0
    "$attend" translate --model $attention.safetensors --beam 1 <test.src >$attention
done
"$attend" eval --ref test.tgt --src test.src --hyp additive --compare none --by-length 5 --output bottleneck.svg
echo "$out/bottleneck.svg"
