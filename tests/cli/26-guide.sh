#!/usr/bin/env bash
# Training with word links: two files, tables and splits, subwords, resuming, and what is refused.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

for set in train valid; do
    for kind in hi en gold; do head -n 200 "$demo/$set.$kind" >"$work/$set.$kind"; done
done
files=(--train-src "$work/train.hi" --train-tgt "$work/train.en" --valid-src "$work/valid.hi" --valid-tgt "$work/valid.en")
shape=(--emb 16 --hidden 24 --batch-tokens 150 --vocab-size 150 --threads 1)
run() { # MODEL FLAGS...
    local model=$1
    shift
    "$ATTEND" train "${shape[@]}" --model "$work/$model" "$@" 2>"$work/log" || fail "$(cat "$work/log")"
}
rate() { # MODEL: its alignment error rate
    "$ATTEND" align --words --model "$work/$1" --src "$work/valid.hi" --tgt "$work/valid.en" --gold "$work/valid.gold" |
        sed 's/AER \([0-9]*\).*/\1/'
}

# The links change where the model looks, and only a weight of 0 leaves it as it was.
quick=("${files[@]}" --tokenizer sentencepiece --ema 0 --lr 0.01 --max-epochs 5)
run plain "${quick[@]}"
run guided "${quick[@]}" --guide "$work/train.gold" --guide-weight 5
run weightless "${quick[@]}" --guide "$work/train.gold" --guide-weight 0
[ "$(rate guided)" -lt $(($(rate plain) - 10)) ] || fail "links did not teach: $(rate plain) and $(rate guided) %"
"$ATTEND" translate --model "$work/plain" <"$work/valid.hi" >"$work/plain.en" 2>"$work/log"
"$ATTEND" translate --model "$work/weightless" <"$work/valid.hi" 2>"$work/log" | cmp "$work/plain.en" || fail "a weight of 0 has an effect"

# What `attend align` writes goes back in. Compressed links are read too.
"$ATTEND" align --words --model "$work/guided" --src "$work/train.hi" --tgt "$work/train.en" | gzip >"$work/own.gz"
run again "${files[@]}" --tokenizer sentencepiece --max-epochs 1 --guide "$work/own.gz"

# Resumed to the same bytes, with pieces that are sampled in every epoch and links that are folded to them.
drawn=("${files[@]}" --tokenizer sentencepiece --subword-sampling 0.3 --guide "$work/train.gold" --max-epochs 2 --accumulate 2)
run whole "${drawn[@]}"
run part "${drawn[@]}" --max-updates 11
run part "${drawn[@]}" --resume
grep -q "resumed after update 11" "$work/log" || fail "it did not go on: $(cat "$work/log")"
cmp "$work/whole" "$work/part" || fail "another model after going on"
sed '1s/.*//' "$work/train.gold" >"$work/other.gold"
refused 2 "the training text differs" "$ATTEND" train "${shape[@]}" "${drawn[@]}" --guide "$work/other.gold" --max-epochs 3 --resume \
    --model "$work/part"

# A table: its header has no line of links. Rows that are left out keep theirs, so the others stay in step.
{ printf 'tgt\tsrc\n' && printf 'only one\n\t\n' && paste "$work/train.en" "$work/train.hi"; } >"$work/table"
{ printf '0-0\n\n' && cat "$work/train.gold"; } >"$work/table.gold"
columns=src,tgt
table=(--train "$work/table" --header --columns "$columns" --skip-broken --tokenizer spaces --max-updates 30)
run rows "${table[@]}" --split none --guide "$work/table.gold"
run two --train-src "$work/train.hi" --train-tgt "$work/train.en" --tokenizer spaces --max-updates 30 --split none \
    --guide "$work/train.gold"
"$ATTEND" align --model "$work/rows" --src "$work/valid.hi" --tgt "$work/valid.en" >"$work/one"
"$ATTEND" align --model "$work/two" --src "$work/valid.hi" --tgt "$work/valid.en" | cmp - "$work/one" || fail "links are out of step"
run split "${table[@]}" --split 0.8,0.1,0.1 --guide "$work/table.gold"

# ---- Refused ----
train=("$ATTEND" train "${shape[@]}" "${files[@]}" --tokenizer spaces --model "$work/bad" --max-updates 1)
refused 2 "guide teaches the attention, and --attention is none" "${train[@]}" --attention none --guide "$work/train.gold"
refused 1 "200 lines and .* has 199: they must pair line for line" "${train[@]}" --guide <(head -n 199 "$work/train.gold")
sed '7s/.*/0:1/' "$work/train.gold" >"$work/bad.gold"
refused 1 "bad.gold:7: '0:1' is not a link" "${train[@]}" --guide "$work/bad.gold"
sed '7s/.*/0-99/' "$work/train.gold" >"$work/bad.gold"
refused 1 "bad.gold:7: '0-99' is beyond the pair, which has [0-9]+ source and [0-9]+ target words" "${train[@]}" --guide "$work/bad.gold"
tail -n +3 "$work/table.gold" >"$work/bad.gold" && sed -i '5s/.*/0-99/' "$work/bad.gold" && sed -i 2,3d "$work/table"
refused 1 "bad.gold:5: '0-99' is beyond" "$ATTEND" train "${shape[@]}" "${table[@]}" --guide "$work/bad.gold" --model "$work/bad"
printf '\377\n' >"$work/bad.gold" && tail -n +2 "$work/train.gold" >>"$work/bad.gold"
refused 1 "bad.gold:1: .*UTF-8" "${train[@]}" --guide "$work/bad.gold"
refused 2 "guide-weight" "${train[@]}" --guide "$work/train.gold" --guide-weight -1
refused 2 "guide needs a source of text" "${train[@]}" --src-tokenizer ink --guide "$work/train.gold"
