#!/usr/bin/env bash
# Hard monotonic attention: it learns, its alignments move forward, search and score agree, and what does not go with it is
# refused in one line.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

# Words of two to six of eight letters; a and e are silent, x sounds as k s, and every other letter as itself.
pairs() { # FROM TO
    awk -v from="$1" -v to="$2" 'BEGIN {
        for (i = from; i < to; i++) {
            seed = i; word = sound = ""
            for (n = 2 + i % 5; n; n--) {
                seed = (seed * 7919 + 104729) % 1000003
                letter = substr("abdekmox", 1 + seed % 8, 1)
                word = word letter
                sound = sound (letter ~ /[ae]/ ? "" : letter == "x" ? " k s" : " " letter)
            }
            print word "\t" substr(sound " .", 2)
        }
    }'
}
pairs 0 1200 >"$work/train.tsv"
pairs 1200 1300 >"$work/valid.tsv"
cut -f1 "$work/valid.tsv" >"$work/valid.src"
cut -f2 "$work/valid.tsv" >"$work/valid.tgt"
shape=(--train "$work/train.tsv" --valid "$work/valid.tsv" --src-tokenizer char --tgt-tokenizer spaces --emb 16 --hidden 24 --dropout 0
    --lr 0.01 --ema 0 --threads 1 --attention monotonic)
learn() { # MODEL OPTION...
    "$ATTEND" train "${shape[@]}" --max-updates 200 --model "$@" 2>"$work/log" || fail "$(cat "$work/log")"
}
right() { # MODEL OPTION...: lines that come out as they should
    "$ATTEND" translate --input "$work/valid.src" --model "$@" 2>/dev/null | paste - "$work/valid.tgt" | awk -F'\t' '$1 == $2' | wc -l
}

learn "$work/first" --placement luong --monotonic-order 1
learn "$work/zero"
for model in first zero; do
    [ "$(right "$work/$model")" -ge 90 ] || fail "$model: only $(right "$work/$model") of 100 are right"
    [ "$(right "$work/$model" --beam 1)" -ge 90 ] || fail "$model: only $(right "$work/$model" --beam 1) of 100 are right, greedily"
    # The likeliest position of each word never lies before that of the last one.
    "$ATTEND" align --model "$work/$model" --src "$work/valid.src" --tgt "$work/valid.tgt" 2>/dev/null >"$work/links"
    awk '{ last = 0; for (i = 1; i <= NF; i++) { split($i, at, "-"); if (at[1] < last) exit 1; last = at[1] } }' "$work/links" ||
        fail "$model: an alignment moves back"
    # Search and attend score agree, for every line of an n-best list.
    "$ATTEND" translate --model "$work/$model" --input "$work/valid.src" --beam 4 --nbest 3 2>/dev/null >"$work/found"
    awk -F' [|][|][|] ' 'NR == FNR { word[NR] = $0; next } { print word[$1 + 1] }' "$work/valid.src" "$work/found" >"$work/best.src"
    awk -F' [|][|][|] ' '{ print $2 }' "$work/found" >"$work/best.tgt"
    "$ATTEND" score --model "$work/$model" --src "$work/best.src" --tgt "$work/best.tgt" 2>/dev/null |
        paste - <(sed 's/.*logprob= //' "$work/found") |
        awk '{ if ($1 - $2 > 1e-3 || $2 - $1 > 1e-3) exit 1 } END { exit NR < 250 }' || fail "$model: search and score do not agree"
    "$ATTEND" convert --model "$work/$model" --int8 --output "$work/$model.8" 2>/dev/null
    [ "$(right "$work/$model.8")" -ge 88 ] || fail "$model: only $(right "$work/$model.8") of 100 are right in int8"
    "$ATTEND" explain --model "$work/$model" box >"$work/why" 2>"$work/log" || fail "$(cat "$work/log")"
done
"$ATTEND" info --model "$work/first" | matches "monotonic" || fail "info does not name the attention"
both=$(right "$work/first" --model "$work/zero")
[ "$both" -ge 90 ] || fail "only $both of 100 are right together"

cannot() { # PATTERN OPTION...
    refused 2 "$1" "$ATTEND" train "${shape[@]}" --model "$work/none" "${@:2}"
}
cannot "copy needs a soft attention" --copy
cannot "heads needs --attention" --heads 2
cannot "coverage needs --attention additive" --coverage
awk '{ print "0-0" }' "$work/train.tsv" >"$work/train.links"
cannot "guide teaches the weights of a soft" --guide "$work/train.links"
cannot "scheduled-sampling needs a soft" --scheduled-sampling 0.1
cannot "monotonic-order needs --attention monotonic" --monotonic-order 1 --attention additive
awk 'BEGIN { for (i = 0; i < 1200; i++) print "w" i "\tv" i }' >"$work/words.tsv"
refused 2 "at most 1000 different tokens, such as characters, not 1203" "$ATTEND" train --train "$work/words.tsv" --split none \
    --tokenizer spaces --attention monotonic --model "$work/none"
cut -f 1 "$work/train.tsv" >"$work/train.src"
cut -f 2 "$work/train.tsv" >"$work/train.tgt"
refused 2 "lists of words are for large vocabularies" "$ATTEND" convert --model "$work/first" --src "$work/train.src" \
    --tgt "$work/train.tgt" --output "$work/none"
refused 2 "shortlist is for large vocabularies" "$ATTEND" translate --model "$work/first" --shortlist 5 box
