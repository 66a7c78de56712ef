#!/usr/bin/env bash
# Subword sampling: off changes nothing, on can be resumed to the same bytes.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

head -n 600 "$demo/train.hi" >"$work/train.hi"
head -n 600 "$demo/train.en" >"$work/train.en"
head -n 50 "$demo/valid.hi" >"$work/valid.hi"
head -n 50 "$demo/valid.en" >"$work/valid.en"
files=(--train-src "$work/train.hi" --train-tgt "$work/train.en" --valid-src "$work/valid.hi" --valid-tgt "$work/valid.en")
shape=(--emb 16 --hidden 24 --batch-tokens 300 --vocab-size 150 --threads 1 --shuffle-window 5 --max-epochs 3)
run() { # MODEL FLAGS...
    local model=$1
    shift
    "$ATTEND" train "${files[@]}" "${shape[@]}" --model "$work/$model" --log "$work/$model.log" "$@" 2>"$work/log" || fail "$(cat "$work/log")"
}

run zero --tokenizer sentencepiece --subword-sampling 0 --word-dropout 0
for method in bpe unigram; do
    how=(--tokenizer sentencepiece --subwords "$method")
    drawn=("${how[@]}" --subword-sampling 0.3 --word-dropout 0.1)
    run "off-$method" "${how[@]}"
    run "whole-$method" "${drawn[@]}"
    cmp -s "$work/off-$method" "$work/whole-$method" && fail "$method: drawing changes nothing"

    # Stopped within the second epoch.
    run "part-$method" "${drawn[@]}" --max-updates 40
    run "part-$method" "${drawn[@]}" --resume
    grep -q "resumed after update 40" "$work/log" || fail "it did not go on: $(cat "$work/log")"
    cmp "$work/whole-$method" "$work/part-$method" || fail "$method: another model after going on"
done
cmp "$work/off-bpe" "$work/zero" || fail "0 is not off"

refused 2 "--subword-sampling is for subwords, which neither side has; leave it out, or use --tokenizer sentencepiece" \
    "$ATTEND" train "${files[@]}" "${shape[@]}" --model "$work/none" --tokenizer spaces --subword-sampling 0.1
refused 2 "subword-sampling" "$ATTEND" train "${files[@]}" "${shape[@]}" --model "$work/none" --subword-sampling 2
