#!/usr/bin/env bash
# Scores of given pairs: they agree with those of the search, per token and in n-best lists.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
model=$ATTEND_SOURCE/tests/data/model-v1.safetensors
score() { "$ATTEND" score --model "$model" "$@" 2>"$work/stderr"; }
near() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(d < 1e-4 && d > -1e-4) }'; } # A B

# With every tokenizer, attend score gives the translations of a search the scores that the search gave.
head -n 60 "$demo/train.hi" | cut -d" " -f1-2 >"$work/src"
cut -d' ' -f1-2 "$demo/valid.hi" >"$work/train.hi"
cut -d' ' -f1-2 "$demo/valid.en" >"$work/train.en"
for tokenizer in spaces char word sentencepiece; do
    "$ATTEND" train --train-src "$work/train.hi" --train-tgt "$work/train.en" --model "$work/$tokenizer" --emb 8 --hidden 12 \
        --tokenizer "$tokenizer" --vocab-size 100 --max-updates 100 --lr 0.01 --threads 1 2>"$work/log" || fail "$(cat "$work/log")"
    search=("$ATTEND" translate --model "$work/$tokenizer" --beam 3 --length-penalty 0.5 --input "$work/src")
    "${search[@]}" --pieces 2>/dev/null >"$work/pieces"
    "${search[@]}" --alignment json 2>/dev/null >"$work/json"
    "$ATTEND" score --model "$work/$tokenizer" --src "$work/src" --tgt "$work/pieces" --pieces >"$work/scores" 2>"$work/stderr"
    # Translations that the length limit cut off have no </s>.
    paste "$work/scores" <(sed 's/.*,"log_probability":\([-0-9.e]*\).*/\1/' "$work/json") \
        <(sed 's/.*"<\/s>"\],"text".*/whole/' "$work/json") |
        awk -F'\t' '$3 == "whole" { n++; d = $1 - $2; if (d > 1e-4 || d < -1e-4) { print; bad = 1 } } END { exit bad || n < 20 }' ||
        fail "$tokenizer: score and search disagree"
done

# The tokens sum to the line, and the lines to the total.
printf 'a b c\nh g\n' >"$work/src"
printf 'c b a\nh zebra\n' >"$work/tgt"
score --src "$work/src" --tgt "$work/tgt" --tokens >"$work/tokens"
equal "the tokens" "$(cut -f2 "$work/tokens" | paste -sd/)" "c b a </s>/h zebra </s>"
awk -F'\t' '{ n = split($3, s, " "); sum = 0; for (i = 1; i <= n; i++) sum += s[i]; d = sum - $1
    if (d > 1e-4 || d < -1e-4 || n != split($2, w, " ")) exit 1 }' "$work/tokens" || fail "$(cat "$work/tokens")"
read -r _ total _ tokens _ perplexity <"$work/stderr"
equal "how many tokens" "$tokens" 7
near "$total" "$(awk '{ s += $1 } END { print s }' "$work/tokens")" || fail "total $total"
awk -v p="$perplexity" -v t="$total" 'BEGIN { q = exp(-t / 7); exit !(p / q < 1.001 && p / q > 0.999) }' || fail "perplexity $perplexity"
score --src "$work/src" --tgt "$work/tgt" --json >"$work/json"
grep -qE '"text":"h zebra",.*"token_scores":\[-[0-9.]+,-[0-9.]+,-[0-9.]+\],"probability":[0-9.e-]+,"confidence":[0-9.e-]+}$' "$work/json" || fail "$(cat "$work/json")"
awk '$1 >= 0 || ($1 < -3) != (NR == 2) { exit 1 }' "$work/tokens" || fail "the wrong one is the more probable: $(cat "$work/tokens")"

# Wrong files.
refused 1 "they must pair line for line" "$ATTEND" score --model "$model" --src "$work/src" --tgt <(head -n 1 "$work/tgt")
printf 'a\n\xff\n' >"$work/bad"
refused 1 "bad:2: invalid UTF-8" "$ATTEND" score --model "$model" --src "$work/bad" --tgt "$work/tgt"
refused 2 "\-\-tgt is needed" "$ATTEND" score --model "$model" --src "$work/src"
refused 2 "sort needs --nbest" "$ATTEND" score --model "$model" --src "$work/src" --tgt "$work/tgt" --sort

# N-best lists: the feature is added, and --sort sorts by it.
printf '%s\n' '0 ||| a b c ||| lm= -2 ||| -1' '0 ||| c b a ||| lm= -3 ||| -2' '1 ||| h g |||  ||| -1' '1 ||| g h ||| x= 0 ||| -5 ||| 0-1' >"$work/nbest"
score --src "$work/src" --nbest "$work/nbest" >"$work/more"
equal "lists with the feature" "$(sed 's/= -[0-9]*\.[0-9]*/= X/' "$work/more" | paste -sd/)" \
    "0 ||| a b c ||| lm= -2 attend= X ||| -1/0 ||| c b a ||| lm= -3 attend= X ||| -2/1 ||| h g ||| attend= X ||| -1/1 ||| g h ||| x= 0 attend= X ||| -5 ||| 0-1"
near "$(sed -n 's/.*c b a.*attend= \([-0-9.]*\).*/\1/p' "$work/more")" "$(sed -n 1p "$work/tokens" | cut -f1)" ||
    fail "a list's score differs from a pair's"
equal "sorted lists" "$(score --src "$work/src" --nbest "$work/nbest" --sort | cut -d'|' -f4 | paste -sd,)" " c b a , a b c , g h , h g "
awk 'BEGIN { for (i = 0; i < 2; i++) for (k = 0; k < 2500; k++) print i " ||| a b ||| ||| " k }' >"$work/long"
score --src "$work/src" --nbest "$work/long" --sort | awk -F' \\|\\|\\| ' '$NF != (NR - 1) % 2500 { exit 1 }' || fail "equals are not kept in order"
equal "long lists" "$(score --src "$work/src" --nbest "$work/long" | wc -l)" 5000
printf '0 ||| a ||| b ||| 1\n0 ||| a\n' >"$work/bad"
refused 1 "bad:2: is not .id" "$ATTEND" score --model "$model" --src "$work/src" --nbest "$work/bad"
printf '2 ||| a ||| b ||| 1\n' >"$work/bad"
refused 1 "bad:1: the id is beyond the last line" "$ATTEND" score --model "$model" --src "$work/src" --nbest "$work/bad"
printf '1 ||| a ||| b ||| 1\n0 ||| a ||| b ||| 1\n' >"$work/bad"
refused 1 "bad:2: the id is lower" "$ATTEND" score --model "$model" --src "$work/src" --nbest "$work/bad"
printf 'a ||| b\n' >"$work/bad"
refused 1 "bad:1: does not begin with an id" "$ATTEND" score --model "$model" --src "$work/src" --nbest "$work/bad"
