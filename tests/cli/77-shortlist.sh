#!/usr/bin/env bash
# Shortlists: counted by attend convert, kept by every conversion, and used by attend translate --shortlist.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
plain=$work/plain.safetensors
lists=$work/lists.safetensors
head -n 600 "$demo/train.hi" >"$work/train.hi"
head -n 600 "$demo/train.en" >"$work/train.en"
head -n 80 "$demo/test.hi" >"$work/in"
"$ATTEND" train --train-src "$work/train.hi" --train-tgt "$work/train.en" --model "$plain" --threads 1 --split none \
    --tokenizer spaces --emb 32 --hidden 48 --max-updates 150 2>"$work/log" || fail "$(cat "$work/log")"
convert() { "$ATTEND" convert "$@"; }
translate() { "$ATTEND" translate --max-length 1.5 --beam 3 --input "$work/in" "$@" 2>"$work/stderr" || fail "$(cat "$work/stderr")"; }

# Counted from the attention: the same bytes each time, small, and the only change.
convert --model "$plain" --src "$work/train.hi" --tgt "$work/train.en" --output "$lists" 2>"$work/stderr" || fail "$(cat "$work/stderr")"
[ ! -s "$work/stderr" ] || fail "convert said $(cat "$work/stderr")"
convert --model "$plain" --src "$work/train.hi" --tgt "$work/train.en" --output "$work/again"
cmp "$lists" "$work/again" || fail "the same text gave other lists"
more=$(($(wc -c <"$lists") - $(wc -c <"$plain")))
((more > 500 && more < 60000)) || fail "the lists take $more bytes"
translate --model "$plain" >"$work/all"
translate --model "$lists" | cmp - "$work/all" || fail "lists that nobody asked for change the text"

# More words than there are: the same text. Fewer: nearly the same, whatever the batch and the threads.
translate --model "$lists" --shortlist 1000 >"$work/long"
translate --model "$lists" --shortlist 3 >"$work/short"
same=$(comm -12 <(nl "$work/all" | sort) <(nl "$work/long" | sort) | wc -l)
[ "$same" -ge 60 ] || fail "only $same of 80 lines are the same with all lists"
for settings in "--batch-sentences 1" "--threads 1" "--threads 3 --batch-sentences 7"; do
    # shellcheck disable=SC2086
    translate --model "$lists" --shortlist 3 $settings | cmp - "$work/short" || fail "$settings changes the text"
done
translate --model "$lists" --model "$plain" --shortlist 3 >"$work/both"
equal "lines of an ensemble" "$(wc -l <"$work/both")" 80
translate --model "$lists" --shortlist 3 --sample --nbest 4 >"$work/samples"
translate --model "$lists" --shortlist 3 --sample --nbest 4 --batch-sentences 5 | cmp - "$work/samples" || fail "batches change samples"

# One line: words come from its own lists, and what is required comes from anywhere.
printf '%s\n' "0-0" >"$work/links"
printf '%s\n' "$(head -n 1 "$work/train.hi" | cut -d' ' -f1)" >"$work/one.hi"
printf '%s\n' "$(head -n 1 "$work/train.en" | cut -d' ' -f1)" >"$work/one.en"
convert --model "$plain" --src "$work/one.hi" --tgt "$work/one.en" --links "$work/links" --output "$work/narrow"
word=$(cat "$work/one.en")
translate --model "$work/narrow" --shortlist 5 | tr ' ' '\n' | sort -u | grep -v '^$' >"$work/words" || true
[ "$(wc -l <"$work/words")" -le 1 ] || fail "other words than '$word': $(paste -sd' ' "$work/words")"
other=$(tr ' ' '\n' <"$work/all" | grep -vxF "$word" | head -n 1)
[ "$(translate --model "$work/narrow" --shortlist 5 --require "$other" | grep -cF "$other")" = 80 ] || fail "no line has '$other'"
[ "$(translate --model "$work/narrow" --shortlist 5 --prefix "$other" | grep -c "^$other")" = 80 ] || fail "no line begins with '$other'"

# int8 keeps the lists, in one conversion or two; a language changes nothing.
convert --model "$lists" --int8 --output "$work/small"
convert --model "$plain" --src "$work/train.hi" --tgt "$work/train.en" --int8 --output "$work/at-once"
cmp "$work/small" "$work/at-once" || fail "one conversion is not two"
convert --model "$work/small" --target-lang en --output "$work/named"
translate --model "$work/small" --shortlist 3 >"$work/short"
translate --model "$work/named" --shortlist 3 --batch-sentences 3 | cmp - "$work/short" || fail "the lists are lost"
"$ATTEND" score --model "$work/named" --src "$work/one.hi" --tgt "$work/one.en" >/dev/null 2>&1 || fail "no score"

# What cannot be.
refused 2 "--shortlist needs a model with lists of words" "$ATTEND" translate --model "$plain" --shortlist 5 x
refused 2 "--shortlist takes a whole number from 0 to 1000" "$ATTEND" translate --model "$lists" --shortlist 1001 x
refused 2 "\-\-src and --tgt are needed together" convert --model "$plain" --src "$work/one.hi" --output "$work/x"
refused 2 "--links needs both" convert --model "$plain" --links "$work/links" --output "$work/x"
refused 1 "missing: cannot be opened" convert --model "$plain" --src "$work/missing" --tgt "$work/one.en" --output "$work/x"
printf '3-0\n' >"$work/links"
refused 1 "links:1: '3-0' is beyond the pair" convert --model "$plain" --src "$work/one.hi" --tgt "$work/one.en" \
    --links "$work/links" --output "$work/x"
"$ATTEND" train --train-src "$work/train.hi" --train-tgt "$work/train.en" --model "$work/none" --threads 1 --split none \
    --tokenizer spaces --emb 8 --hidden 12 --attention none --max-updates 1 2>"$work/log" || fail "$(cat "$work/log")"
refused 2 "has no attention; give --links" convert --model "$work/none" --src "$work/one.hi" --tgt "$work/one.en" --output "$work/x"
"$ATTEND" train --train-src "$work/train.hi" --train-tgt "$work/train.en" --model "$work/hard" --threads 1 --split none \
    --tokenizer spaces --emb 8 --hidden 12 --attention monotonic --max-updates 1 2>"$work/log" || fail "$(cat "$work/log")"
refused 2 "lists of words are for large vocabularies" convert --model "$work/hard" --src "$work/one.hi" --tgt "$work/one.en" \
    --output "$work/x"
refused 2 "shortlist is for large vocabularies, which --attention monotonic does not" \
    "$ATTEND" translate --model "$work/hard" --shortlist 5 x
[ ! -e "$work/x" ] || fail "a refused conversion left a file"
