#!/usr/bin/env bash
# Metrics: scores agree with those of sacreBLEU; several references, answers, significance.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

# ---- Output formats ----
printf 'the cat sat on mat\na b c d e\n' >"$work/hyp"
printf 'the cat sat on the mat\na b c d e\n' >"$work/ref"
version=$("$ATTEND" --version | cut -d' ' -f2)
# n-grams: 10/10, 7/8, 5/6 and 3/4 match; 10 words against 11.
equal "several metrics" "$("$ATTEND" eval --hyp "$work/hyp" --ref "$work/ref" --metric bleu,wer)" \
    "BLEU                       77.81   nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:attend-$version
word edits (WER of speech)  9.09%  nrefs:1|case:mixed|tok:none|version:attend-$version"
equal "one metric" "$("$ATTEND" eval --ref "$work/ref" --hyp "$work/ref" --metric ter)" \
    "TER 0.00  nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:attend-$version"
equal "JSON" "$("$ATTEND" eval --hyp "$work/hyp" --ref "$work/ref" --metric accuracy --json)" \
    "{\"metrics\":{\"accuracy\":{\"score\":50,\"signature\":\"nrefs:1|case:mixed|version:attend-$version\"}}}"
"$ATTEND" eval --hyp "$work/hyp" --ref "$work/ref" --ref "$work/hyp" --metric bleu >"$work/two"
grep -q '^BLEU 100.00  nrefs:2|' "$work/two" || fail "a second reference does not count: $(cat "$work/two")"
equal "lower case and other words" "$(printf 'A B C D.\n' | "$ATTEND" eval --ref <(printf 'a b c d.\n') \
    --metric bleu --tokenize none --lowercase --smooth floor)" \
    "BLEU 100.00  nrefs:1|case:lc|eff:no|tok:none|smooth:floor[0.10]|version:attend-$version"

# One line with 17 words and 15 bigrams on both sides together: 6 words, 2 bigrams and 5 words in order are common. One correct line.
printf 'The quick brown dog jumps on the log.\nM\u00fcller \u2013 yes!\n' >"$work/short"
printf 'The quick brown fox jumps over the lazy dog\nm\u00fcller, yes\n' >"$work/long"
signed="nrefs:1|case:lc|tok:letters+digits|stem:no|refs:best|avg:lines|version:attend-$version"
equal "summaries" "$("$ATTEND" eval --hyp "$work/short" --ref "$work/long" --metric rouge1,rouge2,rougel)" \
    "ROUGE-1 85.29  $signed
ROUGE-2 63.33  $signed
ROUGE-L 79.41  $signed"
"$ATTEND" eval --hyp "$work/short" --ref "$work/long" --metric rougel --confidence --compare "$work/long" >"$work/compared"
grep -qE '^ROUGE-L +79.41  95% of resamples +58.82 to 100.00  other 100.00  difference +-20.59  p = ' "$work/compared" ||
    fail "$(cat "$work/compared")"

# ---- Confidence and comparison ----
seq 1 100 >"$work/right"
sed '1~10s/^/x/' "$work/right" >"$work/good"
sed '1~2s/^/x/' "$work/right" >"$work/poor"
compare=("$ATTEND" eval --hyp "$work/good" --ref "$work/right" --compare "$work/poor" --metric "accuracy,wer")
"${compare[@]}" --confidence >"$work/compared"
grep -qE '^accuracy                   90.00%  95% of resamples 8[0-9]\.00 to 9[0-9]\.00  other 50.00%  difference \+40.00  p < 0.0010  ' \
    "$work/compared" || fail "$(cat "$work/compared")"
grep -qE '^word edits \(WER of speech\) 10.00% .* difference -40.00  p < 0.0010  nrefs:1\|bs:1000\|seed:12345\|' "$work/compared" ||
    fail "$(cat "$work/compared")"
equal "the same again" "$("${compare[@]}" --confidence)" "$(cat "$work/compared")"
equal "no difference" "$("$ATTEND" eval --hyp "$work/good" --ref "$work/right" --compare "$work/good" |
    grep -o 'p = [^ ]*')" "p = 1.0000"

# ---- Answers ----
printf 'one\ta b\tc\ntwo\td\ntwo\te\n' >"$work/answers"
equal "answers" "$(printf 'c\ne\n' | "$ATTEND" eval --answers "$work/answers" | cut -d'|' -f1)" "accuracy 100.00%  nrefs:2"
equal "answers: the nearest" "$(printf 'a x\nd\n' | "$ATTEND" eval --answers "$work/answers" --metric ser | cut -d' ' -f2)" 33.33%

