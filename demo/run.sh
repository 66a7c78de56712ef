#!/usr/bin/env bash
# The demo: trains on the Hindi-English corpus in this folder, tests, translates one sentence and plots its attention.
set -euo pipefail
cd "$(dirname "$0")/.."
attend=build/attend
out=build/demo
model=$out/hindi-english.safetensors
sentence="mai ghar ja raha hoon"
mkdir -p "$out"

say() { printf '\n== %s\n' "$*"; }

say "Training an encoder-decoder with additive attention on 20,000 pairs of romanized Hindi and English"
"$attend" train --train-src demo/train.hi --train-tgt demo/train.en --valid-src demo/valid.hi --valid-tgt demo/valid.en \
    --source-lang hi --target-lang en --model "$model" --overwrite --emb 64 --hidden 128 --batch-tokens 500 --lr 0.003 \
    --dropout 0.1 --max-epochs 10 "$@"

say "Testing on 500 unseen sentences"
"$attend" translate --model "$model" --input demo/test.hi --output "$out/test.en"
"$attend" eval --metric accuracy --hyp "$out/test.en" --ref demo/test.en
echo "its attention compared with the gold word alignment of the grammar:"
"$attend" align --model "$model" --src demo/test.hi --tgt demo/test.en --gold demo/test.gold

say "$sentence"
echo "$sentence" | "$attend" translate --model "$model"

say "Where it looked: each row is an English word, the weights of a row sum to 1"
"$attend" plot --model "$model" "$sentence"
"$attend" plot --model "$model" --output "$out/attention.svg" "$sentence"
echo
echo "as a picture: $out/attention.svg"
