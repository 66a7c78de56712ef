#!/usr/bin/env bash
# The table "Results on the demo" of docs/mechanisms.md: every attention in every placement, or in those named. Half a minute
# on two cores for each of the 30 models; one line each: placement, attention, accuracy, AER.
set -euo pipefail
cd "$(dirname "$0")/../.."
attend=$PWD/build/attend
out=$PWD/build/demo-table
mkdir -p "$out"
[ $# -gt 0 ] || set -- bahdanau luong conditional

train() { # MODEL ARGUMENT...
    "$attend" train --train-src demo/train.hi --train-tgt demo/train.en --valid-src demo/valid.hi --valid-tgt demo/valid.en \
        --model "$1" --overwrite --emb 64 --hidden 128 --batch-tokens 500 --lr 0.003 --dropout 0.1 --max-epochs 10 \
        "${@:2}" 2>"$out/log" || { cat "$out/log" >&2 && exit 1; }
}

# The model without attention has no AER.
judge() { # MODEL
    "$attend" translate --model "$1" --input demo/test.hi --output "$out/test.en"
    "$attend" eval --metric accuracy --hyp "$out/test.en" --ref demo/test.en | awk '{ print $2 }'
    [[ $1 == */none-* ]] ||
        "$attend" align --model "$1" --src demo/test.hi --tgt demo/test.en --gold demo/test.gold | awk '{ print $2 }'
}

for placement; do
    feeding=()
    [ "$placement" != luong ] || feeding=(--input-feeding)
    for attention in additive dot general scaled_dot cosine location local window location_aware none; do
        model=$out/$attention-$placement.safetensors
        train "$model" --attention $attention --placement "$placement" "${feeding[@]}"
        echo "$placement $attention $(judge "$model" | paste -sd' ')"
    done
done
