#!/usr/bin/env bash
# Drawing: terminal and SVG, translated and given pairs.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
model=$work/model.safetensors
tiny_model "$model"
plot() { "$ATTEND" plot --model "$model" --max-length 1 "$@"; }

plot "mai ghar ja raha hoon" "I am going home" >"$work/plain"
for word in mai ghar hoon going home; do
    grep -q "$word" "$work/plain" || fail "'$word' is not in the picture"
done
if grep -q $'\033' "$work/plain"; then fail "colors in a file"; fi
plot --color always "mai ghar" >"$work/color"
grep -q $'\033\[48;2;' "$work/color" || fail "no colors though asked for"

plot "mai ghar ja raha hoon" "I am going home" --output "$work/x.svg" --title 'a < b & "c"'
grep -q '<svg' "$work/x.svg" || fail "no SVG"
grep -q 'a &lt; b &amp;' "$work/x.svg" || fail "the title is not escaped"
equal "cells" "$(grep -o '</title></rect>' "$work/x.svg" | wc -l)" 30
refused 1 "none/x.svg: cannot be written" "$ATTEND" plot --model "$model" --output "$work/none/x.svg" "mai"
refused 1 "invalid UTF-8" "$ATTEND" plot --model "$model" $'mai \xff'

# A model without attention is refused.
"$ATTEND" train --train-src "$work/tiny.hi" --train-tgt "$work/tiny.en" --model "$work/none" --emb 8 --hidden 12 \
    --max-updates 1 --threads 1 --attention none 2>/dev/null
refused 1 "trained with --attention none" "$ATTEND" plot --model "$work/none" "mai ghar"
refused 1 "trained with --attention none" "$ATTEND" align --model "$work/none" --src "$work/tiny.hi" --tgt "$work/tiny.en"
refused 1 "trained with --attention none" "$ATTEND" translate --model "$work/none" --alignment hard
echo "mai ghar" | "$ATTEND" translate --model "$work/none" --max-length 1 >/dev/null 2>&1 || fail "none cannot translate"
