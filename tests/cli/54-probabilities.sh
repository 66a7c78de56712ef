#!/usr/bin/env bash
# Probabilities of translations and of their words, shares of an n-best list, and a calibrated confidence.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
model=$work/model.safetensors
tiny_model "$model"
head -n 40 "$demo/test.hi" >"$work/src"
head -n 40 "$demo/test.en" >"$work/ref"
translate=("$ATTEND" translate --model "$model" --max-length 0.5)

# ---- One translation: text, probability, confidence, words ----
"${translate[@]}" <"$work/src" >"$work/plain" 2>"$work/log"
"${translate[@]}" --scores <"$work/src" >"$work/scores" 2>"$work/log"
"${translate[@]}" --probabilities <"$work/src" >"$work/out" 2>"$work/log"
equal "the same text" "$(cut -f1 "$work/out")" "$(cat "$work/plain")"
paste "$work/out" "$work/scores" | awk -F'\t' '
    function near(a, b) { return (a - b) ^ 2 <= (0.01 * b) ^ 2 }
    {
        whole = $2; all = exp($7); words = split($4, word, " "); product = 1
        for (i = 1; i <= words; i++) { sub(/.*=/, "", word[i]); product *= word[i] }
        if (!near(whole, all)) { print "line " NR ": " whole " is not " all; exit 1 }
        if (!near(whole, product)) { print "line " NR ": " whole " is not the product " product; exit 1 }
        if ($3 != whole) { print "line " NR ": not calibrated, but the confidence is " $3; exit 1 }
    }' >"$work/wrong" || fail "$(cat "$work/wrong")"

# ---- N-best lists: shares sum to 1, and --mass cuts them ----
"${translate[@]}" --nbest 4 --beam 5 --probabilities <"$work/src" >"$work/nbest" 2>"$work/log"
awk '{ match($0, /share= [^ ]+/); share[$1] += substr($0, RSTART + 7, RLENGTH - 7) }
    END { for (i in share) if (share[i] < 0.998 || share[i] > 1.002) exit 1 }' "$work/nbest" || fail "shares do not sum to 1"
"${translate[@]}" --nbest 4 --beam 5 --probabilities --mass 0.6 <"$work/src" >"$work/cut" 2>"$work/log"
awk -v mass=0.6 'NR == FNR { kept[$1]++; next }
    { match($0, /share= [^ ]+/); seen[$1]++; if (seen[$1] <= kept[$1] - 1) sum[$1] += substr($0, RSTART + 7, RLENGTH - 7)
      if (seen[$1] <= kept[$1]) all[$1] += substr($0, RSTART + 7, RLENGTH - 7) }
    END { for (i in all) if (sum[i] >= mass || all[i] < mass - 0.001) exit 1 }' "$work/cut" "$work/nbest" ||
    fail "--mass does not keep the first hypotheses that have 0.6 together"
[ "$(wc -l <"$work/cut")" -lt "$(wc -l <"$work/nbest")" ] || fail "--mass cut nothing"
equal "all of the mass" "$("${translate[@]}" --nbest 4 --beam 5 --probabilities --mass 1 <"$work/src" 2>"$work/log")" \
    "$(cat "$work/nbest")"

# ---- JSON ----
head -n 1 "$work/src" | sed 's/.*/{"source":"&"}/' >"$work/json"
"${translate[@]}" --json <"$work/json" >"$work/out" 2>"$work/log"
grep -qE '"probability":[0-9.e-]+,"confidence":[0-9.e-]+}$' "$work/out" || fail "$(cat "$work/out")"
"${translate[@]}" --json --probabilities --nbest 2 <"$work/json" >"$work/out" 2>"$work/log"
equal "members" "$(grep -o '"share":\|"token_probabilities":\[' "$work/out" | sort | uniq -c | tr -s ' ')" \
    ' 2 "share":
 2 "token_probabilities":['

# ---- Calibration; the right answers are the model's own for three lines of four ----
paste "$work/src" "$work/plain" "$work/ref" | awk -F'\t' -v OFS='\t' '{ print $1, NR % 4 ? $2 : $3 }' >"$work/test.tsv"
"$ATTEND" eval --model "$model" --max-length 0.5 --test "$work/test.tsv" --calibration --output "$work/x.svg" \
    --output "$work/calibrated.safetensors" >"$work/report" 2>"$work/log"
grep -qE '^calibration: 30 of 40 answers are right' "$work/report" || fail "$(cat "$work/report")"
grep -qE '^error \(ECE\) +[0-9.]+% +[0-9.]+%$' "$work/report" || fail "$(cat "$work/report")"
grep -q '>confidence (%)</text>' "$work/x.svg" || fail "no reliability diagram"
equal "where it is" "$(tail -n 1 "$work/log")" "attend eval: the calibrated model is $work/calibrated.safetensors"
temperature=$(sed -n 's/^temperature \([^,]*\),.*/\1/p' "$work/report")
"$ATTEND" info --model "$work/calibrated.safetensors" | matches "^calibration *temperature $temperature, " || fail "info does not say it"
"$ATTEND" info --model "$model" | matches '^calibration' && fail "the model that was measured has changed"
# It changes the confidence, and nothing else.
"$ATTEND" translate --model "$work/calibrated.safetensors" --max-length 0.5 --probabilities <"$work/src" >"$work/new" 2>"$work/log"
"${translate[@]}" --probabilities <"$work/src" >"$work/old" 2>"$work/log"
equal "answers of a calibrated model" "$(cut -f1,2,4 "$work/new")" "$(cut -f1,2,4 "$work/old")"
[ "$(cut -f3 "$work/new")" != "$(cut -f3 "$work/old")" ] || fail "calibration does not change the confidence"
# It stays when the model is converted, and measuring again starts from it.
"$ATTEND" convert --model "$work/calibrated.safetensors" --int8 --output "$work/int8.safetensors"
"$ATTEND" info --model "$work/int8.safetensors" | matches "^calibration *temperature $temperature, " || fail "int8 loses the calibration"
"$ATTEND" eval --model "$work/calibrated.safetensors" --max-length 0.5 --test "$work/test.tsv" --calibration --json >"$work/again" 2>"$work/log"
grep -q '"calibration":{"lines":40,"right":30' "$work/again" || fail "$(cat "$work/again")"
before=$(grep -o '"before":{"ece":[0-9.e-]*' "$work/again" | cut -d: -f3)
awk -v before="$before" 'BEGIN { exit !(before < 0.2) }' || fail "the calibrated model is off by $before"

# ---- Refused ----
eval=("$ATTEND" eval --model "$model" --test "$work/test.tsv")
refused 2 "--mass needs --nbest 2 or more" "${translate[@]}" --mass 0.5
refused 2 "--calibration needs --model" "$ATTEND" eval --hyp "$work/ref" --ref "$work/ref" --calibration
refused 2 "a model as --output needs --calibration" "${eval[@]}" --output "$work/y.safetensors"
refused 2 "ends in .svg, .png, .pdf or .safetensors" "${eval[@]}" --calibration --output "$work/y.txt"
refused 2 "an ensemble has no single model" "${eval[@]}" --model "$model" --calibration --output "$work/y.safetensors"
refused 2 "--model is the same file as --output" "${eval[@]}" --calibration --output "$model"
refused 2 "draw one picture each" "${eval[@]}" --calibration --confusions --output "$work/y.svg"
head -n 19 "$work/test.tsv" >"$work/few"
refused 1 "calibration needs 20 lines or more, and there are only 19" "$ATTEND" eval --model "$model" --test "$work/few" --calibration
