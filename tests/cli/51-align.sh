#!/usr/bin/env bash
# Alignments from one and two models and from existing links, and what is refused.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
align() { "$ATTEND" align "$@"; }
turn() { awk '{ for (i = 1; i <= NF; i++) { split($i, p, "-"); $i = p[2] "-" p[1] } print }'; }
sorted() { awk '{ for (i = 1; i <= NF; i++) print NR, $i }' | sort; }

# ---- Existing links ----
printf '2-0 0-0\n\n1-1 0-0 1-1\n' >"$work/f"
printf '0-0\n\n1-0 0-1 1-1\n' >"$work/r"
printf '1-1\n\n1-1 2p2 2-1\n' >"$work/gold"
equal "one direction" "$(align --links "$work/f")" $'0-0 2-0\n\n0-0 1-1'
equal "the other direction" "$(align --reverse-links "$work/r")" $'0-0\n\n1-0 0-1 1-1'
equal "intersection" "$(align --links "$work/f" --reverse-links "$work/r" --symmetrize intersection)" $'0-0\n\n1-1'
equal "the default" "$(align --links "$work/f" --reverse-links "$work/r")" \
    "$(align --links "$work/f" --reverse-links "$work/r" --symmetrize grow-diag-final-and)"
# Four links: three are possible, and two of these are sure. The gold has three sure links.
equal "judged" "$(align --links "$work/f" --gold "$work/gold" --gold-base 1)" \
    "AER 28.57%  precision 75.00%  recall 66.67%  (4 links)"
equal "judged from a pipe, with text" "$(align --links - --gold "$work/gold" --gold-base 1 <"$work/f" \
    --src <(printf 'a b c\n\na b\n') --tgt <(printf 'x\n\nx y\n'))" "AER 28.57%  precision 75.00%  recall 66.67%  (4 links)"
gzip -k "$work/f"
equal "compressed" "$(align --links "$work/f.gz")" "$(align --links "$work/f")"

# ---- Models: two models together give the same links as their separate links merged ----
tiny_model "$work/model"
forth=(--train-src "$work/tiny.hi" --train-tgt "$work/tiny.en" --emb 8 --hidden 12 --max-updates 3 --threads 1)
back=(--train-src "$work/tiny.en" --train-tgt "$work/tiny.hi" --emb 8 --hidden 12 --max-updates 3 --threads 1)
"$ATTEND" train "${back[@]}" --tokenizer spaces --model "$work/back" 2>"$work/log" || fail "$(cat "$work/log")"
head -n 1100 "$demo/train.hi" | sed '7s/.*//' >"$work/src" # more than two blocks, and an empty line
head -n 1100 "$demo/train.en" >"$work/tgt"
pairs=(--src "$work/src" --tgt "$work/tgt")
align --model "$work/model" "${pairs[@]}" >"$work/forward"
align --model "$work/back" --src "$work/tgt" --tgt "$work/src" >"$work/backward"
equal "lines" "$(wc -l <"$work/forward")" 1100
equal "order" "$(sed -n 1100p "$work/forward")" \
    "$(align --model "$work/model" --src <(sed -n 1100p "$work/src") --tgt <(sed -n 1100p "$work/tgt"))"
equal "a reverse model alone" "$(align --reverse-model "$work/back" "${pairs[@]}" | sorted)" "$(turn <"$work/backward" | sorted)"
names=$(choices symmetrize align)
[ "$(wc -w <<<"$names")" -ge 6 ] || fail "only these: $names"
for name in $names; do
    align --model "$work/model" --reverse-model "$work/back" --symmetrize "$name" "${pairs[@]}" >"$work/models"
    align --links "$work/forward" --reverse-links "$work/backward" --symmetrize "$name" "${pairs[@]}" >"$work/links"
    cmp "$work/models" "$work/links" || fail "$name of models is not $name of their links"
    grep -q "^| \`$name\` |" "$ATTEND_SOURCE/docs/metrics.md" || fail "docs/metrics.md does not define $name"
done
equal "two models against themselves" "$(align --model "$work/model" --reverse-model "$work/back" "${pairs[@]}" \
    --gold <(align --links "$work/forward" --reverse-links "$work/backward") | cut -d' ' -f1-5)" "AER 0.00%  precision 100.00%"

# ---- Usage errors ----
refused 2 "\-\-model is needed, or --links" "$ATTEND" align
refused 2 "a model needs --src and --tgt" "$ATTEND" align --model x --src "$work/src"
refused 2 "models and existing links do not go together" "$ATTEND" align --reverse-model x --links "$work/f" "${pairs[@]}"
refused 2 "\-\-src and --tgt are needed together" "$ATTEND" align --links "$work/f" --tgt "$work/tgt"
refused 2 "\-\-symmetrize needs both directions" "$ATTEND" align --links "$work/f" --symmetrize union
refused 2 "\-\-symmetrize needs both directions" "$ATTEND" align --model x --symmetrize union "${pairs[@]}"
refused 2 "\-\-gold-base needs --gold" "$ATTEND" align --links "$work/f" --gold-base 1
refused 2 "one of intersection, union, .*, not 'grow'" "$ATTEND" align --links x --reverse-links y --symmetrize grow
refused 2 "from 0 to 1" "$ATTEND" align --links x --gold y --gold-base 2
refused 2 "only one of the files can be standard input" "$ATTEND" align --links - --gold -

