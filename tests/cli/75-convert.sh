#!/usr/bin/env bash
# int8 models: smaller, usable by every command, refused for training.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
model=$work/model.safetensors
small=$work/small.safetensors
head -n 400 "$demo/train.hi" >"$work/train.hi"
head -n 400 "$demo/train.en" >"$work/train.en"
train() { # MODEL SETTINGS...
    local to=$1
    shift
    "$ATTEND" train --train-src "$work/train.hi" --train-tgt "$work/train.en" --model "$to" --threads 1 "$@"
}
train "$model" --tokenizer spaces --emb 64 --hidden 96 --max-updates 30 2>"$work/log" || fail "$(cat "$work/log")"
convert() { "$ATTEND" convert --int8 "$@"; }

convert --model "$model" --output "$small" 2>"$work/stderr" || fail "$(cat "$work/stderr")"
[ ! -s "$work/stderr" ] || fail "convert said $(cat "$work/stderr")"
share=$((100 * $(wc -c <"$small") / $(wc -c <"$model")))
[ "$share" -lt 40 ] || fail "int8 takes $share % of the float model"
convert --model "$model" --output "$work/again"
cmp "$small" "$work/again" || fail "the same model gave other bytes"

# attend info shows it.
grep -q "^model .*, weights in int8$" <("$ATTEND" info --model "$small") || fail "info does not say int8"
if "$ATTEND" info --model "$model" | matches int8; then fail "info says int8 of floats"; fi
cmp <("$ATTEND" info --config --model "$small") <("$ATTEND" info --config --model "$model") || fail "the settings are other ones"

# Every command that runs a model accepts it; nearly all words are those of the float model.
head -n 60 "$demo/train.hi" >"$work/in"
head -n 60 "$demo/train.en" >"$work/ref"
translate() { "$ATTEND" translate --max-length 1.5 --beam 3 --input "$work/in" "$@" 2>/dev/null; }
translate --model "$model" >"$work/floats"
translate --model "$small" >"$work/out"
equal "lines out" "$(wc -l <"$work/out")" 60
same=$(comm -12 <(nl "$work/floats" | sort) <(nl "$work/out" | sort) | wc -l)
[ "$same" -ge 45 ] || fail "only $same of 60 lines are what floats say"
for settings in "--batch-sentences 1" "--threads 1" "--threads 3 --batch-sentences 7"; do
    # shellcheck disable=SC2086
    translate --model "$small" $settings | cmp - "$work/out" || fail "$settings changes the text"
done
"$ATTEND" align --model "$small" --src "$work/in" --tgt "$work/ref" >"$work/links"
equal "lines aligned" "$(wc -l <"$work/links")" 60
"$ATTEND" plot --model "$small" --output "$work/plot.svg" "$(head -n 1 "$work/in")" || fail "no plot"
[ -s "$work/plot.svg" ] || fail "an empty plot"

# Nothing is trained from it.
only_run="small.safetensors: its weights are int8, which can only be run"
refused 1 "$only_run" train "$work/new" --init-from "$small"
refused 2 "small.safetensors exists, but its checkpoint" train "$small" --resume --tokenizer spaces
cp "$model" "$work/other"
cp "$small" "$work/other.ckpt"
refused 1 "other.ckpt: its weights are int8" train "$work/other" --resume --tokenizer spaces
refused 1 "$only_run" convert --model "$small" --output "$work/twice"
[ ! -e "$work/twice" ] || fail "a refused conversion left a file"

# Languages can be set later, in models of both kinds; nothing else changes.
for from in "$model" "$small"; do
    "$ATTEND" convert --source-lang hi --target-lang en --model "$from" --output "$work/named"
    equal "languages" "$("$ATTEND" info --model "$work/named" | grep -oE 'language .*' | paste -sd' ')" "language hi language en"
    diff <("$ATTEND" info --model "$from" | tail -n +4) <("$ATTEND" info --model "$work/named" | tail -n +4) || fail "more has changed"
    cmp <(translate --model "$from") <(translate --model "$work/named") || fail "the text is another one"
done
convert --target-lang pt-BR --model "$model" --output "$work/named"
equal "int8 and a language" "$("$ATTEND" info --model "$work/named" | grep -cE 'int8|language pt-BR')" 2
refused 2 "'e n' is not a language code" "$ATTEND" convert --source-lang "e n" --model "$model" --output "$work/x"

# Usage errors.
refused 2 "\-\-model is needed" convert --output "$work/x"
refused 2 "\-\-output is needed" convert --model "$model"
refused 2 "\-\-int8" "$ATTEND" convert --model "$model" --output "$work/x"
refused 2 "only options" convert --model "$model" --output "$work/x" "$small"
refused 1 "missing: cannot be opened" convert --model "$work/missing" --output "$work/x"
refused 1 "none/x: " convert --model "$model" --output "$work/none/x"
refused 2 "--model is the same file as --output" convert --model "$small" --output "$small"
refused 2 "model.safetensors: belongs to the run of .*model.safetensors.ckpt" convert --model "$work/other" \
    --output "$model"
[ ! -e "$work/x" ] || fail "a wrong call left a file"

# Damaged files.
size=$(wc -c <"$small")
for bytes in 4 100 $((size / 2)) $((size - 1)); do
    head -c "$bytes" "$small" >"$work/cut"
    refused 1 "cut: " "$ATTEND" translate --model "$work/cut"
done
for at in 9 200 $((size / 3)) $((size / 2)) $((size - 3)); do
    cp "$small" "$work/flipped"
    byte=$(od -An -tu1 -j "$at" -N1 "$small")
    printf '%b' "\\x$(printf %x $((byte ^ 4)))" | dd of="$work/flipped" bs=1 seek="$at" conv=notrunc status=none
    refused 1 "flipped: " "$ATTEND" info --model "$work/flipped"
done

# A format version that was changed by hand is refused.
sed 's/"format_version":"1"/"format_version":"2"/' "$model" >"$work/claims"
refused 1 "claims: is damaged" "$ATTEND" info --model "$work/claims"
