#!/usr/bin/env bash
# Output of translating: alignments, JSON, pieces, words, lexicons.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
model=$ATTEND_SOURCE/tests/data/model-v1.safetensors
translate() { "$ATTEND" translate --model "$model" "$@" 2>"$work/stderr"; }
printf 'a b c\n\nh g f e\n' >"$work/in"

# Hard alignments: the model reverses its input.
equal "hard links" "$(translate --alignment hard <"$work/in" | sed -n 1p | cut -d'|' -f1)" "c b a "
translate --alignment hard <"$work/in" | matches -E '^c b a \|\|\| ([0-9]-[0-9] ?)+$' || fail "no links"

# A matrix in the format of Nematus: a header, a row per target word with </s>, an empty line; rows sum to 1.
translate --alignment soft <"$work/in" >"$work/soft"
equal "header" "$(sed -n 1p "$work/soft" | sed 's/-[0-9.]*/X/')" "0 ||| c b a ||| X ||| a b c ||| 4 4"
equal "header of an empty line" "$(grep '^1 ' "$work/soft")" "1 |||  ||| 0.000000 |||  ||| 0 0"
awk -F' \\|\\|\\| ' 'NF == 5 { if (rows != want) exit 1; split($5, n, " "); cols = n[1]; want = n[2]; rows = 0; next }
    $0 == "" { next }
    { count = split($0, w, " "); sum = 0; for (i = 1; i <= count; i++) sum += w[i]; rows++
      if (count != cols || sum < 0.9999 || sum > 1.0001) exit 1 }
    END { if (rows != want) exit 1 }' "$work/soft" || fail "the matrix: $(cat "$work/soft")"
equal "matrices" "$(grep -c '^$' "$work/soft")" 3

# JSON output, and JSON input.
translate --alignment json <"$work/in" >"$work/json"
equal "lines of JSON" "$(wc -l <"$work/json")" 3
grep -q '^{"source":\["a","b","c","</s>"\],"target":\["c","b","a","</s>"\],"text":"c b a","attention":\[\[0' "$work/json" ||
    fail "$(cat "$work/json")"
sed -n 2p "$work/json" | matches '^{"source":\[\],"target":\[\],"text":"","attention":null,' || fail "an empty line: $(cat "$work/json")"
printf '%s\n' '{"source":"a b c","id":7}' '{"source":""}' '{"source":"h g f \u0065"}' >"$work/requests"
translate --json <"$work/requests" | cmp - "$work/json" || fail "--json differs from --alignment json"
printf '{"source":"a"}\nnonsense\n' >"$work/bad"
refused 1 "bad:2 is not JSON" "$ATTEND" translate --model "$model" --json --input "$work/bad"
equal "answers before the line at fault" "$(wc -l <"$work/stdout")" 1
# shellcheck disable=SC2016
refused 1 'standard input:1: has no "source"' bash -c 'echo "{}" | "$0" translate --json --model "$1"' "$ATTEND" "$model"

# Invalid UTF-8 far into a block: the lines before it are translated.
printf 'a b\nc d\nh \xc3\x28\n' >"$work/bad"
refused 1 "bad:3: invalid UTF-8 at byte 3" "$ATTEND" translate --model "$model" --input "$work/bad"
equal "lines before it" "$(paste -sd/ "$work/stdout")" "b a/d c"

# Pieces, and words made from pieces.
head -n 200 "$demo/train.en" >"$work/tiny.en"
head -n 200 "$demo/train.hi" >"$work/tiny.hi"
for tokenizer in char sentencepiece; do
    "$ATTEND" train --train-src "$work/tiny.hi" --train-tgt "$work/tiny.en" --model "$work/$tokenizer" --emb 8 --hidden 12 \
        --tokenizer "$tokenizer" --vocab-size 150 --max-updates 20 --threads 1 2>"$work/log" || fail "$(cat "$work/log")"
    out() { "$ATTEND" translate --model "$work/$tokenizer" --max-length 1 "$@" <"$work/tiny.hi" 2>/dev/null; }
    out >"$work/text"
    out --pieces >"$work/pieces"
    sed 's/ //g; s/▁/ /g; s/^ *//; s/ *$//' "$work/pieces" | cmp - <(sed 's/^ *//; s/ *$//' "$work/text") ||
        fail "$tokenizer: the pieces do not spell the text"
    out --alignment soft --words >"$work/words"
    equal "$tokenizer: words of the source" "$(awk -F' \\|\\|\\| ' 'NF == 5 { print $4 }' "$work/words" | paste -sd/)" \
        "$(paste -sd/ "$work/tiny.hi")"
    awk -F' \\|\\|\\| ' 'NF == 5 { split($5, n, " "); next } $0 == "" { next }
        { count = split($0, w, " "); sum = 0; for (i = 1; i <= count; i++) sum += w[i]
          if (count != n[1] || sum < 0.9999 || sum > 1.0001) exit 1 }' "$work/words" || fail "$tokenizer: rows of words"
done
refused 2 "exclude each other" "$ATTEND" translate --model "$model" --words --pieces

# Lexicons.
printf 'a b c\tfrom the lexicon\nx\ty\n' >"$work/lexicon"
equal "the lexicon first" "$(translate --lexicon "$work/lexicon" --lexicon-first <"$work/in" | paste -sd/)" "from the lexicon//e f g h"
equal "unknown words asked for" "$(translate --unk-replace --lexicon "$work/lexicon" <"$work/in" | sed -n 3p)" "e f g h"
awk 'BEGIN { print "x"; for (i = 0; i < 1100000; i++) printf "a "; print "" }' >"$work/huge"
refused 1 "huge:2: has more than 1048576 pieces" "$ATTEND" translate --model "$model" --input "$work/huge" \
    --lexicon "$work/lexicon" --lexicon-first
printf 'x\ty\nno tab\n' >"$work/lexicon"
refused 1 "lexicon:2: has no tab" "$ATTEND" translate --model "$model" --lexicon "$work/lexicon" --lexicon-first
refused 2 "lexicon-first needs --lexicon" "$ATTEND" translate --model "$model" --lexicon-first
refused 2 "lexicon needs --unk-replace or --lexicon-first" "$ATTEND" translate --model "$model" --lexicon x

# Compressed text, byte by byte: "a b" by gzip.
printf '\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x4b\x54\x48\xe2\x02\x00\xa1\xe9\x8d\x2d\x04\x00\x00\x00' >"$work/in.gz"
equal "gzip" "$(translate --input "$work/in.gz")" "b a"
equal "gzip from a pipe" "$(translate <"$work/in.gz")" "b a"

# Many lines keep their order and need little memory; if the reader goes away, the program ends quietly.
awk 'BEGIN { split("a b c d e f g h", l, " "); for (i = 0; i < 5000; i++) print l[1 + i % 8], l[1 + int(i / 8) % 8] }' >"$work/many"
translate --beam 1 <"$work/many" >"$work/out"
awk '{ print $2, $1 }' "$work/many" | cmp - "$work/out" || fail "5000 lines are not in order"
status=0
translate --beam 1 <"$work/many" | head -n 1 >"$work/one" || status=${PIPESTATUS[0]}
equal "a closed pipe" "$(cat "$work/one")" "$(head -n 1 "$work/out")"
equal "exit code of a closed pipe" "$status" 1
equal "words about a closed pipe" "$(cat "$work/stderr")" ""
