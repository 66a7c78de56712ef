#!/usr/bin/env bash
# Pictures, tables and progress fit the terminal; what is no terminal gets the same form at any width.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
command -v python3 >/dev/null || exit 77
export LC_ALL=C.UTF-8
model=$work/model.safetensors
tiny_model "$model"
screen() { timeout 300 python3 -B "$(dirname "$0")/width.py" "$@" || fail "$*"; } # COLUMNS KIND COMMAND...
fits() { screen "$1" lines "$ATTEND" "${@:2}" >"$work/seen"; }                     # COLUMNS COMMAND...

# Matrices in several scripts, and long ones.
matrix() { # SOURCE TARGET
    jq -nc --arg s "$1" --arg t "$2" '($s | split(" ")) as $s | ($t | split(" ")) as $t |
        {source: $s, target: $t, attention: [range($t | length) as $i | [range($s | length) as $j | if $i == $j then 0.9 else 0.01 end]]}'
}
matrix 'मैं कल अपने दोस्त के साथ बाज़ार जा रहा हूँ </s>' 'tomorrow I am going to the market with my friend </s>' >"$work/devanagari"
matrix 'ذهبت أمس إلى السوق مع أصدقائي واشتريت كتابا جديدا </s>' 'yesterday I went to the market with friends and bought a book </s>' >"$work/arabic"
matrix '私 は 昨日 友達 と 一緒 に 市場 へ 行き まし た 。 </s>' 'yesterday I went to the market together with a friend . </s>' >"$work/japanese"
matrix "Donaudampfschifffahrtsgesellschaft $(seq -s ' ' 2 30) </s>" "incomprehensibilities $(seq -s ' ' 2 30) </s>" >"$work/long"
for columns in 40 80; do
    for text in devanagari arabic japanese long; do
        for view in heatmap links salience; do
            for color in never always; do
                fits "$columns" plot --matrix "$work/$text" --view $view --color $color
            done
        done
    done
done
fits 40 plot --matrix "$work/long"
equal "blocks of columns" "$(grep -c '^incomprehens… ' "$work/seen")" 3
grep -q '^30 30 *31 </s>$\|  31 </s>$' "$work/seen" || fail "no key: $(cat "$work/seen")"
fits 200 plot --matrix "$work/long"
equal "one block in a wide terminal" "$(grep -c '^incomprehensibilities ' "$work/seen")" 1
grep -q '\.90' "$work/seen" || fail "a wide terminal has room for numbers: $(cat "$work/seen")"

# Curves and tables.
"$ATTEND" train --train-src "$work/tiny.hi" --train-tgt "$work/tiny.en" --valid-src "$work/tiny.hi" --valid-tgt "$work/tiny.en" \
    --model "$work/m" --tokenizer spaces --emb 8 --hidden 12 --max-updates 4 --valid-every 1 --threads 1 --log "$work/a-log-with-quite-a-long-name.jsonl" \
    2>"$work/said" || fail "$(cat "$work/said")"
head -n 3 "$work/tiny.hi" >"$work/h"
head -n 3 "$work/tiny.en" >"$work/e"
cp "$work/e" "$work/出力-with-a-long-name.txt"
sentence="mai ghar ja raha hoon kya tum bazaar"
for columns in 40 100; do
    fits $columns plot --log "$work/a-log-with-quite-a-long-name.jsonl"
    fits $columns explain --model "$model" --max-length 5 "$sentence"
    fits $columns explain --model "$model" --max-length 5 --steps --verbose "$sentence"
    fits $columns explain --model "$model" --max-length 5 --curves "$sentence"
    fits $columns explain --model "$model" --max-length 5 --attend 1:1=0.5 "$sentence"
    fits $columns explain --model "$model" --src "$work/h" --tgt "$work/e" --resamples 10
    fits $columns eval --hyp "$work/e" --ref "$work/e" --compare "$work/h" --confidence --metric bleu,chrf,ter
    fits $columns eval --hyp "$work/出力-with-a-long-name.txt" --ref "$work/e" --src "$work/h" --compare "$work/h" --by-length 3 --metric chrf
done
equal "COLUMNS wins" "$(screen 80 lines env COLUMNS=40 "$ATTEND" plot --matrix "$work/long")" \
    "$(screen 40 lines "$ATTEND" plot --matrix "$work/long")"

# The progress line, also when the window is made narrower.
for columns in 40 100; do
    screen $columns progress "$ATTEND" train --train-src "$work/tiny.hi" --train-tgt "$work/tiny.en" --model "$work/p-$columns" \
        --tokenizer spaces --emb 8 --hidden 12 --split none --max-epochs 10000 --threads 1
done

# No terminal: the same bytes, whatever COLUMNS says.
for view in heatmap links salience; do
    "$ATTEND" plot --matrix "$work/long" --view $view >"$work/plain"
    COLUMNS=40 "$ATTEND" plot --matrix "$work/long" --view $view | cmp - "$work/plain" || fail "$view depends on COLUMNS"
done
COLUMNS=40 "$ATTEND" explain --model "$model" --max-length 5 "$sentence" | cmp - <("$ATTEND" explain --model "$model" --max-length 5 "$sentence") ||
    fail "explain depends on COLUMNS"
