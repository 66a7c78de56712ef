#!/usr/bin/env bash
# The readers of frames: files that cannot be read are one clear line, each reader trains and translates, and a module that
# is missing is named with what to install.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
"$ATTEND" train --help-all | matches -e --sound-bands || { echo "skipped: the program has no sources of frames"; exit 77; }
cd "$work"
folder=$(dirname "$ATTEND")

# Two words in each form, and broken files.
python3 -B - <<'END'
import math, random, struct
random.seed(3)
def wav(name, samples, channels=1, rate=8000, size=None):
    data = b"".join(struct.pack("<h", int(32000 * x)) for x in samples)
    size = len(data) if size is None else size
    head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + size, b"WAVE", b"fmt ", 16, 1, channels, rate,
                       rate * 2 * channels, 2 * channels, 16, b"data", size)
    with open(name, "wb") as file:
        file.write(head + data)
        file.truncate(44 + size if size > 10 ** 8 else 44 + len(data))
def tone(hertz, count=800):
    return [0.3 * math.sin(2 * math.pi * hertz * i / 8000) + random.gauss(0, 0.01) for i in range(count)]
def pgm(name, width, height, at):
    with open(name, "wb") as file:
        file.write(b"P5 %d %d 255\n" % (width, height) + bytes(at(x, y) for y in range(height) for x in range(width)))
def ink(name, points):
    with open(name, "w") as file:
        file.write("<ink><trace>%s</trace></ink>\n" % ",".join("%g %g" % p for p in points))
lists = {kind: open(kind + ".tsv", "w") for kind in ("wav", "pgm", "ink")}
for i in range(40):
    low = i % 2
    word = ("low", "high")[low]
    wav("%d.wav" % i, tone((400, 1500)[low] + random.randint(-50, 50)))
    pgm("%d.pgm" % i, 20, 10, lambda x, y: (250 if (y < 5) == (low == 1) else 5))
    ink("%d.ink" % i, [(j + random.random(), j * (1, -1)[low]) for j in range(8)])
    for kind, file in lists.items():
        file.write("%d.%s\t%s\n" % (i, kind, word))
wav("zero.wav", [])
wav("long.wav", [], size=10 * 3600 * 16000)
wav("eight.wav", tone(400), channels=8)
wav("cut.wav", tone(400), size=1700)
pgm("one.pgm", 1, 1, lambda x, y: 7)
END
printf '<ink></ink>\n' >empty.ink
printf 'only text\n' >text.wav
cp text.wav text.pgm
cp text.wav text.ink

# says READER FILE PATTERN
says() {
    printf '%s\ta\n' "$2" >bad.tsv
    refused 1 "bad.tsv:1: $2: $3" "$ATTEND" train --train bad.tsv --split none --src-tokenizer "$1" --tgt-tokenizer spaces --model m
}
says image one.pgm "has 1 x 1 pixels"
says image text.pgm "is not an image \(PNG, JPEG, PGM\)"
says ink empty.ink "has no strokes"
says ink text.ink "is not ink \(UNIPEN, InkML\)"
says npy text.ink "is not a NumPy array"
says npy nobody.npy ".*No such file"

# learns READER LIST: the words are told apart after a few updates.
learns() {
    "$ATTEND" train --train "$2.tsv" --split none --src-tokenizer "$1" --tgt-tokenizer spaces --emb 8 --hidden 16 --lr 0.01 \
        --max-updates 60 --batch-sentences 10 --threads 1 --model "$2.model" 2>log || fail "$1: $(cat log)"
    "$ATTEND" translate --model "$2.model" "0.$2" "1.$2" >said || fail "$1: nothing is translated"
    equal "what $1 reads" "$(paste -sd ' ' said)" "low high"
}
learns image pgm
learns ink ink

# ---- Sound ----

mkdir bare
cp "$ATTEND" bare/attend
refused 1 "wav.tsv:1: 0.wav: reading sound needs the module attend-sound.so.*install libsndfile1-dev and libfftw3-dev" \
    bare/attend train --train wav.tsv --split none --src-tokenizer wav --tgt-tokenizer spaces --model m
[ -e "$folder/attend-sound.so" ] || { echo "skipped: built without libsndfile"; exit 77; }
if command -v ldd >/dev/null && ldd "$ATTEND" | matches -i 'sndfile\|fftw\|png\|jpeg'; then fail "the program links a module's library"; fi
says wav zero.wav "lasts 0 seconds"
says wav long.wav "lasts 36000.0 s; at most 60 s are read"
says wav eight.wav "has 8 channels"
says wav cut.wav "is cut off: it has 1644 of 1744 bytes"
says wav text.wav "is not sound that libsndfile reads"
learns wav wav
