#!/usr/bin/env bash
# Explaining: steps, measures of importance, the summary over a file, and given attention.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
command -v jq >/dev/null || { echo "skipped: jq is not installed"; exit 77; }

# Each letter becomes the next one, word for word, so a step says what it attends to.
awk 'BEGIN { seed = 7; letters = "abcdefgh"
    for (line = 0; line < 1500; line++) {
        source = target = ""; n = 2 + int(seed / 65536) % 4
        for (i = 0; i < n; i++) {
            seed = (seed * 1103515245 + 12345) % 2147483648; k = int(seed / 65536) % 8
            source = source (i ? " " : "") substr(letters, 1 + k, 1)
            target = target (i ? " " : "") toupper(substr(letters, 1 + (k + 1) % 8, 1))
        }
        print source "\t" target
    } }' >"$work/pairs"
cut -f1 "$work/pairs" >"$work/src"
cut -f2 "$work/pairs" >"$work/tgt"
model=$work/model
"$ATTEND" train --train-src "$work/src" --train-tgt "$work/tgt" --model "$model" --tokenizer spaces --emb 16 --hidden 32 \
    --dropout 0 --label-smoothing 0 --lr 0.01 --batch-tokens 250 --max-epochs 8 --threads 1 2>"$work/log" || fail "$(cat "$work/log")"
explain() { "$ATTEND" explain --model "$model" "$@"; }
equal "what the model says" "$(echo "a d f" | "$ATTEND" translate --model "$model")" "B E G"

# ---- Steps
explain --steps "a d f" >"$work/steps"
grep -q '^step 2, after B: |s| = ' "$work/steps" || fail "no head of step 2: $(cat "$work/steps")"
equal "steps" "$(grep -c '^step ' "$work/steps")" 4
equal "what it says" "$(sed -n 's/^  says \([^,]*\),.*/\1/p' "$work/steps" | tr '\n' ' ')" "B E G </s> "
equal "likeliest words" "$(explain --steps --top 2 "a" | sed -n 's/.*likeliest: //p' | head -n 1 | tr -cd , | wc -c)" 1
head -n 100 "$work/src" >"$work/few.src"
head -n 100 "$work/tgt" >"$work/few.tgt"
"$ATTEND" train --train-src "$work/few.src" --train-tgt "$work/few.tgt" --model "$work/heads" --tokenizer spaces --emb 8 --hidden 12 \
    --attention dot --heads 2 --max-updates 3 --threads 1 2>/dev/null
"$ATTEND" explain --model "$work/heads" --max-length 1 --steps "a d f" >"$work/steps"
grep -qE '^  source +e1 +a1 +e2 +a2  mean of a$' "$work/steps" || fail "heads are not told apart"
explain --steps --verbose "a" | matches '^  q = \[' || fail "no query with --verbose"
explain --steps --json "a d f" "B E H" | jq -e '
    .target == ["B", "E", "H", "</s>"] and (.steps | length) == 4 and
    all(.steps[]; (.scores[0] | length) == 4 and ((.weights[0] | add) - 1 | fabs) < 1e-5 and (.likeliest | length) == 5) and
    (([.steps[].probability | log] | add) - .log_probability | fabs) < 1e-4' >/dev/null || fail "the JSON of steps"

# ---- What if
explain --attend "2:3=1" "a d f" >"$work/what"
equal "what it was told" "$(head -n 1 "$work/what")" "step 2 looks at f with weight 1"
grep -q '^before: B E G$' "$work/what" || fail "$(cat "$work/what")"
grep -q '^after:  B G' "$work/what" || fail "looking at f, step 2 must say G: $(cat "$work/what")"
for beam in 1 5; do
    explain --beam $beam --attend "2:3=0.9,2:1=0.1" --json "a d f" | jq -e '
        (.after.text | startswith("B G")) and .change < -1 and (.after.attention[1][2] - 0.9 | fabs) < 1e-6 and
        (.after.attention[1][0] - 0.1 | fabs) < 1e-6 and (.after.attention[1] | add - 1 | fabs) < 1e-5' >/dev/null ||
        fail "beam $beam: $(explain --beam $beam --attend "2:3=0.9,2:1=0.1" "a d f")"
