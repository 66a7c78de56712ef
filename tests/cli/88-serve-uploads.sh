#!/usr/bin/env bash
# Files over HTTP for models that read sound, images, ink and arrays, and texts for a model that writes: what the program
# answers to the same file, hostile files, limits, and paths that must not be opened.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=serve.bash
. "$(dirname "$0")/serve.bash"
for module in sound image; do
    [ -e "$(dirname "$ATTEND")/attend-$module.so" ] || { echo "skipped: built without attend-$module.so"; exit 77; }
done
cd "$work"
python3 -B - <<'END_OF_FILES'
import math, random, struct, zlib
random.seed(3)
def wav(name, samples, channels=1, rate=8000, size=None):
    data = b"".join(struct.pack("<h", int(32000 * x)) for x in samples)
    size = len(data) if size is None else size
    with open(name, "wb") as file:
        file.write(struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + size, b"WAVE", b"fmt ", 16, 1, channels, rate,
                               rate * 2 * channels, 2 * channels, 16, b"data", size) + data)
def tone(hertz, count=800):
    return [0.3 * math.sin(2 * math.pi * hertz * i / 8000) + random.gauss(0, 0.01) for i in range(count)]
def pgm(name, width, height, at):
    with open(name, "wb") as file:
        file.write(b"P5 %d %d 255\n" % (width, height) + bytes(at(x, y) for y in range(height) for x in range(width)))
