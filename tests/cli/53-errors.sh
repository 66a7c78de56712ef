#!/usr/bin/env bash
# attend eval in one step: a model, its wrong lines, its confusions, the score of each line.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
model=$work/model.safetensors
tiny_model "$model"

# ---- A model in one step gives what translating and evaluating give ----
head -n 30 "$demo/test.hi" >"$work/src"
head -n 30 "$demo/test.en" >"$work/ref"
paste "$work/src" "$work/ref" >"$work/test.tsv"
for beam in 1 4; do
    "$ATTEND" translate --model "$model" --beam "$beam" <"$work/src" >"$work/out" 2>"$work/log"
    wanted=$("$ATTEND" eval --hyp "$work/out" --ref "$work/ref" --metric bleu,chrf,wer)
    equal "a table, beam $beam" "$("$ATTEND" eval --model "$model" --test "$work/test.tsv" --beam "$beam" \
        --metric bleu,chrf,wer 2>"$work/log")" "$wanted"
    equal "two files, beam $beam" "$("$ATTEND" eval --model "$model" --src "$work/src" --ref "$work/ref" --beam "$beam" \
        --metric bleu,chrf,wer 2>"$work/log")" "$wanted"
done
equal "columns" "$( (echo $'en\tid\thi' && awk -F'\t' -v OFS='\t' '{ print $2, NR, $1 }' "$work/test.tsv") |
    "$ATTEND" eval --model "$model" --test - --header --columns hi,en --beam 4 --metric bleu,chrf,wer 2>"$work/log")" "$wanted"
"$ATTEND" translate --model "$model" <"$work/src" >"$work/out" 2>"$work/log"
equal "by length" "$("$ATTEND" eval --model "$model" --test "$work/test.tsv" --by-length 3 2>"$work/log" | sed 1d | tr -s " ")" \
    "$("$ATTEND" eval --hyp "$work/out" --ref "$work/ref" --src "$work/src" --by-length 3 | sed 1d | tr -s " ")"
answer=$(head -n 1 "$work/src" | "$ATTEND" translate --model "$model" 2>"$work/log")
source=$(head -n 1 "$work/src")
equal "accepted answers" "$(printf '%s\tno\n%s\t%s\n' "$source" "$source" "$answer" |
    "$ATTEND" eval --model "$model" --test - 2>"$work/log" | cut -d'|' -f1)" "accuracy 100.00%  nrefs:2"

# ---- Wrong lines ----
printf 'k æ t\nd ɒ g\nh aʊ s\nt r iː\n' >"$work/right"
printf 'k æ t\nd ɔ g z\nh aʊ s\nt ɹ i\n' >"$work/hyp"
printf 'cat\ndog\nhouse\ntree\n' >"$work/words"
eval=("$ATTEND" eval --hyp "$work/hyp" --ref "$work/right")
"${eval[@]}" --errors --src "$work/words" | sed 1d >"$work/errors"
equal "wrong lines" "$(cat "$work/errors")" "
2 of 4 lines are wrong; all 2, worst first:

line 2, 2 edits of 3 tokens
  source  dog
  output  d [ɔ] g [z]
  right   d [ɒ] g

line 4, 2 edits of 3 tokens
  source  tree
  output  t [ɹ i]
  right   t [r iː]"
equal "the worst" "$("${eval[@]}" --errors --limit 1 | grep -c '^line')" 1
equal "by characters" "$("${eval[@]}" --errors --symbols characters | grep -A 2 '^line 4' | tail -n 2)" \
    "  output  t [ɹ] i
  right   t [r] i[ː]"
"${eval[@]}" --errors --json >"$work/json"
grep -q '"errors":{"lines":4,"wrong":2,"symbols":"tokens","worst":\[{"line":2,"output":"d ɔ g z"' "$work/json" ||
    fail "$(cat "$work/json")"
if command -v script >/dev/null; then
    TERM=xterm script -qec "'$ATTEND' eval --hyp '$work/hyp' --ref '$work/right' --errors" /dev/null >"$work/tty" </dev/null
    grep -q $'d \033\\[1;31mɔ\033\\[0m g' "$work/tty" || fail "no colors on a terminal: $(cat -v "$work/tty")"
    NO_COLOR=1 TERM=xterm script -qec "'$ATTEND' eval --hyp '$work/hyp' --ref '$work/right' --errors" /dev/null \
        >"$work/tty" </dev/null
    grep -q 'd \[ɔ\] g' "$work/tty" || fail "NO_COLOR is ignored"
fi

# ---- Confusions ----
"${eval[@]}" --confusions --limit 2 --output "$work/x.svg" | sed 1d >"$work/table"
equal "confusions" "$(cat "$work/table")" "
3 substitutions, 0 deletions and 1 insertions in 12 tokens
right      output       times  share of the right symbol
iː         i                1  100.00% of 1
r          ɹ                1  100.00% of 1
and 2 rarer ones"
grep -q '<title>ɒ became ɔ: 1</title>' "$work/x.svg" || fail "no confusion in the picture"
grep -q '<title>nothing became z: 1</title>' "$work/x.svg" || fail "no insertion in the picture"

# ---- The score of each line ----
"${eval[@]}" --sentence-level --metric ser,line-error >"$work/lines" 2>"$work/said"
equal "lines" "$(cat "$work/lines")" $'line\tser\tline-error\n1\t0.00\t0.00\n2\t66.67\t100.00\n3\t0.00\t0.00\n4\t66.67\t100.00'
"${eval[@]}" --sentence-level --metric bleu 2>"$work/said" >"$work/lines"
grep -q 'each line: bleu nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|' "$work/said" || fail "$(cat "$work/said")"
equal "lines as JSON" "$("${eval[@]}" --sentence-level --json | grep -o '"lines":.*')" \
    '"lines":[{"line":1,"accuracy":100},{"line":2,"accuracy":0},{"line":3,"accuracy":100},{"line":4,"accuracy":0}]}'

# ---- Both word error rates have their own name ----
"${eval[@]}" --metric line-error,wer >"$work/rates"
equal "names" "$(cut -d'|' -f1 "$work/rates")" "wrong lines (WER of pronunciation) 50.00%  nrefs:1
word edits (WER of speech)         33.33%  nrefs:1"

# ---- Refused ----
refused 2 "--hyp does not go with --model" "$ATTEND" eval --model "$model" --hyp "$work/hyp" --ref "$work/right"
refused 2 "--test needs --model" "$ATTEND" eval --test "$work/test.tsv"
refused 2 "either --test, or --src with --ref or --answers" "$ATTEND" eval --model "$model"
refused 2 "--test has the references" "$ATTEND" eval --model "$model" --test "$work/test.tsv" --ref "$work/ref"
printf "a\tb\nc\n" >"$work/test2"
refused 1 "test2:2: has 1 column and needs 2; put a TAB" "$ATTEND" eval --model "$model" --test "$work/test2"
refused 1 "they must pair line for line" "$ATTEND" eval --model "$model" --src "$work/src" --ref "$work/right"
refused 1 "empty: there is nothing to translate" "$ATTEND" eval --model "$model" --test /dev/null
refused 2 "--errors does not go with --by-length" "${eval[@]}" --src "$work/words" --by-length 2 --errors
refused 2 "one output, without --compare" "${eval[@]}" --compare "$work/hyp" --errors
refused 2 "--nbest has no effect" "$ATTEND" eval --model "$model" --test "$work/test.tsv" --nbest 2
refused 2 "one of auto, tokens, characters" "${eval[@]}" --errors --symbols words
