#!/usr/bin/env bash
# Sources that are frames: arrays are read, trained on, resumed to the same bytes, translated and scored; bad files are one
# clear line.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

# Sequences of one to three words; a word is a few noisy rows around its own five numbers, then a pause.
mkdir "$work/data"
python3 -B - "$work/data" <<'END'
import random, struct, sys
folder = sys.argv[1]
words = ["one", "two", "three", "four"]
def save(name, rows, width=5):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (len(rows), width)
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open("%s/%s" % (folder, name), "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for row in rows:
            file.write(struct.pack("<%df" % width, *row))
random.seed(1)
center = [[random.gauss(0, 1) for _ in range(5)] for _ in words]
def corpus(name, count):
    with open("%s/%s.tsv" % (folder, name), "w") as table:
        for i in range(count):
            said = [random.randrange(4) for _ in range(random.randint(1, 3))]
            rows = []
            for word in said:
                rows += [[100 + 3 * (x + random.gauss(0, 0.2)) for x in center[word]] for _ in range(random.randint(2, 4))]
                rows.append([100] * 5)
            save("%s%d.npy" % (name, i), rows)
            table.write("%s%d.npy\t%s\n" % (name, i, " ".join(words[word] for word in said)))
corpus("train", 400)
corpus("test", 60)
save("wide.npy", [[0] * 6], 6)
save("nan.npy", [[1] * 5, [1, 2, float("nan"), 4, 5]])
save("none.npy", [])
save("long.npy", [[100 + i % 7] * 5 for i in range(300)])
END
cut -f1 "$work/data/test.tsv" >"$work/data/test.src"
cut -f2 "$work/data/test.tsv" >"$work/data/test.tgt"
(cd "$work/data" && printf 'cut off' >cut.npy)
kind=(--src-tokenizer npy --tgt-tokenizer spaces)
shape=(--emb 16 --hidden 32 --lr 0.01 --batch-sentences 20 --threads 2)
data=(--train "$work/data/train.tsv" --valid "$work/data/test.tsv")
model=$work/model

# It learns, and `eval` takes the table in one step.
epochs=12 wanted=90
[ -z "${ATTEND_QUICK:-}" ] || epochs=2 wanted=0
"$ATTEND" train "${data[@]}" "${kind[@]}" "${shape[@]}" --max-epochs $epochs --model "$model" 2>"$work/log" ||
    fail "$(cat "$work/log")"
grep -q "frames of 5 numbers, vocabulary 7" "$work/log" || fail "$(head -n 3 "$work/log")"
accuracy=$("$ATTEND" eval --model "$model" --test "$work/data/test.tsv" | sed 's/accuracy \([0-9]*\).*/\1/')
[ "$accuracy" -ge $wanted ] || fail "reached $accuracy %, not $wanted: $(tail -n 3 "$work/log")"
"$ATTEND" info --model "$model" | matches "^source  *frames of 5 numbers, npy$" || fail "info does not tell of frames"

# A killed run resumes to the same bytes; so does one that is stopped within an epoch.
run=("${data[@]}" "${kind[@]}" "${shape[@]}" --max-epochs 3 --save-every 1)
"$ATTEND" train "${run[@]}" --model "$work/whole" 2>"$work/log" || fail "$(cat "$work/log")"
"$ATTEND" train "${run[@]}" --max-updates 5 --model "$work/part" 2>"$work/log" || fail "$(cat "$work/log")"
"$ATTEND" train "${run[@]}" --resume --model "$work/part" 2>"$work/log" || fail "$(cat "$work/log")"
grep -q "resumed after update 5" "$work/log" || fail "it began anew: $(cat "$work/log")"
cmp "$work/whole" "$work/part" || fail "another model after resuming"
"$ATTEND" train "${run[@]}" --model "$work/killed" --log "$work/killed.log" --log-every 1 2>/dev/null &
child=$!
for _ in $(seq 300); do
    if grep -q '"progress"' "$work/killed.log" 2>/dev/null; then break; fi
    sleep 0.02
done
kill -KILL $child 2>/dev/null || true
wait $child 2>/dev/null || true
"$ATTEND" train "${run[@]}" --model "$work/killed" 2>"$work/log" || fail "$(cat "$work/log")"
cmp "$work/whole" "$work/killed" || fail "another model after SIGKILL"

# Files that changed are noticed, though the text that names them did not change.
cp "$work/data/train1.npy" "$work/data/train0.npy"
refused 2 "the training text differs from that of" "$ATTEND" train "${run[@]}" --max-epochs 9 --resume --model "$work/part"

# A batch gives what single files give: paths as arguments, of standard input and of a file, relative to different folders.
cd "$work/data"
"$ATTEND" translate --model "$model" --input test.src >"$work/batch"
xargs -n 1 "$ATTEND" translate --model "$model" --batch-sentences 1 < <(head -n 5 test.src) >"$work/single"
cmp <(head -n 5 "$work/batch") "$work/single" || fail "a batch is not its singles"
"$ATTEND" translate --model "$model" <test.src | cmp - "$work/batch" || fail "standard input"
mapfile -t paths <test.src
"$ATTEND" translate --model "$model" "${paths[@]}" | cmp - "$work/batch" || fail "arguments"
cd "$work"
"$ATTEND" translate --model "$model" --input data/test.src | cmp - "$work/batch" || fail "paths beside --input"
sed "s|^|$work/data/|" data/test.src | "$ATTEND" translate --model "$model" | cmp - "$work/batch" || fail "absolute paths"
sed "s|^|data/|" data/test.src | "$ATTEND" translate --model "$model" | cmp - "$work/batch" || fail "the current folder"
printf '\n' | "$ATTEND" translate --model "$model" | cmp - <(echo) || fail "an empty line"
"$ATTEND" translate --model "$model" </dev/null | cmp - /dev/null || fail "an empty list"

# Beam, n-best lists, JSON with a column and a label for each frame, links, scores, pictures, trouble.
first=$work/data/test0.npy
equal "hypotheses" "$("$ATTEND" translate --model "$model" --beam 5 --nbest 3 "$first" | wc -l)" 3
rows=$(python3 -c 'import sys; print((len(open(sys.argv[1], "rb").read()) - 128) // 20)' "$first")
"$ATTEND" translate --model "$model" --alignment json "$first" >"$work/json"
python3 - "$work/json" "$rows" <<'END' || fail "$(cat "$work/json")"
import json, sys
answer, rows = json.load(open(sys.argv[1])), int(sys.argv[2])
assert answer["source"] == [str(i) for i in range(rows)], answer["source"]
assert all(len(row) == rows for row in answer["attention"])
END
"$ATTEND" score --model "$model" --src data/test.src --tgt data/test.tgt >"$work/scores" 2>/dev/null
equal "scores" "$(wc -l <"$work/scores")" 60
"$ATTEND" align --model "$model" --src data/test.src --tgt data/test.tgt >"$work/links"
equal "links" "$(wc -l <"$work/links")" 60
"$ATTEND" plot --model "$model" --output "$work/picture.svg" "$first"
grep -q "<svg" "$work/picture.svg" || fail "no picture"
"$ATTEND" trouble --model "$model" --src data/test.src >/dev/null

# Distilled: the rows have absolute paths, and training reads them from anywhere.
"$ATTEND" distill --model "$model" --model "$model" --train data/test.tsv --output "$work/taught.tsv" 2>"$work/log" || fail "$(cat "$work/log")"
paste <(sed "s|^|$(realpath "$work")/data/|" data/test.src) "$work/batch" | cmp - "$work/taught.tsv" || fail "other rows than translate says"
(cd / && "$ATTEND" train --train "$work/taught.tsv" "${kind[@]}" "${shape[@]}" --split none --max-updates 2 --model "$work/student" 2>"$work/log") ||
    fail "$(cat "$work/log")"

# Leaving out a span: of two words, the frames of each matter most to it. A long source has at most 64 spans.
two=$(awk -F '\t' 'split($2, word, " ") == 2 && word[1] != word[2] { print $1; exit }' data/test.tsv)
"$ATTEND" explain --model "$model" --json "data/$two" >"$work/json"
python3 - "$work/json" "${ATTEND_QUICK:-}" <<'END' || fail "$(cat "$work/json")"
import json, sys
e = json.load(open(sys.argv[1]))
rows = len(e["source"])
without = e["leave_one_out"]
assert len(without) == len(e["target"]) and all(len(row) == rows for row in without + e["attention"])
assert all(abs(sum(row) - 1) < 1e-3 for row in e["attention"])
if not sys.argv[2]:
    half = rows // 2
    assert max(without[0][:half]) > max(without[0][half:]), without[0]
    assert max(without[1][half:]) > max(without[1][:half]), without[1]
END
"$ATTEND" explain --model "$model" --mask "$first" >/dev/null
"$ATTEND" explain --model "$model" --output "$work/picture.svg" "$first"
equal "spans" "$("$ATTEND" explain --model "$model" --json data/long.npy one | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["source"]))')" 60

# int8, a model to start from, held-out sets, an ensemble.
"$ATTEND" convert --model "$model" --output "$work/int8" --int8
cmp <("$ATTEND" translate --model "$work/int8" --input data/test.src) "$work/batch" >/dev/null ||
    [ -n "${ATTEND_QUICK:-}" ] || fail "int8 reads otherwise"
"$ATTEND" train --train data/train.tsv --split 0.8,0.1,0.1 --init-from "$model" --max-epochs 1 --model "$work/child" 2>"$work/log" ||
    fail "$(cat "$work/log")"
"$ATTEND" translate --model "$work/child" --input "$work/child.test.src" >/dev/null || fail "the paths of a held-out set"
"$ATTEND" translate --model "$model" --model "$model" "$first" | cmp - <(head -n 1 "$work/batch") || fail "an ensemble"
"$ATTEND" train --train-src data/test.tgt --train-tgt data/test.tgt --tokenizer spaces --emb 8 --hidden 8 --max-updates 1 \
    --model "$work/text" 2>/dev/null
refused 2 "another source of frames" "$ATTEND" translate --model "$model" --model "$work/text" "$first"

# Wrong files are one line with the file, the line and the path.
table() { printf '%s\t%s\n' "test0.npy" "one" "$1" "two" >"$work/data/bad.tsv"; }
bad() {
    table "$1"
    refused 1 "data/bad.tsv:2: $work/data/$1: $2" "$ATTEND" train --train "$work/data/bad.tsv" "${kind[@]}" --model "$work/new"
    refused 1 "$work/data/$1: $2" "$ATTEND" translate --model "$model" "$work/data/$1"
    refused 1 "data/bad.tsv:2: $work/data/$1: $2" "$ATTEND" eval --model "$model" --test "$work/data/bad.tsv"
}
bad missing.npy "cannot be opened: No such file"
bad wide.npy "its rows have 6 numbers, those of the training data have 5"
bad nan.npy "NaN in row 2, column 3"
bad none.npy ""
bad cut.npy "is not a NumPy array"
refused 1 "is not a regular file" "$ATTEND" translate --model "$model" "$work/data"
refused 1 "$work/../nothing/x.npy: cannot be opened: No such file" "$ATTEND" translate --model "$model" "$work/../nothing/x.npy"
table missing.npy
"$ATTEND" train --train "$work/data/bad.tsv" "${kind[@]}" --skip-broken --emb 8 --hidden 8 --max-updates 1 --model "$work/new" \
    2>"$work/log" || fail "$(cat "$work/log")"
grep -q "1 pair left out, a file that cannot be read, the first at $work/data/bad.tsv:2" "$work/log" || fail "$(cat "$work/log")"
: >"$work/data/empty.tsv"
refused 1 "empty.tsv" "$ATTEND" train --train "$work/data/empty.tsv" "${kind[@]}" --model "$work/none"

# What needs words is refused.
for option in "--features src" "--source-lang en" "--joint-vocab" "--case lower" "--max-ratio 3" "--subword-sampling 0.1"; do
    # shellcheck disable=SC2086
    refused 2 "needs a source of text" "$ATTEND" train "${data[@]}" "${kind[@]}" $option --model "$work/none"
done
refused 2 "band-masks hides parts of frames, and the source is text" "$ATTEND" train --train-src "$demo/valid.hi" \
    --train-tgt "$demo/valid.en" --band-masks 1 --tokenizer spaces --case keep --split none --model "$work/none"
refused 2 "frames cannot be copied" "$ATTEND" train "${data[@]}" "${kind[@]}" --copy --model "$work/none"
refused 2 "frames have no embedding table" "$ATTEND" train "${data[@]}" "${kind[@]}" --tie all --model "$work/none"
for option in --unk-replace --split-sentences "--tags html" "--mask urls" "--strict"; do
    # shellcheck disable=SC2086
    refused 2 "needs a model that reads text, and this one reads frames .npy." "$ATTEND" translate --model "$model" $option "$first"
done
refused 2 "needs a model that reads text" "$ATTEND" explain --model "$model" --steps "$first"
refused 2 "only words can be explained" "$ATTEND" explain --model "$model" --src data/test.src --tgt data/test.tgt
