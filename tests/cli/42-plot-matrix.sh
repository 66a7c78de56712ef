#!/usr/bin/env bash
# Matrices from files: drawn without a model, in both formats; inconsistent ones are refused.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
model=$work/model.safetensors
tiny_model "$model"
plot() { "$ATTEND" plot "$@"; }
head -n 3 "$demo/test.hi" >"$work/three.hi"
for form in json soft; do
    "$ATTEND" translate --model "$model" --threads 1 --max-length 1 --input "$work/three.hi" --alignment "$form" --nbest 2 \
        >"$work/m.$form" 2>/dev/null
    plot --matrix "$work/m.$form" >"$work/$form.txt"
    plot --matrix - <"$work/m.$form" | cmp -s - "$work/$form.txt" || fail "$form is drawn differently from standard input"
    equal "hypotheses in $form" "$(plot --matrix "$work/m.$form" --nbest 2 --limit 1 | grep -o 'hypothesis [12]' | sort -u | wc -l)" 2
done
equal "headings" "$(grep -c '^line [123]$' "$work/json.txt")" 3
cmp -s "$work/json.txt" "$work/soft.txt" || fail "both forms are drawn differently"
plot --model "$model" --threads 1 --max-length 1 --src "$work/three.hi" | cmp -s - "$work/json.txt" ||
    fail "a matrix is drawn differently from what its model sees"
plot --matrix "$work/m.json" --output "$work/folder/"
equal "files" "$(cd "$work/folder" && echo *)" "000001.svg 000002.svg 000003.svg"
plot --matrix "$work/m.soft" --output "$work/x.html"
grep -q "line 3" "$work/x.html" || fail "no third matrix in the page"
plot --matrix "$work/m.json" --limit 1 --output "$work/x.svg"

# ---- Matrices of other programs: any numbers, any script, no </s> ----
echo '{"source":["मैं","घर"],"target":["집에","간다"],"attention":[[0,12],[3.5,1e-3]]}' >"$work/foreign.json"
plot --matrix "$work/foreign.json" --output "$work/foreign.svg"
grep -q 'घर' "$work/foreign.svg" || fail "a word is missing"
grep -q '집에' "$work/foreign.svg" || fail "a word is missing"
printf '0 ||| the x ||| 0 ||| das y ||| 2 2\n5 1\n1 5\n' >"$work/foreign.soft"
plot --matrix "$work/foreign.soft" >"$work/txt"
grep -q das "$work/txt" || fail "a word of a foreign matrix is missing"

# ---- Inconsistent files ----
bad() { # PATTERN TEXT
    printf '%b' "$2" >"$work/bad"
    refused 1 "attend plot: .*bad$1" "$ATTEND" plot --matrix "$work/bad"
}
bad ':1: row 1 of "attention" has 1 weights for 2 source words' '{"source":["a","b"],"target":["x"],"attention":[[1]]}\n'
bad ':2: "attention" has 1 rows for 2 target words' \
    '{"source":["a"],"target":["x"],"attention":[[1]]}\n{"source":["a"],"target":["x","y"],"attention":[[1]]}\n'
bad ':1: weight 1 in row 1 of "attention" is not a number' '{"source":["a"],"target":["x"],"attention":[["1"]]}\n'
bad ':1: "attention" is not an array of rows' '{"source":["a"],"target":["x"],"attention":null}\n'
bad ':1 is not JSON' '{"source":["a"\n'
bad ':1: neither JSON' 'mai ghar\n'
bad ':2: row 1 has fewer than 2 weights' '0 ||| x ||| 0 ||| a b ||| 2 1\n1\n'
bad ':1: invalid UTF-8' '{"source":["\xff"],"target":[],"attention":[]}\n'
: >"$work/empty"
refused 1 "nothing to draw" "$ATTEND" plot --matrix "$work/empty"
refused 1 "missing: cannot be opened" "$ATTEND" plot --matrix "$work/missing"

# ---- Usage errors ----
refused 2 "\-\-model does not go with --matrix" "$ATTEND" plot --matrix "$work/m.json" --model "$model"
refused 2 "\-\-words does not go with --matrix" "$ATTEND" plot --matrix "$work/m.json" --words
refused 2 "\-\-src does not go with --matrix" "$ATTEND" plot --matrix "$work/m.json" --src "$work/three.hi"
refused 2 "\-\-matrix takes no sentence" "$ATTEND" plot --matrix "$work/m.json" "mai"
refused 2 "several sentences" "$ATTEND" plot --matrix "$work/m.json" --output "$work/y.svg"