# ---- Bad files ----
refused 1 "$work/none: cannot be opened" "$ATTEND" align --links "$work/none"
refused 1 "$work/none" "$ATTEND" align --model "$work/none" "${pairs[@]}"
printf '0-0\n\n' >"$work/short"
refused 1 "$work/f has 3 lines and $work/short has 2: they must pair line for line" \
    "$ATTEND" align --links "$work/f" --reverse-links "$work/short"
refused 1 "$work/short has 2 lines and $work/gold has 3: they must" "$ATTEND" align --links "$work/short" --gold "$work/gold"
refused 1 "$work/src has 1100 lines and $work/gold has 3: they must" \
    "$ATTEND" align --model "$work/model" "${pairs[@]}" --gold "$work/gold"
printf '0-0\n0:1\n\n' >"$work/broken"
refused 1 "$work/broken:2: '0:1' is not a link; write 3-4" "$ATTEND" align --links "$work/broken"
refused 1 "$work/broken:2: '0:1' is not a link" "$ATTEND" align --links "$work/f" --reverse-links "$work/broken"
refused 1 "$work/broken:2: '0:1' is not a link" "$ATTEND" align --links "$work/f" --gold "$work/broken"
refused 1 "$work/r:1: '0-0' counts from 0, but" "$ATTEND" align --links "$work/f" --gold "$work/r" --gold-base 1
refused 1 "$work/gold:3: '2p2' is beyond the pair, which has 2 source and 1 target words" "$ATTEND" align \
    --links <(printf '0-0\n\n0-0\n') --gold "$work/gold" --gold-base 1 --src <(printf 'a b\n\na b\n') --tgt <(printf 'x y\n\nx\n')
printf 'a b\n' >"$work/two"
printf 'x y z\n' >"$work/three"
refused 1 "'2-0' is beyond the pair, which has 2 source and 3 target words" \
    "$ATTEND" align --links <(printf '2-0\n') --src "$work/two" --tgt "$work/three"
refused 1 "'0-2' is beyond the pair" "$ATTEND" align --reverse-links <(printf '2-1 0-2\n') --src "$work/two" --tgt "$work/three"
refused 1 ":1: '3p3' is beyond the pair, which has 2 source" "$ATTEND" align --model "$work/model" --src "$work/two" --tgt "$work/three" \
    --gold <(printf '1-1 3p3\n') --gold-base 1
printf 'a\n\xff\n' >"$work/bytes"
long() { awk 'NR == 600 { while (i++ < 1100000) printf "a "; print ""; next } { print }' "$1"; }
long "$work/src" >"$work/long"
refused 1 "$work/long:600: has more than [0-9]+ pieces; shorten the line" "$ATTEND" align --model "$work/model" --src "$work/long" --tgt "$work/tgt"
refused 1 "$work/long:600: has more than" "$ATTEND" align --reverse-model "$work/back" --src "$work/long" --tgt "$work/tgt"
refused 1 "$work/bytes:2: invalid UTF-8" "$ATTEND" align --model "$work/model" --src "$work/bytes" --tgt "$work/bytes"
: >"$work/empty"
refused 1 "$work/empty: is empty" "$ATTEND" align --links "$work/empty" --gold "$work/empty"

# ---- Models whose links cannot be merged, and models without attention ----
"$ATTEND" train "${back[@]}" --tokenizer char --model "$work/letters" 2>"$work/log" || fail "$(cat "$work/log")"
refused 1 "$work/src:1: is [0-9]+ tokens for --model and [0-9]+ for --reverse-model; both models must split text in the same way" \
    "$ATTEND" align --model "$work/model" --reverse-model "$work/letters" "${pairs[@]}"
"$ATTEND" train "${forth[@]}" --attention none --model "$work/blind" 2>"$work/log" || fail "$(cat "$work/log")"
refused 1 "$work/blind: the model was trained with --attention none" \
    "$ATTEND" align --model "$work/model" --reverse-model "$work/blind" "${pairs[@]}"
if [ -w /dev/full ]; then
    status=0
    align --links "$work/forward" >/dev/full 2>"$work/stderr" || status=$?
    equal "a full disk" "$status $(grep -c 'the output cannot be written' "$work/stderr")" "1 1"
fi

# Words instead of pieces: every link is within the words of its pair.
head -n 300 "$demo/train.hi" >"$work/w.hi"
head -n 300 "$demo/train.en" >"$work/w.en"
"$ATTEND" train --train-src "$work/w.hi" --train-tgt "$work/w.en" --tokenizer sentencepiece --vocab-size 120 --emb 8 --hidden 8 \
    --max-updates 2 --threads 1 --model "$work/pieces" 2>/dev/null
"$ATTEND" align --model "$work/pieces" --src "$work/w.hi" --tgt "$work/w.en" --words >"$work/folded"
paste -d '\t' "$work/w.hi" "$work/w.en" "$work/folded" | awk -F '\t' '{
    s = split($1, w, " "); t = split($2, w, " "); n = split($3, link, " ")
    for (i = 1; i <= n; i++) { split(link[i], at, "-"); if (at[1] >= s || at[2] >= t) exit 1; links++ } }
    END { exit links < 300 }' || fail "links between words leave the sentence"
if "$ATTEND" align --model "$work/pieces" --src "$work/w.hi" --tgt "$work/w.en" | cmp -s - "$work/folded"; then
    fail "--words changed nothing"
fi
