#!/usr/bin/env bash
# Alignments of given pairs, and judging.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
model=$work/model.safetensors
tiny_model "$model"

head -n 20 "$demo/test.hi" >"$work/src"
head -n 20 "$demo/test.en" >"$work/tgt"
head -n 20 "$demo/test.gold" >"$work/gold"
"$ATTEND" align --model "$model" --src "$work/src" --tgt "$work/tgt" >"$work/links"
equal "lines of links" "$(wc -l <"$work/links")" 20
paste "$work/links" "$work/src" "$work/tgt" | awk -F'\t' '{
    n = split($1, link, " "); s = split($2, w, " "); t = split($3, w, " ")
    for (i = 1; i <= n; i++) { split(link[i], p, "-"); if (p[1] >= s || p[2] >= t) exit 1 } }' || fail "links out of range"
"$ATTEND" align --model "$model" --src "$work/src" --tgt "$work/tgt" --gold "$work/gold" >"$work/aer"
grep -qE '^AER [0-9.]+%  precision [0-9.]+%  recall [0-9.]+%  \([0-9]+ links\)$' "$work/aer" || fail "$(cat "$work/aer")"
refused 1 "they must pair line for line" "$ATTEND" align --model "$model" --src "$work/src" --tgt <(head -n 3 "$work/tgt")
refused 1 "they must pair line for line" "$ATTEND" align --model "$model" --src "$work/src" --tgt "$work/tgt" \
    --gold <(head -n 3 "$work/gold")

printf 'a b\nc  d\ne\n' >"$work/ref"
printf 'a b\n c d \nx\n' >"$work/hyp"
equal accuracy "$("$ATTEND" eval --hyp "$work/hyp" --ref "$work/ref")" "accuracy 66.67% (2 of 3 lines)"
equal "accuracy from a pipe" "$(sed p "$work/ref" | awk "NR % 2" | "$ATTEND" eval --ref "$work/ref")" "accuracy 100.00% (3 of 3 lines)"
refused 1 "they must pair line for line" "$ATTEND" eval --hyp "$work/ref" --ref "$work/src"
