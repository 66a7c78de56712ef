#!/usr/bin/env bash
# PNG and PDF: they are valid and the same each time, and the program does not link the painter.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
program=$(dirname "$ATTEND")
model=$work/model.safetensors
tiny_model "$model"
plot() { "$ATTEND" plot --model "$model" --max-length 1 "$@" "mai ghar ja raha hoon" "I am going home"; }

# Without its module, the program says what to install, and still draws SVG.
mkdir "$work/bare"
cp "$ATTEND" "$work/bare/attend"
refused 1 "attend-paint.so.*libpango1.0-dev" "$work/bare/attend" plot --model "$model" --output "$work/x.png" "mai ghar"
[ ! -e "$work/x.png" ] || fail "a picture without a painter"
"$work/bare/attend" plot --model "$model" --output "$work/x.svg" "mai ghar" || fail "no SVG without the painter"

[ -e "$program/attend-paint.so" ] || { echo "skipped: built without pango"; exit 77; }
if command -v ldd >/dev/null && ldd "$ATTEND" | matches -E 'cairo|pango'; then fail "the program links the painter"; fi

plot --output "$work/a.png" --title "Wohin?"
equal "the first bytes of a PNG" "$(head -c 8 "$work/a.png" | od -An -tx1 | tr -d ' ')" 89504e470d0a1a0a
plot --output "$work/a.pdf" --title "Wohin?"
equal "the first bytes of a PDF" "$(head -c 5 "$work/a.pdf")" "%PDF-"
for kind in png pdf; do
    plot --output "$work/b.$kind" --title "Wohin?"
    cmp "$work/a.$kind" "$work/b.$kind" || fail "the same picture is another $kind"
done
refused 1 "none/x.png: cannot be written" "$ATTEND" plot --model "$model" --output "$work/none/x.png" "mai ghar"

command -v pdftotext >/dev/null || { echo "skipped: no pdftotext"; exit 77; }
pdftotext "$work/a.pdf" "$work/a.txt"
for word in Wohin I am going home weight; do
    grep -qw -- "$word" "$work/a.txt" || fail "'$word' is no text in the PDF: $(cat "$work/a.txt")"
done