done
explain --attend "2:2=0" "a d f" "B E G" | matches '^before: B E G$' || fail "a given translation"
explain --steps --attend "1:4=1" "a d f" >"$work/steps"
grep -q 'told where to look' "$work/steps" || fail "steps that are told"

# ---- What mattered
explain "a d f" >"$work/text"
for name in attention leave-one-out gradient "integrated gradients" random; do
    grep -q "^ *$name" "$work/text" || fail "no $name: $(cat "$work/text")"
done
explain --json "a d f" | jq -e '
    def top: . as $r | index($r | max);
    [.leave_one_out[][:3] | top][:3] == [0, 1, 2] and [.attention[][:3] | top][:3] == [0, 1, 2] and
    .leave_one_out[0][3] == null and .incompleteness < 0.1 and (.kendall.gradient.words | length) == 4 and
    (.deletion.random.log_probability_per_token | length) == 4 and
    .deletion.leave_one_out.area <= .deletion.random.area' >/dev/null || fail "the JSON: $(explain --json "a d f")"
[ "$(explain --mask --json "a d f" | jq -c .leave_one_out)" != "$(explain --json "a d f" | jq -c .leave_one_out)" ] ||
    fail "--mask changes nothing"
explain --curves "a d f" >"$work/curves" # a grep -q that ends early would end the program in an error
grep -q 'source words removed' "$work/curves" || fail "no curves"
explain --output "$work/x.svg" --title 'a < b' "a d f"
grep -q '<svg' "$work/x.svg" || fail "no SVG"
explain --curves --output "$work/y.svg" "a d f"
grep -q 'leave-one-out' "$work/y.svg" || fail "no curves as SVG"
explain --output "$work/x.html" "a d f"
grep -qi '<!doctype html>' "$work/x.html" || fail "no page"

# ---- Over a file
explain --src "$work/src" --tgt "$work/tgt" --limit 20 >"$work/file"
grep -q '^20 pairs, ' "$work/file" || fail "$(cat "$work/file")"
explain --src "$work/src" --tgt "$work/tgt" --limit 20 --json >"$work/one"
explain --src "$work/src" --tgt "$work/tgt" --limit 20 --json --threads 2 | cmp - "$work/one" || fail "threads change the summary"
jq -e '.agreement.mean > 0.6 and .agreement.low <= .agreement.mean and .agreement.mean <= .agreement.high and
    .kendall.leave_one_out.mean > 0 and .deletion_area.leave_one_out.mean < .deletion_area.random.mean' "$work/one" >/dev/null ||
    fail "the summary: $(cat "$work/one")"

jq -e '.deletion_curve | length == 5 and all(.[]; length == 11 and .[0] > .[10])' "$work/one" >/dev/null || fail "no mean curves"
explain --src "$work/src" --tgt "$work/tgt" --limit 20 --curves >"$work/curves"
grep -q 'removed, percent' "$work/curves" || fail "no curves of a file"
explain --src "$work/src" --tgt "$work/tgt" --limit 20 --output "$work/z.svg" --title All
grep -q 'removed, percent' "$work/z.svg" || fail "no picture of a file"

# ---- int8 has no gradients, and `none` has no attention
"$ATTEND" convert --int8 --model "$model" --output "$work/int8"
"$ATTEND" explain --model "$work/int8" --json "a d f" 2>"$work/stderr" |
    jq -e '.gradient == null and .leave_one_out[0][0] > 1 and .attention != null' >/dev/null || fail "int8"
grep -q 'no gradients, because the model' "$work/stderr" || fail "int8 does not say what is missing"
"$ATTEND" train --train-src "$work/src" --train-tgt "$work/tgt" --model "$work/none" --tokenizer spaces --emb 8 --hidden 12 \
    --max-updates 3 --threads 1 --attention none 2>/dev/null
"$ATTEND" explain --model "$work/none" --max-length 1 --json "a d f" |
    jq -e '.attention == null and .gradient != null and .kendall == {}' >/dev/null || fail "none"
"$ATTEND" explain --model "$work/none" --max-length 1 --steps --json "a d f" | jq -e '.steps[0].weights == null' >/dev/null ||
    fail "steps of none"