def png(name, width, height):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    with open(name, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(b"\0" * ((width + 7) // 8 + 1) * height)) + chunk(b"IEND", b""))
def ink(name, points):
    with open(name, "w") as file:
        file.write("<ink><trace>%s</trace></ink>\n" % ",".join("%g %g" % p for p in points))
def npy(name, rows, width):
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (len(rows), width)
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        for row in rows:
            file.write(struct.pack("<%df" % width, *row))
lists = {kind: open(kind + ".tsv", "w") for kind in ("wav", "pgm", "ink", "npy")}
hand = open("hand.tsv", "w")
for i in range(40):
    low, word = i % 2, ("low", "high")[i % 2]
    wav("%d.wav" % i, tone((400, 1500)[low] + random.randint(-50, 50)))
    pgm("%d.pgm" % i, 20, 10, lambda x, y: (250 if (y < 5) == (low == 1) else 5))
    ink("%d.ink" % i, [(j + random.random(), j * (1, -1)[low]) for j in range(8)])
    npy("%d.npy" % i, [[low + random.gauss(0, 0.1), -low, 1] for _ in range(4)], 3)
    for kind, file in lists.items():
        file.write("%d.%s\t%s\n" % (i, kind, word))
    hand.write("%s\t%d.ink\n" % ("/\\"[low], i))
wav("zero.wav", [])
wav("long.wav", [0] * 100, size=10 * 3600 * 16000)
wav("minutes.wav", [0] * 8 * 61000)
wav("eight.wav", tone(400), channels=8)
wav("cut.wav", tone(400), size=1700)
pgm("one.pgm", 1, 1, lambda x, y: 7)
png("large.png", 9000, 9000)
png("flat.png", 60000, 4)
npy("nan.npy", [[1, 2, 3], [1, float("nan"), 3]], 3)
npy("wide.npy", [[1, 2, 3, 4]], 4)
npy("many.npy", [[1, 2, 3]] * 4001, 3)
END_OF_FILES
printf '<ink></ink>\n' >empty.ink
printf '../0.wav\n/etc/passwd\n' >list.txt
: >nothing.wav
for kind in wav pgm ink npy; do
    reader=$kind
    [ $kind != pgm ] || reader=image
    "$ATTEND" train --train $kind.tsv --split none --src-tokenizer $reader --tgt-tokenizer spaces --emb 8 --hidden 8 --max-updates 4 \
        --threads 1 --model $kind.safetensors 2>log || fail "$(cat log)"
done
"$ATTEND" train --train hand.tsv --split none --src-tokenizer char --tgt-tokenizer ink --normalize nfkc --emb 8 --hidden 8 --max-updates 40 \
    --threads 1 --model hand.safetensors 2>log || fail "$(cat log)"
cp "$ATTEND_SOURCE/tests/data/model-v1.safetensors" xx-yy.safetensors

models=()
for name in wav pgm ink npy hand xx-yy; do models+=(--model "$name.safetensors"); done
serve "${models[@]}" --max-body 2000000
equal "what the models read and write" "$(get /models | jq -r '.models[] | "\(.reads)>\(.writes)"' | paste -sd' ')" \
    "wav>text image>text ink>text npy>text text>ink text>text"
# upload FILE PATH [CURL OPTION]...
upload() { curl -sS -m 60 -F "file=@$1" "${@:3}" "$url$2"; }

# Each model answers as the program does, and draws the same picture.
for kind in wav pgm ink npy; do
    "$ATTEND" translate --model $kind.safetensors --alignment json 3.$kind 2>/dev/null | jq -c '[.text, .attention[0]]' >direct
    upload 3.$kind /attention -F model=$kind | jq -c '[.text, .attention[0]]' | cmp - direct || fail "$kind: another answer"
    equal "$kind: a position for each column" \
        "$(upload 3.$kind /attention -F model=$kind | jq '(.frames.positions | length) == (.source | length)')" true
    equal "$kind" "$(upload 3.$kind /translate -F model=$kind | jq -r .translatedText)" "$(jq -r '.[0]' direct)"
    "$ATTEND" plot --model $kind.safetensors --output $kind.svg 3.$kind
    upload 3.$kind /picture -F model=$kind >got.svg
    cmp <(grep -v '<title>' $kind.svg | grep -c .) <(grep -v '<title>' got.svg | grep -c .) || fail "$kind: another picture"
    "$ATTEND" explain --model $kind.safetensors --json 3.$kind 2>/dev/null | jq -c .leave_one_out >direct
    upload 3.$kind /explain -F model=$kind | jq -c .leave_one_out | cmp - direct || fail "$kind: another explanation"
done
equal "without a model the first that reads files answers" "$(upload 3.wav /translate | jq -r 'has("translatedText")')" true
equal "the others answer as before" "$(post /translate '{"q":"a b c","source":"xx","target":"yy"}')" '{"translatedText":"c b a"}'

# Files that cannot be read: 400 and one line.
bad() { # MODEL FILE MESSAGE
    local got
    for path in /translate /attention /explain /picture; do
        got=$(upload "$2" $path -F "model=$1" -w ' %{http_code}')
        equal "$2 to $path" "$got" "{\"error\":\"Invalid request: $3\"} 400"
    done
}
bad wav cut.wav "cut.wav: is cut off: it has 1644 of 1744 bytes"
bad wav zero.wav "zero.wav: lasts 0 seconds"
bad wav eight.wav "eight.wav: has 8 channels; mono and stereo are read, so choose one"
bad wav long.wav "long.wav: is cut off: it has 244 of 576000044 bytes"
bad wav minutes.wav "minutes.wav: lasts 61.0 s; at most 60 s are read"
bad wav nothing.wav "the file is empty"
bad wav list.txt "list.txt: is not sound that libsndfile reads (WAV, FLAC, Ogg, MP3, AIFF ...): Format not recognised"
bad pgm list.txt "list.txt: is not an image (PNG, JPEG, PGM)"
bad pgm one.pgm "one.pgm: has 1 x 1 pixels; an image to read has at least 4 x 4"
bad pgm large.png "large.png: has 9000 x 9000 pixels; at most 67108864 are read, and 65535 in a row or column"
bad pgm flat.png "flat.png: has 480000 frames; at most 4000 are read"
bad ink empty.ink "empty.ink: has no strokes"
bad ink 3.npy "3.npy: is not ink (UNIPEN, InkML)"
bad npy nan.npy "nan.npy: NaN in row 2, column 2"
bad npy wide.npy "wide.npy: its rows have 4 numbers, those of the training data have 3"
bad npy many.npy "many.npy: has 4001 frames; at most 4000 are read"
bad npy list.txt "list.txt: is not a NumPy array (.npy, .npz)"

# Paths are texts, and nothing is opened: the server does not even look for them.
for path in "$work/3.wav" 3.wav ../3.wav /etc/passwd; do
    refuses 400 '{"error":"Invalid request: wav reads files (wav), not text; send one as file in a multipart form"}' \
        /translate "{\"q\":\"$path\",\"model\":\"wav\"}"
    equal "a path in a form" "$(curl -sS -F "q=$path" -F model=wav -o /dev/null -w '%{http_code}' "$url/attention")" 400
done
head -c 3000000 /dev/zero >large.wav
equal "a large upload" "$(upload large.wav /translate -F model=wav -o /dev/null -w '%{http_code}')" 413

# A model that writes.
post /write '{"q":"/\\","seed":5,"bias":2}' >one
post /write '{"q":"/\\","seed":5,"bias":2}' | jq -c .strokes | cmp - <(jq -c .strokes one) || fail "another trace with the same seed"
equal "strokes" "$(jq '(.strokes | length) > 0 and (.strokes | length) == (.attention | length)' one)" true
post /write '{"q":"/\\","seed":5,"bias":2,"format":"inkml"}' >got
"$ATTEND" translate --model hand.safetensors --seed 5 --bias 2 /\\ | cmp - got || fail "another trace than the program's"
post /write '{"q":"/\\","seed":5,"bias":2,"format":"svg"}' >got
grep -q '<title>Handwriting</title>' got || fail "no picture"
# Normalizing makes 18 characters of each of these: 1,800 tokens, whose traces could take gigabytes.
refuses 400 '{"error":"Invalid request: text:1: has more than 117 pieces; shorten the line"}' /write "{\"q\":\"$(printf '\ufdfa%.0s' $(seq 100))\"}"
refuses 400 '{"error":"Invalid request: hand writes by hand; ask /write"}' /translate '{"q":"a","model":"hand"}'

equal "failures of the server" "$(jq -s 'map(select(.status >= 500)) | length' access)" 0
stop
grep -qi 'sanitizer\|fault' notes && fail "$(cat notes)"
exit 0
