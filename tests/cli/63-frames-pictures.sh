#!/usr/bin/env bash
# Pictures of attention over frames: sound, ink, lines of writing, images in patches and arrays, in every format and on
# the terminal.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

for module in paint sound; do
    [ -e "$(dirname "$ATTEND")/attend-$module.so" ] || { echo "skipped: built without attend-$module.so"; exit 77; }
done
mkdir "$work/data"
python3 -B - "$work/data" <<'END'
import math, random, struct, sys, wave
folder = sys.argv[1]
random.seed(1)
def table(kind, make):
    with open("%s/%s.tsv" % (folder, kind), "w") as lines:
        for i in range(12):
            name = "%s%d.%s" % (kind, i, kind)
            make("%s/%s" % (folder, name), i)
            lines.write("%s\t%s\n" % (name, " ".join(random.choice(["one", "two", "three"]) for _ in range(3))))
def wav(path, i):
    with wave.open(path, "wb") as out:
        out.setnchannels(1), out.setsampwidth(2), out.setframerate(8000)
        out.writeframes(b"".join(struct.pack("<h", int(9000 * math.sin(k * (i + 3) / 30))) for k in range(4000)))
def ink(path, i):
    with open(path, "w") as out:
        for stroke in range(3):
            points = ["%d %d" % (300 * stroke + 100 * math.cos(k / 3), 100 * math.sin(k / 3)) for k in range(15 + i)]
            out.write(".PEN_DOWN\n%s\n.PEN_UP\n" % "\n".join(points))
def pgm(path, i):
    with open(path, "wb") as out:
        out.write(b"P5 60 24 255\n" + bytes((x * (i + 2) + y) % 256 for y in range(24) for x in range(60)))
table("wav", wav), table("ink", ink), table("pgm", pgm)
END

# train MODEL TABLE OPTION...: one update makes a model that attends somewhere.
train() {
    local model=$1 table=$2
    shift 2
    "$ATTEND" train --train "$work/data/$table.tsv" --valid "$work/data/$table.tsv" --tgt-tokenizer spaces --emb 8 --hidden 8 \
        --max-updates 1 --model "$work/$model" "$@" 2>"$work/log" || fail "$(cat "$work/log")"
}
train sound wav --src-tokenizer wav --encoder-layers 2 --pyramid 1
train pen ink --src-tokenizer ink
train line pgm --src-tokenizer image
train scene pgm --src-tokenizer image --image-layout patches --image-patch 8

# plot MODEL FILE TEXT: all formats; the SVG and the page hold the text.
plot() {
    local model=$1 file=$work/data/$2 text=$3 format
    for format in svg html png pdf; do
        "$ATTEND" plot --model "$work/$model" --output "$work/$model.$format" "$file" || fail "$model: no $format"
        [ -s "$work/$model.$format" ] || fail "$model: an empty $format"
    done
    python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$work/$model.svg" || fail "$model: not XML"
    grep -q "$text" "$work/$model.svg" || fail "$model: the SVG has no $text"
    grep -q "$text" "$work/$model.html" || fail "$model: the page has no $text"
    if grep -q '="-"\|="-*inf"' "$work/$model.svg"; then fail "$model: NaN or infinity in the SVG"; fi
    "$ATTEND" plot --model "$work/$model" "$file" >"$work/$model.txt"
    "$ATTEND" plot --model "$work/$model" --color always --dark "$file" | matches $'\e\\[' || fail "$model: no color"
    [ -s "$work/$model.txt" ] || fail "$model: nothing on the terminal"
}
plot sound wav0.wav ">seconds<"
plot pen ink0.ink "with the most weight"
plot line pgm0.pgm "light where the word attends most"
plot scene pgm0.pgm "light where the word attends most"
grep -q "<image" "$work/sound.svg" || fail "the spectrogram is not an image"

# Files by --src, relative to its folder; several hypotheses; several models.
cut -f1 "$work/data/ink.tsv" >"$work/data/ink.src"
"$ATTEND" plot --model "$work/pen" --src "$work/data/ink.src" --output "$work/pictures/" --limit 3
pictures=("$work/pictures/"*.svg)
equal "pictures" "${#pictures[@]}" 3
"$ATTEND" plot --model "$work/pen" --src "$work/data/ink.src" --output "$work/all.html"
equal "pictures of a page" "$(grep -c '<svg' "$work/all.html")" 12
"$ATTEND" plot --model "$work/sound" --beam 4 --nbest 3 --output "$work/three.svg" "$work/data/wav1.wav"
equal "panels" "$(grep -c '>seconds<' "$work/three.svg")" 3
"$ATTEND" plot --model "$work/line" --model "$work/scene" --output "$work/mixed.svg" "$work/data/pgm1.pgm" || fail "two kinds"
