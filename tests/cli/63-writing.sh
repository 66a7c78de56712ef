#!/usr/bin/env bash
# Targets that are ink: text is learned to be written by hand; the trace comes as a picture, a page or ink, in a given hand;
# given ink is scored and drawn; and what needs words is refused in one line.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

# Letters of a toy script: a dash, a stick, a dot and a hook, one or two side by side, with a little jitter.
mkdir "$work/data"
python3 -B - "$work/data" <<'END'
import random, sys
folder = sys.argv[1]
random.seed(1)
letters = {"-": [[(0, 50), (50, 50)]], "|": [[(20, 0), (20, 100)]], "i": [[(20, 60), (20, 100)], [(20, 10)]],
           "L": [[(0, 0), (0, 100), (50, 100)]]}
def corpus(name, count):
    with open("%s/%s.txt" % (folder, name), "w") as text, open("%s/%s.paths" % (folder, name), "w") as paths:
        for i in range(count):
            word = [random.choice("-|iL") for _ in range(random.randint(1, 2))]
            with open("%s/%s%d.ink" % (folder, name, i), "w") as ink:
                for at, letter in enumerate(word):
                    for stroke in letters[letter]:
                        points = ["%.1f %.1f" % (80 * at + x + random.gauss(0, 1), -y + random.gauss(0, 1)) for x, y in stroke]
                        ink.write(".PEN_DOWN\n%s\n.PEN_UP\n" % "\n".join(points))
            text.write("".join(word) + "\n")
            paths.write("%s%d.ink\n" % (name, i))
corpus("train", 300)
corpus("valid", 40)
END
data=(--train-src "$work/data/train.txt" --train-tgt "$work/data/train.paths"
    --valid-src "$work/data/valid.txt" --valid-tgt "$work/data/valid.paths")
kind=(--src-tokenizer char --tgt-tokenizer ink)
shape=(--emb 16 --hidden 32 --mixtures 4 --lr 0.01 --batch-sentences 20 --threads 2)
model=$work/model

# It learns: the loss per stroke falls below that of the first epoch by more than one nat.
epochs=8
[ -z "${ATTEND_QUICK:-}" ] || epochs=2
"$ATTEND" train "${data[@]}" "${kind[@]}" "${shape[@]}" --max-epochs $epochs --log "$work/run.log" --model "$model" 2>"$work/log" ||
    fail "$(cat "$work/log")"
grep -o 'valid loss [-0-9.]*' "$work/log" | cut -d' ' -f3 >"$work/losses"
awk 'NR == 1 { first = $1 } { last = $1 } END { exit !(last < first) }' "$work/losses" || fail "$(cat "$work/losses")"
grep -q "; vocabulary [0-9]*, strokes$" "$work/log" || fail "$(head -n 3 "$work/log")"
"$ATTEND" info --model "$model" >"$work/info"
grep -q "^target  *frames of 3 numbers, ink$" "$work/info" || fail "info does not tell of ink"
grep -q "^attention  *window$" "$work/info" || fail "a model that writes does not have a window"

# The same seed writes the same ink, whatever else is written; another seed writes another.
"$ATTEND" translate --model "$model" L >"$work/once"
"$ATTEND" translate --model "$model" L '|' >"$work/twice"
grep -q '<annotation type="truth">L</annotation>' "$work/once" || fail "no annotation"
head -n -1 "$work/once" >"$work/begin"
cmp -s "$work/begin" <(head -n "$(wc -l <"$work/begin")" "$work/twice") || fail "a line depends on others"
"$ATTEND" translate --model "$model" --seed 2 L | cmp -s - "$work/once" && fail "another seed writes the same"
"$ATTEND" translate --model "$model" --bias 3 L | cmp -s - "$work/once" && fail "a bias changes nothing"

