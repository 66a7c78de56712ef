#!/usr/bin/env bash
# The Spanish example of docs/background.md: corpus, model, its test, and what the page shows of it. A minute or two.
set -euo pipefail
cd "$(dirname "$0")/../.."
attend=build/attend
out=build/soccer
model=$out/english-spanish.safetensors
sentence="I like soccer"
mkdir -p "$out"

awk -v count=6400 -f docs/studies/soccer.awk >"$out/all.tsv"
head -n 6000 "$out/all.tsv" >"$out/train.tsv"
sed -n 6001,6200p "$out/all.tsv" >"$out/valid.tsv"
sed -n '6201,$p' "$out/all.tsv" >"$out/test.tsv"

"$attend" train --train "$out/train.tsv" --valid "$out/valid.tsv" --source-lang en --target-lang es --model "$model" \
    --overwrite --tokenizer spaces --case keep --emb 64 --hidden 128 --batch-tokens 500 --lr 0.003 --dropout 0.1 \
    --max-epochs 10 "$@"
cut -f 1 "$out/test.tsv" | "$attend" translate --model "$model" >"$out/test.out"
cut -f 2 "$out/test.tsv" >"$out/test.es"
"$attend" eval --metric accuracy --hyp "$out/test.out" --ref "$out/test.es"

"$attend" translate --model "$model" "$sentence"
"$attend" plot --model "$model" "$sentence"
"$attend" plot --model "$model" --output docs/images/soccer.svg "$sentence"
"$attend" explain --model "$model" --steps --top 1 "$sentence"
