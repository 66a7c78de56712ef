#!/usr/bin/env bash
# Models with a transformer encoder: attend plot --encoder-heads draws every layer and head in every format, of words and of
# frames, and attend explain covers them. A recurrent encoder is refused.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
head -n 400 "$demo/train.hi" >"$work/tiny.hi"
head -n 400 "$demo/train.en" >"$work/tiny.en"
train() { "$ATTEND" train --emb 8 --hidden 12 --max-updates 3 --threads 1 "$@" 2>"$work/log" || fail "$(cat "$work/log")"; }
text=(--train-src "$work/tiny.hi" --train-tgt "$work/tiny.en" --split none)
model=$work/model.safetensors
train "${text[@]}" --tokenizer spaces --encoder transformer --encoder-layers 2 --encoder-heads 3 --model "$model"
train "${text[@]}" --tokenizer spaces --model "$work/recurrent"
train "${text[@]}" --tokenizer char --encoder transformer --encoder-heads 2 --attention none --model "$work/char"
plot() { "$ATTEND" plot --model "$model" --encoder-heads "$@"; }
sentence="mai ghar ja raha hoon"

# A panel for each layer and head, over the source alone.
plot "$sentence" >"$work/plain"
equal "panels" "$(grep -c '^layer [12], head [123]$' "$work/plain")" 6
equal "rows" "$(grep -c '^ *hoon ' "$work/plain")" 6
plot "$sentence" --output "$work/x.json"
python3 - "$work/x.json" <<'END' || fail "$(cat "$work/x.json")"
import json, sys
panels = [json.loads(line) for line in open(sys.argv[1])]
assert [panel["title"] for panel in panels] == ["layer %d, head %d" % (l, h) for l in (1, 2) for h in (1, 2, 3)]
for panel in panels:
    assert panel["source"] == panel["target"] == "mai ghar ja raha hoon </s>".split()
    assert len(panel["attention"]) == 6 and all(abs(sum(row) - 1) < 1e-5 for row in panel["attention"])
assert len({json.dumps(panel["attention"]) for panel in panels}) == 6
END
for format in svg html; do plot "$sentence" --output "$work/x.$format"; done
equal "cells" "$(grep -o '</title></rect>' "$work/x.svg" | wc -l)" 216
grep -q 'layer 2, head 3' "$work/x.html" || fail "the page lacks a panel"
for format in png pdf; do
    plot "$sentence" --output "$work/x.$format" 2>"$work/stderr" || grep -q attend-paint "$work/stderr" || fail "$(cat "$work/stderr")"
done
plot --src "$work/tiny.hi" --limit 2 --format json --output "$work/folder/"
equal "files" "$(cd "$work/folder" && echo *)" "000001.json 000002.json"
equal "lines" "$(cat "$work/folder/"* | wc -l)" 12

# What --output wrote is what --matrix reads; the same for attention.
"$ATTEND" plot --matrix "$work/x.json" | sed '/^line/d; /^$/d' | cmp - <(sed '/^layer/d; /^$/d' "$work/plain") ||
    fail "another picture from the numbers"
"$ATTEND" plot --model "$model" --max-length 1 "$sentence" >"$work/plain"
"$ATTEND" plot --model "$model" --max-length 1 "$sentence" --output "$work/y.json"
"$ATTEND" plot --matrix "$work/y.json" | tail -n +3 | cmp - "$work/plain" || fail "attention as numbers"

# Pieces become words, whose rows still sum to 1; a model without attention has an encoder all the same.
"$ATTEND" plot --model "$work/char" --encoder-heads --words "$sentence" --output "$work/x.json"
python3 - "$work/x.json" <<'END' || fail "$(cat "$work/x.json")"
import json, sys
for line in open(sys.argv[1]):
    panel = json.loads(line)
    assert panel["source"] == "mai ghar ja raha hoon </s>".split(), panel["source"]
    assert all(abs(sum(row) - 1) < 1e-5 for row in panel["attention"])
END
equal "models side by side" "$(plot --model "$model" "mai" | grep -c head)" 12
"$ATTEND" convert --model "$model" --int8 --output "$work/int8"
"$ATTEND" plot --model "$work/int8" --encoder-heads "$sentence" >/dev/null
equal "lines without words" "$(printf 'mai\n\n' | plot --src - 2>&1 >/dev/null)" "attend plot: 1 sentences without words were skipped"

# Refused: recurrent encoders, and what is about translations.
refused 2 "encoder is recurrent: only a transformer encoder has self-attention" "$ATTEND" plot --model "$work/recurrent" --encoder-heads "mai"
refused 2 "takes no translation" plot "mai" "I"
refused 2 "--nbest does not go with --encoder-heads" plot --nbest 2 "mai"
refused 2 "--each-head does not go with --encoder-heads" plot --each-head "mai"
refused 2 "--encoder-heads does not go with --matrix" "$ATTEND" plot --encoder-heads --matrix "$work/x.json"
refused 2 "up to 2000 can be shown" plot "$(yes mai | head -n 2001 | tr '\n' ' ')"
printf 'mai\n\xff\n' >"$work/bad"
refused 1 "bad:2: invalid UTF-8" plot --src "$work/bad"

