#!/usr/bin/env bash
# Text in all supported forms, and messages about broken text.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

small=(--emb 8 --hidden 10 --threads 1 --max-updates 2)
train() { "$ATTEND" train "${small[@]}" --overwrite "$@" 2>"$work/log" || fail "$* : $(cat "$work/log")"; }

# The same pairs as two files, a table, a table with other columns, with a header, compressed, with CRLF and a byte order
# mark, and through standard input: the same model.
head -n 300 "$demo/train.hi" >"$work/a.src"
head -n 300 "$demo/train.en" >"$work/a.tgt"
paste "$work/a.src" "$work/a.tgt" >"$work/a.tsv"
train --train-src "$work/a.src" --train-tgt "$work/a.tgt" --model "$work/files"
same() { # WHAT ARGUMENT...
    local what=$1
    shift
    train "$@" --model "$work/other"
    cmp "$work/files" "$work/other" || fail "$what gave another model"
}
same "a table" --train "$work/a.tsv"
paste "$work/a.tgt" "$work/a.tsv" >"$work/b.tsv"
same "named columns" --train "$work/b.tsv" --columns _,src,tgt
{ printf 'english\thindi\tenglish2\n' && cat "$work/b.tsv"; } >"$work/c.tsv"
same "a header" --train "$work/c.tsv" --header --columns hindi,english
gzip -c "$work/a.tsv" >"$work/a.gz"
same "gzip" --train "$work/a.gz"
{ printf '\xef\xbb\xbf' && sed 's/$/\r/' "$work/a.src"; } >"$work/crlf.src"
same "CRLF and a mark" --train-src "$work/crlf.src" --train-tgt "$work/a.tgt"
train --train - --model "$work/other" <"$work/a.tsv"
cmp "$work/files" "$work/other" || fail "standard input gave another model"

# Features become tokens before those of the source, in training and in every later use.
awk -F '\t' '{ print $1 "\t" $2 "\tV;" (NR % 2 ? "PST" : "FUT") }' "$work/a.tsv" >"$work/f.tsv"
train --train "$work/f.tsv" --columns src,tgt,feat --features feat --tokenizer char --model "$work/features"
"$ATTEND" plot --model "$work/features" "$(printf 'mai\tV;PST')" abc >"$work/plot"
grep -q "⟨V⟩ *⟨PST⟩" "$work/plot" || fail "no feature tokens: $(cat "$work/plot")"

# A split: every pair is in one set, no source is in two, and the sets can be used as files.
train --train "$work/a.tsv" --split 0.8,0.1,0.1 --model "$work/split"
for set in valid test; do
    if [ ! -s "$work/split.$set.src" ] || [ ! -s "$work/split.$set.tgt" ]; then fail "no $set set"; fi
    equal "$set lines" "$(wc -l <"$work/split.$set.src")" "$(wc -l <"$work/split.$set.tgt")"
done
[ -z "$(sort -u "$work/split.valid.src" | comm -12 - <(sort -u "$work/split.test.src"))" ] || fail "a source is in two sets"
"$ATTEND" translate --model "$work/split" --input "$work/split.test.src" | "$ATTEND" eval --ref "$work/split.test.tgt" >/dev/null

# The choice of a tokenizer is reported; a normal form unifies two spellings.
grep -q "^source: .*: spaces" "$work/log" || grep -q "^source: .*: sentencepiece" "$work/log" || fail "$(cat "$work/log")"
printf 'e\xcc\x81\tx\n\xc3\xa9\ty\n' >"$work/nfd.tsv"
train --train "$work/nfd.tsv" --tokenizer char --model "$work/nfc"
"$ATTEND" info --model "$work/nfc" | matches "^source *char, 4 tokens" || fail "two spellings of é: $("$ATTEND" info --model "$work/nfc")"
train --train "$work/nfd.tsv" --tokenizer char --normalize none --model "$work/none"
"$ATTEND" info --model "$work/none" | matches "^source *char, 5 tokens" || fail "$("$ATTEND" info --model "$work/none")"

# Broken text: one line with the place, or a count with the first place.
refuse() { # PATTERN CODE ARGUMENT...
    local pattern=$1 code=$2
    shift 2
    refused "$code" "$pattern" "$ATTEND" train "${small[@]}" --model "$work/new" "$@"
    [ ! -e "$work/new" ] || fail "a refused training left a model"
}
printf 'a\tb\nc \xff\td\ne\tf\n' >"$work/utf.tsv"
refuse "utf.tsv:2: invalid UTF-8 at byte 3" 1 --train "$work/utf.tsv"
printf 'a\tb\nc\0c\td\n' >"$work/nul.tsv"
refuse "nul.tsv:2: NUL" 1 --train "$work/nul.tsv"
printf 'a\tb\nc\n' >"$work/col.tsv"
refuse "col.tsv:2: .*column" 1 --train "$work/col.tsv"
{ printf 'a\tb\n' && head -c 1100000 /dev/zero | tr '\0' x && printf '\ty\nc\td\n'; } >"$work/long.tsv"
refuse "long.tsv:2: " 1 --train "$work/long.tsv"
head -c 100 "$work/a.gz" >"$work/cut.gz"
refuse "cut.gz: .*" 1 --train "$work/cut.gz"
refuse "0.98,0.01,0.01" 2 --train "$work/a.tsv" --split 0.9
refuse "exclude each other" 2 --train "$work/a.tsv" --train-src "$work/a.src" --train-tgt "$work/a.tgt"
refuse "leave out --valid" 2 --train "$work/a.tsv" --split 0.9,0.1 --valid "$work/a.tsv"
refuse "need --train" 2 --train-src "$work/a.src" --train-tgt "$work/a.tgt" --header
refuse "no pair that can be used|no line to train on" 1 --train /dev/null
refuse "no line to train on: 0 are empty, 300 too long" 1 --train "$work/a.tsv" --tokenizer spaces --split none --max-length 1
cat "$work/utf.tsv" "$work/nul.tsv" "$work/col.tsv" "$work/long.tsv" >"$work/all.tsv"
printf '\tz\n' >>"$work/all.tsv"
train --train "$work/all.tsv" --skip-broken --tokenizer char --max-ratio 2 --model "$work/skipped"
for what in "1 pair left out, invalid UTF-8, the first at $work/all.tsv:2" "NUL.*all.tsv:5" "missing column.*all.tsv:7" \
    "over 1 MiB.*all.tsv:9|long.*all.tsv:9" "empty side.*all.tsv:11"; do
    grep -qE "$what" "$work/log" || fail "not said: $what; but $(cat "$work/log")"
done
printf 'ab\tabcdefgh\nab\tab\n' >"$work/uneven.tsv"
train --train "$work/uneven.tsv" --tokenizer char --max-ratio 3 --model "$work/skipped"
grep -q "1 pair left out, sides of too different lengths (--max-ratio), the first at $work/uneven.tsv:1" "$work/log" ||
    fail "$(cat "$work/log")"

# Hostile strings can be trained on and translated, and come out unchanged.
if [ -n "${ATTEND_DATA:-}" ]; then
    for file in "$ATTEND_DATA"/hard-text/*.txt; do
        for tokenizer in spaces char word sentencepiece; do
            train --train-src "$file" --train-tgt "$file" --tokenizer "$tokenizer" --max-length 5000 --model "$work/hard"
            "$ATTEND" translate --model "$work/hard" --beam 1 --max-length 0.1 --input "$file" >"$work/out" 2>/dev/null
            equal "lines of $file" "$(wc -l <"$work/out")" "$(wc -l <"$file")"
        done
    done
fi
