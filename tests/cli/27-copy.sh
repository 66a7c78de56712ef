#!/usr/bin/env bash
# Copying: words outside the vocabulary are copied to the output.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

# `see NAME now` becomes `NAME now sees`; most names are outside a vocabulary of 30.
pairs() { # FROM TO
    awk -v from="$1" -v to="$2" 'BEGIN {
        split("call tell see ask", verb, " ")
        for (i = from; i < to; i++) {
            name = "n" i * 7919 % 10007
            printf "%s %s now\t%s now %ss\n", verb[i % 4 + 1], name, name, verb[i % 4 + 1]
        }
    }'
}
pairs 0 1500 >"$work/train.tsv"
pairs 1500 1600 >"$work/valid.tsv"
cut -f1 "$work/valid.tsv" >"$work/valid.src"
cut -f2 "$work/valid.tsv" >"$work/valid.tgt"
learn() { # MODEL OPTION...
    "$ATTEND" train --train "$work/train.tsv" --valid "$work/valid.tsv" --tokenizer spaces --vocab-size 30 --emb 16 --hidden 24 \
        --dropout 0 --label-smoothing 0 --lr 0.01 --ema 0 --max-updates 250 --threads 1 --model "$@" 2>"$work/log" ||
        fail "$(cat "$work/log")"
}
right() { # MODEL: lines that come out as they should
    "$ATTEND" translate --model "$1" --input "$work/valid.src" 2>/dev/null | paste - "$work/valid.tgt" | awk -F'\t' '$1 == $2' | wc -l
}

learn "$work/copy" --copy
learn "$work/plain"
[ "$(right "$work/copy")" -ge 98 ] || fail "only $(right "$work/copy") of 100 names passed through"
[ "$(right "$work/plain")" -le 10 ] || fail "$(right "$work/plain") of 100 names passed through without copying"
"$ATTEND" translate --model "$work/copy" --alignment hard <<<"see Nobody now" 2>/dev/null >"$work/out"
grep -q '^Nobody now sees ||| 1-0 2-1' "$work/out" || fail "an unseen name: $(cat "$work/out")"
"$ATTEND" info --model "$work/copy" | matches copy || fail "info does not know that the model copies"

# Search and attend score agree; int8 models copy too.
"$ATTEND" translate --model "$work/copy" --scores <<<"ask n4 now" 2>/dev/null | cut -f1,3 >"$work/found"
cut -f1 "$work/found" >"$work/one.tgt"
echo "ask n4 now" >"$work/one.src"
scored=$("$ATTEND" score --model "$work/copy" --src "$work/one.src" --tgt "$work/one.tgt" 2>/dev/null | awk '{ print $NF }')
awk -v a="$scored" -v b="$(cut -f2 "$work/found")" 'BEGIN { exit !(a - b < 1e-3 && b - a < 1e-3) }' ||
    fail "the score of a copy: $scored, searching found $(cat "$work/found")"
"$ATTEND" convert --model "$work/copy" --int8 --output "$work/copy8" 2>/dev/null
[ "$(right "$work/copy8")" -ge 98 ] || fail "only $(right "$work/copy8") of 100 names passed through in int8"

refused 2 "--copy needs an attention" "$ATTEND" train --train "$work/train.tsv" --tokenizer spaces --copy --attention none --model "$work/none"