# Every kind of explanation: words, steps, other attention, curves, files. Gradients sum to what they must.
explain() { "$ATTEND" explain --model "$model" --max-length 1 "$@"; }
explain --json --ig-steps 200 "$sentence" "I am going" >"$work/json"
python3 - "$work/json" <<'END' || fail "$(cat "$work/json")"
import json, sys
e = json.load(open(sys.argv[1]))
assert e["incompleteness"] < 0.01, e["incompleteness"]
assert all(len(e[kind]) == 4 for kind in ("attention", "leave_one_out", "gradient", "integrated_gradients"))
END
explain --steps "$sentence" | matches "^step 1" || fail "no steps"
explain --attend 1:1=1 "$sentence" | matches "looks at mai with weight 1" || fail "no other attention"
explain --mask --curves "$sentence" >/dev/null
explain --output "$work/e.html" "$sentence"
head -n 3 "$work/tiny.hi" >"$work/src" && head -n 3 "$work/tiny.en" >"$work/tgt"
explain --src "$work/src" --tgt "$work/tgt" | matches "^3 pairs" || fail "no summary"

# Frames: a picture of at most 64 spans, named by their first frames.
mkdir "$work/frames"
python3 -B - "$work/frames" <<'END'
import random, struct, sys
random.seed(1)
def save(name, rows):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 3), }" % rows
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open("%s/%s" % (sys.argv[1], name), "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for _ in range(3 * rows):
            file.write(struct.pack("<f", random.gauss(0, 1)))
with open(sys.argv[1] + "/train.tsv", "w") as table:
    for i in range(20):
        save("%d.npy" % i, 5 + i % 4)
        table.write("%d.npy\tone two\n" % i)
save("long.npy", 150)
END
train --train "$work/frames/train.tsv" --split none --src-tokenizer npy --tgt-tokenizer spaces --encoder transformer \
    --encoder-heads 2 --model "$work/npy"
for name in 3.npy long.npy; do
    "$ATTEND" plot --model "$work/npy" --encoder-heads --output "$work/x.json" "$work/frames/$name"
    python3 - "$work/x.json" "$name" <<'END' || fail "$name: $(head -c 500 "$work/x.json")"
import json, sys
for line in open(sys.argv[1]):
    panel = json.loads(line)
    wanted = [str(i) for i in range(8)] if sys.argv[2] == "3.npy" else [str(3 * i) for i in range(50)]
    assert panel["source"] == panel["target"] == wanted, panel["source"]
    assert all(abs(sum(row) - 1) < 1e-4 for row in panel["attention"])
END
done
"$ATTEND" plot --model "$work/npy" --encoder-heads --output "$work/x.svg" "$work/frames/long.npy"
"$ATTEND" explain --model "$work/npy" --max-length 1 "$work/frames/3.npy" | matches "^leave-one-out" || fail "no explanation of frames"
"$ATTEND" explain --model "$work/npy" --max-length 1 --mask --output "$work/e.svg" "$work/frames/3.npy"
refused 2 "needs a model that reads text" "$ATTEND" explain --model "$work/npy" --steps "$work/frames/3.npy"

# The server answers the same, and its page has the fold-out.
if [ -e "$(dirname "$ATTEND")/attend-serve.so" ] && command -v curl >/dev/null; then
    # shellcheck source=serve.bash
    . "$(dirname "$0")/serve.bash"
    serve --model "$model" --model "$work/recurrent" --model "$work/npy" --max-explain 100000 --max-characters 100000 --max-line 100000
    get /models | python3 -c 'import json, sys
assert [m["encoder"] for m in json.load(sys.stdin)["models"]] == ["transformer", "recurrent", "transformer"]' || fail "no encoders in /models"
    get /encoder.js | grep -q self-attention - || get /panel.js | matches self-attention || fail "the page does not ask"
    post /self-attention "{\"q\":\"$sentence\",\"words\":true}" >"$work/answer"
    plot "$sentence" --output "$work/x.json"
    python3 - "$work/answer" "$work/x.json" <<'END' || fail "$(head -c 500 "$work/answer")"
import json, sys
answer, panels = json.load(open(sys.argv[1])), [json.loads(line) for line in open(sys.argv[2])]
assert answer["source"] == panels[0]["source"]
assert [head for layer in answer["layers"] for head in layer] == [panel["attention"] for panel in panels]
END
    equal "no words" "$(post /self-attention '{"q":" "}')" '{"source":[],"layers":[]}'
    curl -sS -m 60 -F file=@"$work/frames/long.npy" -F model=npy "$url/self-attention" | matches '"source":\["0","3"' || fail "no frames"
    refuses 400 '{"error":"Invalid request: missing q parameter"}' /self-attention '{}'
    post /self-attention '{"q":"mai","model":"recurrent"}' | matches "encoder is recurrent: only a transformer" || fail "recurrent"
    post /self-attention "{\"q\":\"$(yes a | head -n 600 | tr '\n' ' ')\"}" | matches "601 words have 2167206 weights" || fail "no limit"
    equal "the code of a limit" "$(post_code /self-attention "{\"q\":\"$(yes a | head -n 600 | tr '\n' ' ')\"}")" 400
    stop
fi
