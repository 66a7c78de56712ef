#!/usr/bin/env bash
# Targets that are ink: text is learned to be written by hand; the trace comes as a picture, a page or ink, in a given hand,
# and what needs words is refused in one line.
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
"$ATTEND" train "${data[@]}" "${kind[@]}" "${shape[@]}" --max-epochs $epochs --model "$model" 2>"$work/log" ||
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

# What needs words.
refused 2 '--beam does not go with a model that writes' "$ATTEND" translate --model "$model" --beam 2 L
refused 2 'needs an --output that ends in' "$ATTEND" translate --model "$model" --output "$work/out.txt" L
refused 2 'the model writes by hand' "$ATTEND" score --model "$model" --src "$work/data/valid.txt" --tgt "$work/data/valid.txt"
refused 2 '--scheduled-sampling needs a target of words' \
    "$ATTEND" train "${data[@]}" "${kind[@]}" "${shape[@]}" --scheduled-sampling 0.1 --model "$work/no"
refused 2 '--valid-metric bleu needs a target of words' \
    "$ATTEND" train "${data[@]}" "${kind[@]}" "${shape[@]}" --valid-metric bleu --model "$work/no"
refused 2 '--copy needs a target of words' "$ATTEND" train "${data[@]}" "${kind[@]}" "${shape[@]}" --copy --model "$work/no"
refused 2 'a target of strokes needs a source of text' \
    "$ATTEND" train "${data[@]}" --src-tokenizer ink --tgt-tokenizer ink "${shape[@]}" --model "$work/no"