# What the model cannot write is named, and refused with --strict.
"$ATTEND" translate --model "$model" L 'Lx' >"$work/out" 2>"$work/err" || fail "$(cat "$work/err")"
matches '1 part of words of 1 line is unknown to the model: x (line 2)' <"$work/err" || fail "an unknown letter: $(cat "$work/err")"
printf 'L\nLx\n' >"$work/strict.txt"
refused 1 "strict.txt:2: 'x' is unknown to the model" "$ATTEND" translate --model "$model" --strict --input "$work/strict.txt"

# Pictures, pages and ink; the ink can be read again.
for ending in svg html inkml; do
    echo 'L|' | "$ATTEND" translate --model "$model" --output "$work/out.$ending" || fail "$ending"
    [ -s "$work/out.$ending" ] || fail "out.$ending is empty"
done
grep -q '<polyline' "$work/out.svg" || fail "the picture has no line"
grep -q '"lift":' "$work/out.html" || fail "the page has no strokes"
printf 'out.inkml\n' >"$work/again.paths"
printf 'L|\n' >"$work/again.txt"
"$ATTEND" train --train-src "$work/again.txt" --train-tgt "$work/again.paths" --split none "${kind[@]}" "${shape[@]}" \
    --max-updates 1 --model "$work/again" 2>"$work/log" || fail "$(cat "$work/log")"

# Given ink: its loss is that of the validation, and pictures show where the window was. Paths are relative to their file.
best=$(grep -o '"event":"validation".*' "$work/run.log" | grep '"best":true' | tail -n 1 | grep -o '"loss":[-0-9.]*' | cut -d: -f2)
valid=(--src "$work/data/valid.txt" --tgt "$work/data/valid.paths")
"$ATTEND" score --model "$model" "${valid[@]}" >"$work/scores" 2>"$work/total" || fail "$(cat "$work/total")"
[ "$(wc -l <"$work/scores")" = 40 ] || fail "not a score for each pair"
awk -v best="$best" '{ off = $NF - best } END { exit !(off < 0.0001 && off > -0.0001) }' "$work/total" ||
    fail "score says $(cat "$work/total"), validation said $best"
"$ATTEND" plot --model "$model" "${valid[@]}" --limit 2 --output "$work/plots/" || fail "no plot of given ink"
grep -q '<polyline' "$work/plots/000002.svg" || fail "the plot has no ink"
"$ATTEND" plot --model "$model" --bias 1 'L|' --output "$work/plot.html" || fail "no plot of what is written"
[ -s "$work/plot.html" ] || fail "plot.html is empty"
"$ATTEND" plot --model "$model" 'L|' | matches 'L | </s>' || fail "the terminal does not show the text"
printf '%s\nno/such\n' "$work/data/valid0.ink" >"$work/broken.paths"
head -n 2 "$work/data/valid.txt" >"$work/broken.txt"
refused 1 'broken.paths:2: .*no/such' \
    "$ATTEND" score --model "$model" --src "$work/broken.txt" --tgt "$work/broken.paths"
refused 2 '--tokens does not go with a model that writes' "$ATTEND" score --model "$model" "${valid[@]}" --tokens
refused 2 '--words does not go with a model that writes' "$ATTEND" plot --model "$model" L --words
refused 2 'is drawn alone' "$ATTEND" plot --model "$model" --model "$model" L

# A given hand.
hand=$work/data/valid0.ink text=$(head -n 1 "$work/data/valid.txt")
"$ATTEND" translate --model "$model" --prime "$hand" --prime-text "$text" L >"$work/primed"
cmp -s "$work/primed" "$work/once" && fail "a given hand changes nothing"
refused 2 'prime.* need each other' "$ATTEND" translate --model "$model" --prime "$hand" L
refused 1 'no/such' "$ATTEND" translate --model "$model" --prime no/such --prime-text L L

