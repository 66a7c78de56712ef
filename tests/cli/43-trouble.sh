#!/usr/bin/env bash
# attend trouble: omissions and repetitions are at the top of the report and are named; with a model and without.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
trouble() { "$ATTEND" trouble "$@"; }

# ---- Matrices made by hand: seven good sentences, one with an omission, one with a repetition ----
# matrix TARGET COLUMN...: a row for each target word, with nine tenths of its weight on its column.
matrix() {
    local words=$1 rows="" column row j
    shift
    for column; do
        row=""
        for j in 0 1 2 3; do row+=",$([ "$j" = "$column" ] && echo 0.9 || echo 0.0333)"; done
        rows+=",[${row#,}]"
    done
    echo "{\"source\":[\"ek\",\"bada\",\"ghar\",\"</s>\"],\"target\":[$words],\"attention\":[${rows#,}]}"
}
{
    for _ in 1 2 3 4; do matrix '"a","big","house","</s>"' 0 1 2 3; done
    matrix '"a","house","</s>"' 0 2 3
    for _ in 6 7; do matrix '"a","big","house","</s>"' 0 1 2 3; done
    matrix '"a","big","a","big","house","</s>"' 0 1 0 1 2 3
    matrix '"a","big","house","</s>"' 0 1 2 3
} >"$work/m.json"
trouble --matrix "$work/m.json" --json >"$work/json"
equal "order" "$(sed 's/{"line":\([0-9]*\).*/\1/' "$work/json" | tr '\n' ' ')" "8 5 1 2 3 4 6 7 9 "
grep -q '^{"line":5,.*"missed":\[{"place":1,"word":"bada","coverage":0.0666' "$work/json" || fail "the omission is not named"
grep -q '^{"line":8,.*"repeated":\[{"first":0,"again":2,"words":\["a","big"\],"weight":1}\]' "$work/json" ||
    fail "the repetition is not named"
equal "--limit" "$(trouble --matrix "$work/m.json" --json --limit 2 | wc -l)" 2
equal "all" "$(trouble --matrix "$work/m.json" --json --limit 0 | wc -l)" 9
trouble --matrix - --limit 2 <"$work/m.json" >"$work/table"
for text in "left out: bada (0.07)" "said again: a big (1.00)" "source: ek bada ghar" "target: a house"; do
    grep -qF "$text" "$work/table" || fail "'$text' is not in the table"
done
if grep -qF "too often" "$work/table"; then fail "a word is crowded though its share is above"; fi
trouble --matrix "$work/m.json" --limit 1 --crowded 1 | matches -F "too often: ek (1.9" || fail "--crowded does nothing"
if trouble --matrix "$work/m.json" --missed 0 | grep "left out"; then fail "--missed does nothing"; fi

# ---- A model, pieces and words ----
model=$work/model.safetensors
tiny_model "$model"
head -n 5 "$demo/test.hi" >"$work/five.hi"
head -n 5 "$demo/test.en" >"$work/five.en"
trouble --model "$model" --threads 1 --src "$work/five.hi" --tgt "$work/five.en" --json >"$work/forced"
equal "lines" "$(wc -l <"$work/forced")" 5
"$ATTEND" score --model "$model" --threads 1 --src "$work/five.hi" --tgt "$work/five.en" --json 2>/dev/null >"$work/scored"
trouble --matrix "$work/scored" --json >"$work/outside"
cut -d, -f1-3 "$work/forced" >"$work/a"
cut -d, -f1-3 "$work/outside" >"$work/b"
cmp -s "$work/a" "$work/b" || fail "a model's own matrices score differently from a file"
trouble --model "$model" --threads 1 --max-length 1 --src "$work/five.hi" --json >"$work/translated"
equal "translated lines" "$(wc -l <"$work/translated")" 5
"$ATTEND" train --train-src "$work/tiny.hi" --train-tgt "$work/tiny.en" --model "$work/char" --emb 8 --hidden 12 \
    --tokenizer char --max-updates 1 --threads 1 2>"$work/log" || fail "$(cat "$work/log")"
report() { trouble --model "$work/char" --threads 1 --src <(echo "mai ghar") --tgt <(echo "I am home") --json "$@"; }
report | matches '"source":\["mai","ghar"\]' || fail "words are not reported"
report --pieces | matches '"source":\["m","a","i",' || fail "pieces are not reported"

# ---- Empty and broken files, usage errors ----
: >"$work/empty"
equal "nothing" "$(trouble --matrix "$work/empty" --json)" ""
printf 'mai\n\nghar\n' >"$work/gaps"
equal "empty lines" "$(trouble --model "$model" --threads 1 --max-length 1 --src "$work/gaps" --json | sed 's/{"line":\([0-9]*\).*/\1/' | sort | tr '\n' ' ')" "1 3 "
echo '{"source":["a","b"],"target":["x"],"attention":[[2,-1]]}' >"$work/negative"
refused 1 "negative: sentence 1: the weight of source word 2 in row 1 is -1" "$ATTEND" trouble --matrix "$work/negative"
printf 'mai\n\xff\n' >"$work/broken"
refused 1 "broken:2: invalid UTF-8" "$ATTEND" trouble --model "$model" --src "$work/broken"
refused 1 "five.hi has 5 lines and .*empty has 0: they must pair line for line" "$ATTEND" trouble --model "$model" --src "$work/five.hi" --tgt "$work/empty"
refused 1 "not JSON" "$ATTEND" trouble --matrix <(echo '{"a')
refused 2 "give --src or --matrix" "$ATTEND" trouble --model "$model"
refused 2 "\-\-model is needed" "$ATTEND" trouble --src "$work/five.hi"
refused 2 "\-\-model does not go with --matrix" "$ATTEND" trouble --matrix "$work/m.json" --model "$model"
refused 2 "number from 0 to 1000, not 'x'" "$ATTEND" trouble --matrix "$work/m.json" --missed x
"$ATTEND" train --train-src "$work/tiny.hi" --train-tgt "$work/tiny.en" --model "$work/none" --emb 8 --hidden 12 \
    --max-updates 1 --threads 1 --attention none 2>/dev/null
refused 1 "trained with --attention none" "$ATTEND" trouble --model "$work/none" --src "$work/five.hi"
