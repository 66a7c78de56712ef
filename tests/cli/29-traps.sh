#!/usr/bin/env bash
# Traps of training text: each gets one line, and good text none.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

small=(--tokenizer spaces --emb 8 --hidden 10 --max-updates 2 --threads 1 --overwrite --model "$work/m")
train() { "$ATTEND" train "${small[@]}" "$@" 2>"$work/log" || fail "$(cat "$work/log")"; }
says() { grep -qE -- "$1" "$work/log" || fail "nothing about '$1': $(cat "$work/log")"; }
silent() { if grep -E -- "$1" "$work/log"; then fail "it should not say '$1'"; fi; }
traps='look like names of columns|are in the training text too|held out for it|too few sources|are equal in|letters, but'

# FROM TO: pairs of a toy language.
pairs() { seq "$1" "$2" | awk '{ printf "See the cat n%d now\tVoir le chat n%d ici\n", $1, $1 }'; }
pairs 1 400 >"$work/train.tsv"
pairs 401 440 >"$work/valid.tsv"

# Good text.
train --train "$work/train.tsv" --valid "$work/valid.tsv"
silent "$traps"
cp "$work/m" "$work/good"

# A header.
(printf 'source\ttarget\n' && pairs 1 400) >"$work/header.tsv"
train --train "$work/header.tsv" --valid "$work/valid.tsv"
says "^$work/header.tsv:1: 'source' and 'target' look like names of columns; if this is a header, use --header$"
train --train "$work/header.tsv" --valid "$work/header.tsv" --header --columns source,target
silent 'look like names'

# The same pairs in both sets, and only the same sources.
(pairs 396 400 && pairs 401 435) >"$work/leak.tsv"
train --train "$work/train.tsv" --valid "$work/leak.tsv"
says '^5 of 40 validation sources \(12.5 %\) are in the training text too, 5 of them with the same target'
sed 's/ici$/la/' "$work/leak.tsv" >"$work/other.tsv"
train --train "$work/train.tsv" --valid "$work/other.tsv"
says '^5 of 40 validation sources .* 0 of them with the same target'

# One file given twice.
cut -f1 "$work/train.tsv" >"$work/src"
cut -f2 "$work/train.tsv" >"$work/tgt"
train --train-src "$work/src" --train-tgt "$work/src" --split none
says '^source and target are equal in 100 % of the training pairs'
train --train-src "$work/src" --train-tgt "$work/tgt" --split none
silent "$traps"

# Another case.
tr '[:upper:]' '[:lower:]' <"$work/valid.tsv" >"$work/lower.tsv"
train --train "$work/train.tsv" --valid "$work/lower.tsv"
says '^the validation source has no capital letters, but 100 % of the lines of the training source have'
says '^the validation target has no capital letters'
train --train <(tr '[:upper:]' '[:lower:]' <"$work/train.tsv") --valid "$work/lower.tsv"
silent 'letters, but'

# No validation text: 5 % of the pairs, the same for the same seed; `--split none` trains on all of them, as few pairs do.
train --train "$work/train.tsv"
says '^no validation text is given: [0-9]+ of 400 pairs \([0-9.]+ %\) are held out for it; --split none trains on all$'
says '(^| )valid'
cp "$work/m" "$work/first"
train --train "$work/train.tsv"
cmp "$work/m" "$work/first" || fail "the same seed held out other pairs"
[ ! -e "$work/m.valid.src" ] || fail "pairs that nobody asked for were written"
train --train "$work/train.tsv" --split none
silent "$traps"
if cmp -s "$work/m" "$work/first"; then fail "--split none changed nothing"; fi
train --train-src <(head -n 50 "$work/src") --train-tgt <(head -n 50 "$work/tgt")
says '^no validation text is given, and there are too few sources to hold some out of 50 pairs: the last model counts as the best$'
cp "$work/m" "$work/few"
train --train-src <(head -n 50 "$work/src") --train-tgt <(head -n 50 "$work/tgt") --split none
cmp "$work/m" "$work/few" || fail "few pairs were trained in another way than with --split none"
train --train "$work/train.tsv" --valid "$work/valid.tsv" --split none
silent "$traps"
cmp "$work/m" "$work/good" || fail "--split none changed a run with validation text"

# A resumed run holds out the same pairs and gives the same bytes; a run that began without them goes on without them.
resumed=(--train "$work/train.tsv" --tokenizer spaces --emb 8 --hidden 10 --threads 1 --model "$work/r")
"$ATTEND" train "${resumed[@]}" --max-epochs 3 --model "$work/whole" 2>/dev/null
"$ATTEND" train "${resumed[@]}" --max-epochs 1 2>/dev/null
"$ATTEND" train "${resumed[@]}" --max-epochs 3 --resume 2>"$work/log" || fail "$(cat "$work/log")"
cmp "$work/r" "$work/whole" || fail "a resumed run gave other bytes"
"$ATTEND" train "${resumed[@]}" --max-epochs 1 --split none --overwrite 2>/dev/null
"$ATTEND" train "${resumed[@]}" --max-epochs 3 --resume 2>"$work/log" || fail "$(cat "$work/log")"
"$ATTEND" train "${resumed[@]}" --max-epochs 3 --split none --model "$work/all" 2>/dev/null
cmp "$work/r" "$work/all" || fail "a run that held nothing out was not resumed as it began"

refused 2 "\-\-split takes two or three positive shares that sum to 1, such as 0.98,0.01,0.01, or none, not 'half'" \
    "$ATTEND" train "${small[@]}" --train "$work/train.tsv" --split half