# int8 writes, and a resumed run has the same bytes.
"$ATTEND" convert --int8 --model "$model" --output "$work/int8"
"$ATTEND" translate --model "$work/int8" L | matches '<trace>' || fail "int8 does not write"
run=("${data[@]}" "${kind[@]}" "${shape[@]}" --max-epochs 2 --save-every 1)
"$ATTEND" train "${run[@]}" --model "$work/whole" 2>"$work/log" || fail "$(cat "$work/log")"
"$ATTEND" train "${run[@]}" --max-updates 5 --model "$work/part" 2>"$work/log" || fail "$(cat "$work/log")"
"$ATTEND" train "${run[@]}" --resume --model "$work/part" 2>"$work/log" || fail "$(cat "$work/log")"
cmp -s "$work/whole" "$work/part" || fail "a resumed run has other bytes"

# Skip links.
run=("${data[@]}" "${kind[@]}" "${shape[@]}" --decoder-layers 2 --skip --placement conditional --save-every 1)
"$ATTEND" train "${run[@]}" --max-updates 6 --model "$work/skip" 2>"$work/log" || fail "$(cat "$work/log")"
"$ATTEND" train "${run[@]}" --max-updates 3 --model "$work/skipped" 2>"$work/log" || fail "$(cat "$work/log")"
"$ATTEND" train "${run[@]}" --max-updates 6 --resume --model "$work/skipped" 2>"$work/log" || fail "$(cat "$work/log")"
cmp -s "$work/skip" "$work/skipped" || fail "a resumed run with skip links has other bytes"
"$ATTEND" translate --model "$work/skip" L | matches '<ink' || fail "a model with skip links does not write"

# Two processes have the losses of one.
if command -v mpirun >/dev/null && [ -e "$(dirname "$ATTEND")/attend-mpi.so" ] && [ -z "${ATTEND_QUICK:-}" ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    run=("${data[@]}" "${kind[@]}" "${shape[@]}" --threads 1 --max-updates 5 --log-every 1)
    "$ATTEND" train "${run[@]}" --model "$work/one" --log "$work/one.log" 2>"$work/log" || fail "$(cat "$work/log")"
    timeout 120 mpirun --oversubscribe -n 2 "$ATTEND" train "${run[@]}" --model "$work/two" --log "$work/two.log" 2>"$work/log" ||
        fail "$(cat "$work/log")"
    losses() { sed -n 's/.*"progress".*"loss":\([^,]*\),.*/\1/p' "$1"; }
    paste <(losses "$work/one.log") <(losses "$work/two.log") |
        awk '{ d = $1 - $2 } d > 2e-4 || d < -2e-4 { bad = 1 } END { exit bad || NR != 5 }' || fail "two processes have other losses"
fi

# What needs words.
refused 2 '--beam does not go with a model that writes' "$ATTEND" translate --model "$model" --beam 2 L
refused 2 'needs an --output that ends in' "$ATTEND" translate --model "$model" --output "$work/out.txt" L
refused 2 'the model writes by hand' "$ATTEND" align --model "$model" --src "$work/data/valid.txt" --tgt "$work/data/valid.txt"
refused 2 '\-\-skip needs at least two --decoder-layers' "$ATTEND" train "${data[@]}" "${kind[@]}" "${shape[@]}" --skip --model "$work/no"
refused 2 '--scheduled-sampling needs a target of words' \
    "$ATTEND" train "${data[@]}" "${kind[@]}" "${shape[@]}" --scheduled-sampling 0.1 --model "$work/no"
refused 2 '--valid-metric bleu needs a target of words' \
    "$ATTEND" train "${data[@]}" "${kind[@]}" "${shape[@]}" --valid-metric bleu --model "$work/no"
refused 2 '--copy needs a target of words' "$ATTEND" train "${data[@]}" "${kind[@]}" "${shape[@]}" --copy --model "$work/no"
refused 2 'a target of strokes needs a source of text' \
    "$ATTEND" train "${data[@]}" --src-tokenizer ink --tgt-tokenizer ink "${shape[@]}" --model "$work/no"
