#!/usr/bin/env bash
# Translating: one line of output per line of input, for any text; damaged models are refused.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
model=$work/model.safetensors
tiny_model "$model"
translate() { "$ATTEND" translate --model "$model" --max-length 1 "$@" 2>"$work/stderr"; }

printf 'mai ghar ja raha hoon\n\n   \nunknown words here\nkya tum\r\nlast line without an end' >"$work/in"
translate <"$work/in" >"$work/out"
equal "lines out" "$(wc -l <"$work/out")" 6
equal "an empty line" "$(sed -n 2p "$work/out")" ""
equal "a line of spaces" "$(sed -n 3p "$work/out")" ""
equal "nothing in" "$(translate </dev/null)" ""
if grep -qE '<unk>|</?s>' "$work/out"; then fail "special tokens in the output"; fi

# The output does not depend on batches, threads and files.
for settings in "--batch-sentences 1" "--threads 1" "--threads 3 --batch-sentences 2"; do
    # shellcheck disable=SC2086
    translate $settings <"$work/in" | cmp - "$work/out" || fail "$settings changes the text"
done
translate --input "$work/in" --output "$work/file"
cmp "$work/file" "$work/out" || fail "--input and --output change the text"
printf 'kya tum\n' >"$work/lf"
printf '\xef\xbb\xbfkya tum\r\n' >"$work/crlf"
equal "a byte order mark and CRLF" "$(translate <"$work/crlf" --scores)" "$(translate <"$work/lf" --scores)"

# Scores and alignments.
translate --scores --alignment hard --beam 3 <"$work/in" >"$work/scored"
awk -F'\t' 'NR != 2 && NR != 3 && !($2 <= 0 && $3 + 0 <= $2) { exit 1 }' "$work/scored" || fail "scores: $(cat "$work/scored")"
grep -qE '\|\|\| ([0-9]+-[0-9]+( |$))+' "$work/scored" || fail "no links: $(cat "$work/scored")"

# Errors name the file and line; the lines before are translated.
printf 'mai\nghar \xc3\x28\n' >"$work/bad"
refused 1 "bad:2: invalid UTF-8" "$ATTEND" translate --model "$model" --input "$work/bad"
refused 1 "none: cannot be opened" "$ATTEND" translate --model "$model" --input "$work/none"
refused 1 "none/x: cannot be opened" "$ATTEND" translate --model "$model" --output "$work/none/x"
refused 1 "missing: cannot be opened" "$ATTEND" translate --model "$work/missing"
if [ -e /dev/full ]; then
    status=0
    translate <"$work/in" >/dev/full || status=$?
    equal "exit code on a full disk" "$status" 1
fi

# Damaged models.
size=$(wc -c <"$model")
for bytes in 0 4 100 $((size / 2)) $((size - 1)); do
    head -c "$bytes" "$model" >"$work/cut"
    refused 1 "cut: " "$ATTEND" translate --model "$work/cut"
done
for at in 9 200 $((size / 2)) $((size - 3)); do
    cp "$model" "$work/flipped"
    byte=$(od -An -tu1 -j "$at" -N1 "$model")
    printf '%b' "\\x$(printf %x $((byte ^ 4)))" | dd of="$work/flipped" bs=1 seek="$at" conv=notrunc status=none
    refused 1 "flipped: " "$ATTEND" info --model "$work/flipped"
done

# A large model is checked by one thread while another prepares it: nothing comes out before the check is done.
"$ATTEND" train --train-src "$work/tiny.hi" --train-tgt "$work/tiny.en" --model "$work/large" --split none --tokenizer spaces --emb 64 \
    --hidden 192 --max-updates 1 --threads 1 2>"$work/log" || fail "$(cat "$work/log")"
"$ATTEND" convert --model "$work/large" --int8 --output "$work/large8"
for name in large large8; do
    size=$(wc -c <"$work/$name")
    [ "$size" -gt 1048576 ] || [ "$name" = large8 ] || fail "$name has only $size bytes"
    for at in 300 $((size / 3)) $((size / 2)) $((size - 3)); do
        cp "$work/$name" "$work/flipped"
        byte=$(od -An -tu1 -j "$at" -N1 "$work/$name")
        printf '%b' "\\x$(printf %x $((byte ^ 4)))" | dd of="$work/flipped" bs=1 seek="$at" conv=notrunc status=none
        refused 1 "flipped: " "$ATTEND" translate --model "$work/flipped" --input "$work/lf"
        [ ! -s "$work/stdout" ] || fail "a damaged model translates"
    done
done
printf 'just some text, longer than eight bytes\n' >"$work/text"
refused 1 "text: is not an attend model" "$ATTEND" info --model "$work/text"
refused 1 "is not a regular file" "$ATTEND" info --model "$work"
"$ATTEND" info --model "$model" >"$work/info"
grep -q "decoder.attention.W_key" "$work/info" || fail "info does not list the tensors"

# A line that does not fit into memory is refused without a crash. (A sanitizer's allocator has its own message.)
[ -z "${ATTEND_QUICK:-}" ] || exit 0
awk 'BEGIN { for (i = 0; i < 500000; i++) printf "a b "; print "" }' >"$work/huge"
refused 1 "out of memory: cannot allocate [0-9]+ MB" "$ATTEND" translate --model "$model" --beam 100 --max-length 100 \
    --input "$work/huge"