# ---- Usage errors and bad files ----
refused 2 "there is no metric 'blue'; known are bleu, chrf, chrf\+\+, ter, accuracy, line-error, wer, ser, rouge1, rouge2, rougel" \
    "$ATTEND" eval --ref "$work/ref" --metric bleu,blue
refused 2 "one of 13a, intl, char, none, not '14a'" "$ATTEND" eval --ref "$work/ref" --tokenize 14a
refused 2 "either --ref or --answers" "$ATTEND" eval --ref "$work/ref" --answers "$work/answers"
refused 1 "$work/hyp has 2 lines and $work/right has 100: they must pair line for line" \
    "$ATTEND" eval --hyp "$work/hyp" --ref "$work/right"
refused 1 "$work/good has 100 lines and $work/answers answers 2 items" \
    "$ATTEND" eval --hyp "$work/good" --answers "$work/answers"
refused 1 "$work/hyp:1: no tab; write item<TAB>answer" "$ATTEND" eval --hyp "$work/ref" --answers "$work/hyp"
refused 1 "standard input is empty" "$ATTEND" eval --ref "$work/ref"
printf 'a\nb\xff\n' >"$work/broken"
refused 1 "$work/broken:2: invalid UTF-8 at byte 2" "$ATTEND" eval --hyp "$work/broken" --ref "$work/ref"
refused 1 "$work/broken:2: invalid UTF-8 at byte 2" "$ATTEND" eval --hyp "$work/hyp" --ref "$work/broken"

# ---- Real systems ----
if [ -z "${ATTEND_DATA:-}" ]; then
    echo "SKIPPED: ATTEND_DATA is not set: scores of real systems are not checked"
    exit 0
fi
data=$ATTEND_DATA/wmt17-metrics

# check NAME SYSTEM SCORE: equal within half a unit of the last digit of SCORE.
check() {
    local flags scale=1
    case $1 in
    MTEVAL) flags=(--metric bleu) ;;
    MTEVAL14) flags=(--metric bleu --tokenize intl) ;;
    CHRF) flags=(--metric chrf) ;;
    CHRFPP) flags=(--metric "chrf++" --every-order) ;; # the table has the authors' own averaging
    TER) flags=(--metric ter) scale=100 ;;
    *) fail "expected.tsv has an unknown metric: $1" ;;
    esac
    "$ATTEND" eval --hyp "$data/$2.txt" --ref "$data/ref0.de.txt" --json "${flags[@]}" >"$work/json"
    sed 's/.*"score":\([^,]*\),.*/\1/' "$work/json" | awk -v want="$3" -v scale="$scale" '{
        digits = index(want, ".") ? length(want) - index(want, ".") : 0
        if (digits < 2) digits = 2      # 26.6 stands for 26.60
        d = $1 / scale - want; if (d < 0) d = -d
        if (d > 0.5 / 10 ^ digits + 1e-9) exit 1 }' || fail "$1 of $2 is $(cat "$work/json"), not $3"
}
checked=0
while IFS=$'\t' read -r metric system score; do
    [ "$metric" = metric ] && continue
    check "$metric" "$system" "$score"
    checked=$((checked + 1))
done <"$data/expected.tsv"
[ "$checked" -ge 17 ] || fail "only $checked scores were checked"

# Every first answer is accepted; so is the last one of a word that has several.
dict=$ATTEND_DATA/cmudict/g014b2b.ref
for last in 0 1; do
    equal "CMUdict, last answer: $last" "$(awk -F'\t' -v last="$last" '{ print last ? $NF : $2 }' "$dict" | "$ATTEND" eval --answers "$dict" --metric accuracy,ser |
        awk '{ print $2 }' | xargs)" "100.00% 0.00%"
done
# If only the last answer is accepted, the first is wrong wherever the two differ.
equal "CMUdict, one answer" "$(cut -f2 "$dict" | "$ATTEND" eval --ref <(awk -F'\t' '{ print $NF }' "$dict") | cut -d' ' -f2)" \
    "$(awk -F'\t' '$2 == $NF { n++ } END { printf "%.2f%%", 100 * n / NR }' "$dict")"
