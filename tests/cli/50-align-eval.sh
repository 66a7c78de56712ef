#!/usr/bin/env bash
# Alignments of given pairs, and their error rate.
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
equal accuracy "$("$ATTEND" eval --hyp "$work/hyp" --ref "$work/ref" | cut -d'|' -f1)" "accuracy 66.67%  nrefs:1"
equal "accuracy from a pipe" "$(sed p "$work/ref" | awk "NR % 2" | "$ATTEND" eval --ref "$work/ref" | cut -d' ' -f1-2)" "accuracy 100.00%"
refused 1 "they must pair line for line" "$ATTEND" eval --hyp "$work/ref" --ref "$work/src"

printf 'u\nv w\n1 2 3\n1 2 3 4 5\n' >"$work/words"
printf 'a\nb\nc\nd\n' >"$work/ref"
printf 'a\nx\nc\nd\n' >"$work/long-named.out"
printf 'a\nb\nx\nx\n' >"$work/other"
by_length=("$ATTEND" eval --hyp "$work/long-named.out" --ref "$work/ref" --src "$work/words" --by-length 2)
equal "by length" "$("${by_length[@]}" --compare "$work/other" --output "$work/x.svg")" \
    "source words    lines  long-named.out    other
1-2                 2          50.00%  100.00%
3-4                 1         100.00%    0.00%
5-6                 1         100.00%    0.00%
all                 4          75.00%   50.00%"
grep -q '>long-named.out</text>' "$work/x.svg" || fail "no legend in the picture"
grep -q '<title>other: 1.5, 100.00</title>' "$work/x.svg" || fail "no point in the picture"
equal "by length of one" "$("${by_length[@]}" | sed -n 2p)" "1-2                 2          50.00%"
mkdir "$work/a" && cp "$work/other" "$work/a/other"
"$ATTEND" eval --hyp "$work/other" --compare "$work/a/other" --ref "$work/ref" --src "$work/words" --by-length 5 >"$work/table"
grep -q " $work/other  $work/a/other$" "$work/table" || fail "files of one name are not told apart: $(cat "$work/table")"
equal "by length, another metric" "$("${by_length[@]}" --metric wer | tail -n 1)" "all                 4          25.00%"
refused 1 "they must pair line for line" "${by_length[@]}" --compare "$work/src"
refused 2 "takes one metric" "${by_length[@]}" --metric wer,bleu
refused 2 "\-\-json does not go with --by-length" "${by_length[@]}" --json
refused 2 "--output takes a file that ends in .svg" "${by_length[@]}" --output "$work/x.gif"
refused 2 "--by-length needs --src, the source sentences" "$ATTEND" eval --ref "$work/ref" --by-length 2
refused 2 "--src needs --model, --by-length or --errors" "$ATTEND" eval --ref "$work/ref" --src "$work/x.svg"
refused 2 "--output needs --by-length, --confusions or --calibration" "$ATTEND" eval --ref "$work/ref" --output "$work/x.svg"
