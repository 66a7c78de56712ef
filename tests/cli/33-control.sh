#!/usr/bin/env bash
# Controlling the search: n-best lists, samples, required and banned phrases, ensembles.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

head -n 1500 "$demo/train.hi" >"$work/train.hi"
head -n 1500 "$demo/train.en" >"$work/train.en"
for seed in 1 2; do
    "$ATTEND" train --train-src "$work/train.hi" --train-tgt "$work/train.en" --tokenizer spaces --emb 16 --hidden 24 --lr 0.01 \
        --max-updates 150 --threads 1 --ema 0 --seed $seed --model "$work/m$seed" 2>"$work/log" || fail "$(cat "$work/log")"
done
head -n 30 "$demo/test.hi" >"$work/in"
translate() { "$ATTEND" translate --model "$work/m1" --threads 1 --input "$work/in" "$@" 2>/dev/null; }

# n-best: sorted, no text occurs twice, the first is the one without --nbest.
translate --nbest 4 --beam 6 >"$work/nbest"
awk -F ' [|][|][|] ' '{ if ($1 == last && $4 > score) exit 1; if (seen[$1, $2]++) exit 1; last = $1; score = $4 }' "$work/nbest" ||
    fail "n-best lists are not sorted or repeat a text"
translate --beam 6 >"$work/best"
awk -F ' [|][|][|] ' '!seen[$1]++ { print $2 }' "$work/nbest" | cmp - "$work/best" || fail "the best of n is not the best"
[ "$(wc -l <"$work/nbest")" -gt 60 ] || fail "only $(wc -l <"$work/nbest") hypotheses for 30 lines"

# Samples: the same for the same seed, whatever batch and threads; others for another seed.
translate --sample --seed 5 --nbest 2 --batch-sentences 1 >"$work/a"
"$ATTEND" translate --model "$work/m1" --threads 3 --input "$work/in" --sample --seed 5 --nbest 2 >"$work/b" 2>/dev/null
cmp "$work/a" "$work/b" || fail "draws depend on batch or threads"
translate --sample --seed 6 --nbest 2 | cmp -s - "$work/a" && fail "another seed drew the same"
translate --sample --top-k 1 | cmp - <(translate --beam 1) || fail "a draw from one word is not the greedy choice"

# Phrases.
translate --prefix "we will" >"$work/out"
[ "$(grep -c '^we will' "$work/out")" = 30 ] || fail "a translation does not begin with the prefix"
translate --require "in the room" --require red >"$work/out"
[ "$(grep 'in the room' "$work/out" | grep -cw red)" = 30 ] || fail "a translation lacks a phrase: $(grep -v red "$work/out" | head -n 2)"
word=$(tr ' ' '\n' <"$work/best" | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
translate --ban "$word" >"$work/out"
grep -qw -- "$word" "$work/out" && fail "a banned word came"
translate --no-repeat 1 | awk '{ for (i = 1; i <= NF; i++) if (seen[NR, $i]++) exit 1 }' || fail "a word came twice"
jq=$(printf '{"source":"%s","prefix":"you","require":["home"]}\n' "mai ghar ja raha hoon" | "$ATTEND" translate --model "$work/m1" --json)
grep -q '"text":"you.* home' <<<"$jq" || fail "a wish in JSON was not heard: $jq"
refused 1 "constraint 'xyzzy' has a token that the model does not know" "$ATTEND" translate --model "$work/m1" --input "$work/in" --prefix xyzzy

# Ensembles: a model with itself changes nothing; another model does; other vocabularies are refused.
translate --scores >"$work/once"
translate --model "$work/m1" --scores | cut -f1 | cmp - <(cut -f1 "$work/once") || fail "a model with itself says something else"
translate --model "$work/m2" --scores | cmp -s - "$work/once" && fail "another model changed nothing"
tiny_model "$work/tiny"
refused 2 "other vocabularies" "$ATTEND" translate --model "$work/m1" --model "$work/tiny" --input "$work/in"

# Unknown words are written only on request.
translate --unk-replace >"$work/out"
grep -q "<unk>" "$work/out" "$work/best" && fail "<unk> in the output"
refused 2 "\-\-nbest 9 needs --beam 9 or more" "$ATTEND" translate --model "$work/m1" --input "$work/in" --nbest 9
