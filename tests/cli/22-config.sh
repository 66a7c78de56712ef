#!/usr/bin/env bash
# Settings: presets, the settings in a model file, and runs that start from another model.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

head -n 400 "$demo/train.hi" >"$work/a.src"
head -n 400 "$demo/train.en" >"$work/a.tgt"
head -n 50 "$demo/valid.hi" >"$work/v.src"
head -n 50 "$demo/valid.en" >"$work/v.tgt"
text=(--train-src "$work/a.src" --train-tgt "$work/a.tgt" --valid-src "$work/v.src" --valid-tgt "$work/v.tgt"
    --threads 1 --max-updates 6 --tokenizer spaces)

# A preset applies to what is not set, wherever the flag stands.
value() { "$ATTEND" info --model "$1" --config | sed -n "s/^$2: //p"; }
for preset in $(choices preset); do
    "$ATTEND" train --train-src <(head -n 5 "$work/a.src") --train-tgt <(head -n 5 "$work/a.tgt") --tokenizer spaces \
        --max-updates 1 --preset "$preset" --model "$work/$preset" 2>/dev/null
    sizes="${sizes:-} $(value "$work/$preset" hidden)"
done
equal "presets in order of size" "$(tr ' ' '\n' <<<"$sizes" | sort -n | tr '\n' ' ')" "$(tr ' ' '\n' <<<"$sizes" | tr '\n' ' ')"
[ "$(tr ' ' '\n' <<<"$sizes" | sort -u | wc -l)" -ge 4 ] || fail "presets of the same size: $sizes"
"$ATTEND" train "${text[@]}" --hidden 20 --preset tiny --emb 12 --model "$work/m" 2>/dev/null
equal "hidden before the preset" "$(value "$work/m" hidden)" 20
equal "emb after the preset" "$(value "$work/m" emb)" 12

# The settings that a model records make the same model again; they have no paths and no number of threads.
"$ATTEND" info --model "$work/m" --config >"$work/m.yaml"
if grep -E "threads|$work|^(train|model|log)" "$work/m.yaml"; then fail "the settings hold what is not theirs"; fi
"$ATTEND" train --config "$work/m.yaml" --train-src "$work/a.src" --train-tgt "$work/a.tgt" --valid-src "$work/v.src" \
    --valid-tgt "$work/v.tgt" --threads 1 --model "$work/again" 2>/dev/null
cmp "$work/m" "$work/again" || fail "the same settings gave another model"

# Starting from another model: the first validation has the loss with which the other run ended.
fine=(--train-src "$work/a.src" --train-tgt "$work/a.tgt" --valid-src "$work/v.src" --valid-tgt "$work/v.tgt"
    --threads 1 --init-from "$work/m" --max-updates 1)
"$ATTEND" train "${fine[@]}" --lr 1e-30 --ema 0 --model "$work/fine" --log "$work/fine.log" 2>/dev/null
"$ATTEND" train "${text[@]}" --hidden 20 --emb 12 --preset tiny --model "$work/m2" --log "$work/m.log" 2>/dev/null
loss() { sed -n 's/.*"validation".*,"loss":\([^,]*\),.*/\1/p' "$1" | tail -n 1; }
awk -v a="$(loss "$work/fine.log")" -v b="$(loss "$work/m.log")" 'BEGIN { d = a - b; exit !(a > 0 && d * d < 1e-8) }' ||
    fail "a model began with other weights than $(loss "$work/m.log"): $(loss "$work/fine.log")"
equal "hidden of the model it began as" "$(value "$work/fine" hidden)" 20
refused 2 "\-\-hidden is 20 in .*, not 30; leave it out" "$ATTEND" train "${fine[@]}" --hidden 30 --model "$work/new"
refused 2 "\-\-hidden differs from .*; leave it out" "$ATTEND" train "${fine[@]}" --hidden 256 --model "$work/new"
# A resumed run does not need the model that it was started from.
cp "$work/m" "$work/parent"
"$ATTEND" train "${fine[@]}" --init-from "$work/parent" --cell gru --model "$work/child" 2>/dev/null
rm "$work/parent"
"$ATTEND" train "${fine[@]}" --init-from "$work/parent" --cell gru --model "$work/child" --resume --max-updates 2 2>"$work/log" ||
    fail "a run cannot be resumed without the model of --init-from: $(cat "$work/log")"
refused 2 "\-\-tokenizer does not go with --init-from" "$ATTEND" train "${fine[@]}" --tokenizer char --model "$work/new"
tr abcdefghijklm nopqrstuvwxyz <"$work/a.src" >"$work/other.src"
refused 1 "of the source pieces are unknown to the vocabulary of $work/m" "$ATTEND" train --train-src "$work/other.src" \
    --train-tgt "$work/a.tgt" --threads 1 --init-from "$work/m" --model "$work/new"
refused 1 "none: cannot be opened" "$ATTEND" train "${fine[@]}" --init-from "$work/none" --model "$work/new"
[ ! -e "$work/new" ] || fail "a refused training left a model"
