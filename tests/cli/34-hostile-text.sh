#!/usr/bin/env bash
# Texts that begin or end with bytes that are not words: the output has one column per token that the model read.
# With the address sanitizer, a matrix that is too small ends the program.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
golden=$ATTEND_SOURCE/tests/data/model-v1.safetensors
bom=$'\xef\xbb\xbf' cr=$'\r'

# fits WHAT JSON SOURCE: the words are those of the source, and rows have one weight per word.
fits() {
    equal "$1: source" "$(jq -r '.source | join("|")' <<<"$2")" "$3"
    equal "$1: columns" "$(jq '(.source | length) as $n | [.attention[] | length == $n] | all' <<<"$2")" true
    equal "$1: sums" "$(jq '[.attention[] | add | . > 0.999 and . < 1.001] | all' <<<"$2")" true
}
translate() { "$ATTEND" translate --model "$golden" --alignment json; }

fits "returns" "$(printf 'a b \r\r\n' | translate)" "a|b|</s>"
fits "a mark in the second line" "$(printf 'a\n%sa b\n' "$bom" | translate | tail -n 1)" "a|b|</s>"
fits "two marks" "$(printf '%s%sa b\r\n' "$bom" "$bom" | translate)" "a|b|</s>"
fits "a mark within" "$(printf 'a %s b\n' "$bom" | translate)" "a|$bom|b|</s>"
fits "a return within" "$(printf 'a \r b\n' | translate)" "a|$cr|b|</s>"
equal "nothing but a mark" "$(printf '%s\r\n' "$bom$bom" | "$ATTEND" translate --model "$golden")" ""
equal "a mark changes nothing" "$(printf 'x\n%sa b c\n' "$bom" | "$ATTEND" translate --model "$golden" | tail -n 1)" "c b a"

# Scores, pictures and explanations accept the same text.
for source in "${bom}a b" "a b$cr" "$bom a b $cr$cr"; do
    for target in "${bom}b a" "b a$cr"; do
        "$ATTEND" plot --model "$golden" "$source" "$target" >"$work/picture" || fail "plot of ${source@Q} and ${target@Q}"
        "$ATTEND" explain --model "$golden" --json "$source" "$target" >"$work/explained" || fail "explain of ${source@Q}"
        equal "explained" "$(jq -r '.source | join("|")' "$work/explained")" "a|b|</s>"
        equal "explained" "$(jq -r '.target | join("|")' "$work/explained")" "b|a|</s>"
    done
    "$ATTEND" plot --model "$golden" "$source" >"$work/picture" || fail "plot of ${source@Q}"
    # </s> is token 3; the sentence has no token 4, whatever is around it.
    "$ATTEND" explain --model "$golden" --attend "1:3=1" "$source" >/dev/null || fail "a focus on the last word of ${source@Q}"
    refused 2 'there is no source token 4 \(counted from 1\)' "$ATTEND" explain --model "$golden" --attend "1:4=1" "$source"
    printf '%s\n' "$source" >"$work/src"
    printf '%s\n' "b a$cr$cr" >"$work/tgt"
    equal "score" "$("$ATTEND" score --model "$golden" --src "$work/src" --tgt "$work/tgt" 2>/dev/null | wc -l)" 1
    "$ATTEND" align --model "$golden" --src "$work/src" --tgt "$work/tgt" >"$work/links" || fail "align of ${source@Q}"
    equal "links" "$(cat "$work/links")" "1-0 0-1"
done
