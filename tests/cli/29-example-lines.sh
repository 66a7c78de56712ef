#!/usr/bin/env bash
# Example lines in the model file: source lines of the validation text, chosen by length, the same in every run.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
head -n 300 "$demo/train.hi" >"$work/hi"
head -n 300 "$demo/train.en" >"$work/en"
head -n 50 "$demo/valid.hi" >"$work/valid.hi"
head -n 50 "$demo/valid.en" >"$work/valid.en"
run=(train --train-src "$work/hi" --train-tgt "$work/en" --valid-src "$work/valid.hi" --valid-tgt "$work/valid.en" --tokenizer
    spaces --emb 6 --hidden 8 --threads 1)
train() { # MODEL OPTION...
    local model=$1
    shift
    "$ATTEND" "${run[@]}" --model "$work/$model" "$@" 2>"$work/log" || fail "$(cat "$work/log")"
}
# The header of a model file is JSON after eight bytes of its length.
header() { tail -c +9 "$work/$1" | head -c "$(head -c 8 "$work/$1" | od -An -tu8 | tr -d ' ')"; }
lines() { header "$1" | jq -r '.__metadata__.examples // ""' | sed '/^$/d'; }

train usual --max-updates 4
equal "examples" "$(lines usual | wc -l)" 12
equal "info" "$("$ATTEND" info --model "$work/usual" | sed -n 's/^examples *//p')" "12 lines of the validation text"
equal "lines that are not in the validation text" "$(lines usual | sort | comm -23 - <(sort "$work/valid.hi"))" ""
equal "lines that come twice" "$(lines usual | sort | uniq -d)" ""
lines usual | tail -n +2 | awk '{ print length }' >"$work/lengths"
equal "lengths, after the first" "$(cat "$work/lengths")" "$(sort -n "$work/lengths")"
[ "$(head -n 1 "$work/lengths")" -lt "$(tail -n 1 "$work/lengths")" ] || fail "all are equally long"
train again --max-updates 4
cmp "$work/usual" "$work/again" || fail "the same run gave another file"
train three --max-updates 4 --examples 3
equal "three" "$(lines three | wc -l)" 3
# Resuming gives the same lines; the checkpoint holds none.
train resumed --max-updates 2
train resumed --max-updates 4 --resume
equal "after resuming" "$(lines resumed)" "$(lines usual)"
equal "in the checkpoint" "$(lines resumed.ckpt)" ""
# Switched off, nothing of the text is in the file: no line of three words or more.
train off --max-updates 4 --examples 0
equal "switched off" "$(header off | jq -r '.__metadata__ | has("examples")')" false
equal "info" "$("$ATTEND" info --model "$work/off" | sed -n 's/^examples *//p')" "0 lines of the validation text"
if grep -aqFf <(grep ' .* ' "$work/valid.hi") "$work/off"; then fail "a line of the validation text is in the file"; fi
# Without validation text, given or held out, there is nothing to keep.
"$ATTEND" train --train-src "$work/hi" --train-tgt "$work/en" --tokenizer spaces --emb 6 --hidden 8 --threads 1 --max-updates 4 \
    --examples 12 --split none --model "$work/alone" 2>/dev/null
if grep -aqFf <(grep ' .* ' "$work/hi") "$work/alone"; then fail "a line of the training text is in the file"; fi
# Converted models keep the lines.
"$ATTEND" convert --model "$work/usual" --int8 --output "$work/int8" 2>/dev/null
equal "converted" "$(lines int8)" "$(lines usual)"
"$ATTEND" convert --model "$work/usual" --source-lang hi --target-lang en --output "$work/named" 2>/dev/null
equal "with languages" "$(lines named)" "$(lines usual)"
"$ATTEND" info --model "$ATTEND_SOURCE/tests/data/model-v1.safetensors" | matches '^examples  *0 lines' || fail "an old model"
refused 2 "examples takes a whole number from 0 to 100" "$ATTEND" "${run[@]}" --model "$work/many" --examples 101