refused 2 "trained with --attention none" "$ATTEND" explain --model "$work/none" --attend 1:1=1 "a"

# ---- Usage errors
refused 2 "give a sentence" "$ATTEND" explain --model "$model"
refused 2 "give a sentence" "$ATTEND" explain --model "$model" "  "
refused 2 "\-\-model is needed" "$ATTEND" explain "a"
refused 2 "\-\-src and --tgt go together" "$ATTEND" explain --model "$model" --src "$work/src"
refused 2 "do not go with a sentence" "$ATTEND" explain --model "$model" --src "$work/src" --tgt "$work/tgt" "a"
refused 2 "do not go with --curves" "$ATTEND" explain --model "$model" --steps --curves "a"
refused 2 "ends in .svg" "$ATTEND" explain --model "$model" --output "$work/x.bmp" "a"
refused 2 "ends in .svg, .png or .pdf" "$ATTEND" explain --model "$model" --src "$work/src" --tgt "$work/tgt" --output "$work/x.html"
refused 2 "ends in .svg, .png or .pdf" "$ATTEND" explain --model "$model" --curves --output "$work/x.html" "a"
for text in "" "1" "1:2" "1:2=" "1:2=x" "-1:0=1" "1:2=1," "1:2=1;" "1 :2=1" "1:2=nan"; do
    refused 2 "is not T:J=W" "$ATTEND" explain --model "$model" --attend "$text" "a d f"
done
for text in "0:1=1" "1:0=1" "1:1=0.5,0:2=0.5"; do
    refused 2 "'$text' has a 0: steps and source tokens count from 1" "$ATTEND" explain --model "$model" --attend "$text" "a d f"
done
refused 2 "no source token 5 \(counted from 1\); the sentence has 4" "$ATTEND" explain --model "$model" --attend 1:5=1 "a d f"
refused 2 "no step 99 \(counted from 1\); the translation has " "$ATTEND" explain --model "$model" --attend 99:1=1 "a d f"
refused 2 "a weight must be from 0 to 1, not 1.5" "$ATTEND" explain --model "$model" --attend 1:1=1.5 "a d f"
refused 2 "sum to 1.2, more than 1" "$ATTEND" explain --model "$model" --attend 1:1=0.6,1:2=0.6 "a d f"
refused 2 "step 1 has two weights for source token 1" "$ATTEND" explain --model "$model" --attend 1:1=0.5,1:1=0.5 "a d f"
refused 2 "no source token is left" "$ATTEND" explain --model "$model" --attend 1:1=0.5,1:2=0.2 "a"
refused 1 "explain: the sentence: invalid UTF-8 at byte 3; convert it to UTF-8$" "$ATTEND" explain --model "$model" $'a \xff'
refused 1 "explain: the translation: invalid UTF-8 at byte 1; convert it to UTF-8$" "$ATTEND" explain --model "$model" --steps "a" $'\xff'
refused 1 "plot: the sentence: invalid UTF-8 at byte 3; convert it to UTF-8$" "$ATTEND" plot --model "$model" $'a \xff'
refused 1 "plot: the translation: invalid UTF-8 at byte 1; convert it to UTF-8$" "$ATTEND" plot --model "$model" "a" $'\xff'
refused 2 "\-\-json prints and --output draws" "$ATTEND" explain --model "$model" --json --output "$work/x.svg" "a"
for command in explain trouble; do
    refused 2 "\-\-nbest has no effect in attend $command" "$ATTEND" $command --model "$model" --nbest 2 --src "$work/src"
    if "$ATTEND" $command --help-all | matches nbest; then fail "$command --help shows what it refuses"; fi
done
head -n 3 "$work/tgt" >"$work/short"
refused 1 "they must pair line for line" "$ATTEND" explain --model "$model" --src "$work/src" --tgt "$work/short"
: >"$work/empty"
refused 1 "has no lines" "$ATTEND" explain --model "$model" --src "$work/empty" --tgt "$work/empty"
refused 1 "none.txt: cannot be opened" "$ATTEND" explain --model "$model" --src "$work/none.txt" --tgt "$work/empty"
