#!/usr/bin/env bash
# Paragraphs become sentences and come back with their spaces and line ends; too long ones are cut.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
golden=$ATTEND_SOURCE/tests/data/model-v1.safetensors # reverses up to four letters
split() { "$ATTEND" translate --model "$golden" --split-sentences "$@" 2>"$work/stderr"; }

# ---- Without its module, a line is a sentence, and the program says so once ----

mkdir "$work/bare"
cp "$ATTEND" "$work/bare/attend"
printf 'a b\r\n\n  c d  \n' | "$work/bare/attend" translate --model "$golden" --split-sentences >"$work/out" 2>"$work/stderr"
printf 'b a\r\n\n  d c  \n' | cmp - "$work/out" || fail "line ends: $(od -c "$work/out")"
equal "what it says" "$(grep -c 'attend-sentences.so.*libicu-dev' "$work/stderr")" 1
equal "lines that it says" "$(wc -l <"$work/stderr")" 1

[ -e "$(dirname "$ATTEND")/attend-sentences.so" ] || { echo "skipped: built without ICU"; exit 77; }
if command -v ldd >/dev/null && ldd "$ATTEND" | matches -i 'libicu'; then fail "the program links ICU"; fi

# ---- Sentences ----

# The model knows only letters; a sentence ends at a full stop, which it reads as an unknown word.
model=$work/model.safetensors
sed -n 1,200p "$demo/train.hi" >"$work/hi"
sed 's/$/ ./' "$work/hi" >"$work/src"
"$ATTEND" train --train-src "$work/src" --train-tgt "$work/src" --model "$model" --tokenizer spaces --emb 8 --hidden 12 \
    --source-lang en --target-lang en --max-updates 3 --threads 1 2>"$work/log" || fail "$(cat "$work/log")"
lines() { "$ATTEND" translate --model "$model" "$@" 2>"$work/stderr"; }
paragraph=$'One two three .  Four five .\tSix'
lines --split-sentences <<<"$paragraph" >"$work/got"
printf '%s\n' 'One two three .' 'Four five .' Six | lines >"$work/each"
mapfile -t each <"$work/each"
equal "a paragraph" "$(cat "$work/got")" "${each[0]}  ${each[1]}"$'\t'"${each[2]}"
lines --format text --split-sentences=false <<<"$paragraph" | cmp - <(lines <<<"$paragraph") || fail "=false splits"
lines --format lines <<<"$paragraph" | cmp - <(lines <<<"$paragraph") || fail "--format lines splits"
printf '%s' "$paragraph" | lines --split-sentences | cmp - <(head -c -1 "$work/got") || fail "a line end was added"
printf '\xef\xbb\xbfOne .\n' | lines --split-sentences | head -c 3 | cmp - <(printf '\xef\xbb\xbf') || fail "the mark is lost"
equal "nothing in" "$(lines --split-sentences </dev/null)$(cat "$work/stderr")" ""
printf '一。二！「三。」四' | lines --split-sentences >"$work/ja"
printf '%s\n' 一。 二！ 「三。」 四 | lines | tr -d '\n' | cmp - "$work/ja" || fail "sentences without spaces: $(cat "$work/ja")"

# ---- Longer than any source in training ----

longest=$("$ATTEND" info --model "$model" | sed -n 's/^longest source *\([0-9]*\) tokens/\1/p')
equal "the longest source" "$longest" "$(awk '{ if (NF > n) n = NF } END { print n }' "$work/src")"
"$ATTEND" convert --model "$model" --int8 --output "$work/int8" 2>"$work/log"
equal "the longest source after a conversion" "$("$ATTEND" info --model "$work/int8" | grep '^longest')" "$("$ATTEND" info --model "$model" | grep '^longest')"
long=$(printf 'x %.0s' $(seq $((longest - 2))))
lines <<<"$long $long" >/dev/null
grep -q "1 line is longer than any source in training ($longest tokens); --split-sentences" "$work/stderr" || fail "$(cat "$work/stderr")"
lines --split-sentences <<<"${long}y, ${long}z" >"$work/got"
grep -q "1 sentences are longer than any source in training and were cut" "$work/stderr" || fail "$(cat "$work/stderr")"
printf '%s\n' "${long}y," "${long}z" | lines | paste -sd' ' | cmp - "$work/got" || fail "not cut at the comma"
printf '%s' "$long" | lines --split-sentences >/dev/null
! grep -q longer "$work/stderr" || fail "about a line that fits: $(cat "$work/stderr")"

# ---- Refused ----

for flag in --scores --words --pieces --json "--nbest 2" "--alignment hard"; do
    # shellcheck disable=SC2086
    refused 2 "needs --format lines" "$ATTEND" translate --model "$model" --split-sentences $flag
done
refused 2 "takes one of auto, lines, text" "$ATTEND" translate --model "$model" --format docx
refused 2 "needs --input" "$ATTEND" translate --model "$model" --format auto
refused 2 "does not know the ending" "$ATTEND" translate --model "$model" --format auto --input "$work/log"
printf 'One .\nTwo \xc3\x28 .\n' >"$work/bad"
refused 1 "bad:2: invalid UTF-8" "$ATTEND" translate --model "$model" --split-sentences --input "$work/bad"
printf 'One .\nTwo\0 .\n' >"$work/bad"
refused 1 "bad:2: contains a NUL byte" "$ATTEND" translate --model "$model" --split-sentences --input "$work/bad"
printf '\xff\xfea\0' >"$work/bad"
refused 1 "bad: is UTF-16" "$ATTEND" translate --model "$model" --split-sentences --input "$work/bad"
if [ -w /dev/full ]; then
    status=0
    lines --split-sentences <"$work/src" >/dev/full || status=$?
    equal "exit code on a full disk" "$status" 1
    equal "what it says on a full disk" "$(wc -l <"$work/stderr")" 1
fi
