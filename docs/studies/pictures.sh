#!/usr/bin/env bash
# Every picture of docs/lesson.md and docs/seeing.md, and the models they come from: all but the bottleneck's.
# A few minutes on two cores; numbers can differ in their last digits on other machines and with other --threads.
set -euo pipefail
cd "$(dirname "$0")/../.."
attend=build/attend
out=build/lesson
images=docs/images
sentence="mai ghar ja raha hoon"
mkdir -p "$out"

# ---- Models ----
train() { # NAME OPTION...
    local name=$1
    shift
    "$attend" train --train-src demo/train.hi --train-tgt demo/train.en --valid-src demo/valid.hi --valid-tgt demo/valid.en \
        --model "$out/$name.safetensors" --log "$out/$name.log" --overwrite --emb 64 --hidden 128 --batch-tokens 500 \
        --lr 0.003 --dropout 0.1 "$@"
}
if [ "${1:-}" != --no-training ]; then
    train additive --max-epochs 10
    train dot --max-epochs 10 --attention dot
    train none --max-epochs 10 --attention none
    train heads --max-epochs 4 --attention dot --heads 2
    train transformer --max-epochs 10 --encoder transformer --encoder-layers 2 --encoder-heads 2
    for updates in 20 100 200 337; do
        train "after-$updates" --max-updates $updates
    done
fi
for name in additive dot none heads transformer after-20 after-100 after-200 after-337; do
    echo "== $name"
    "$attend" translate --model "$out/$name.safetensors" --input demo/test.hi --output "$out/$name.en"
    "$attend" eval --metric accuracy --hyp "$out/$name.en" --ref demo/test.en
    [ $name = none ] || "$attend" align --model "$out/$name.safetensors" --src demo/test.hi --tgt demo/test.en --gold demo/test.gold
done

# ---- The lesson ----
model=$out/additive.safetensors
plot() { "$attend" plot --model "$model" "$@"; }
plot --output docs/attention.svg "$sentence"
"$attend" plot --model "$out/after-20.safetensors" --model "$out/after-100.safetensors" --model "$out/after-200.safetensors" \
    --model "$out/after-337.safetensors" --values never --output $images/learning.svg "$sentence" "I am going home"
plot --output $images/beam.svg "$sentence" "I am going to the house"
"$attend" plot --model "$out/heads.safetensors" --each-head --output $images/heads.svg "$sentence"

# ---- Seeing ----
echo "$sentence" | "$attend" translate --model "$model" --alignment json |
    sed 's/"mai"/"मैं"/; s/"ghar"/"घर"/; s/"ja"/"जा"/; s/"raha"/"रहा"/; s/"hoon"/"हूँ"/' |
    "$attend" plot --matrix - --title "the demo's weights" --output $images/devanagari.svg
plot --view links --output $images/links.svg "$sentence"
plot --view salience --output $images/salience.svg "$(sed -n 2p demo/test.hi)"
"$attend" plot --model "$model" --model "$out/dot.safetensors" --output $images/panels.svg "tum kaam nahi kar sakti ho"
"$attend" plot --model "$out/transformer.safetensors" --encoder-heads --values never --output $images/encoder-heads.svg "$sentence"
"$attend" plot --log "$out/additive.log" --log "$out/dot.log" --log "$out/none.log" --output $images/learning-curves.svg
"$attend" plot --matrix $images/by-hand.json --title "made by hand" --output $images/by-hand/
"$attend" explain --model "$model" --output $images/measures.svg "$sentence"
"$attend" explain --model "$model" --curves --output $images/deletion-one.svg "$sentence"
"$attend" explain --model "$model" --src demo/test.hi --tgt demo/test.en --output $images/deletion.svg
"$attend" plot --model "$model" --src demo/test.hi --tgt demo/test.en --title "Demo, test set" --output "$out/gallery.html"
if command -v chromium >/dev/null; then
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=820,470 \
        --screenshot=$images/gallery.png "file://$PWD/$out/gallery.html"
fi
