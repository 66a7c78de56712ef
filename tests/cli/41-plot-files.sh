#!/usr/bin/env bash
# Drawing many sentences: files of sentences and pairs, folders and pages, several models, hypotheses and heads.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
model=$work/model.safetensors
tiny_model "$model"
plot() { "$ATTEND" plot --threads 1 --max-length 1 "$@"; }
head -n 3 "$demo/test.hi" >"$work/three.hi"
head -n 3 "$demo/test.en" >"$work/three.en"

# ---- A file, drawn in the terminal: the same pictures as one by one ----
plot --model "$model" --src "$work/three.hi" --tgt "$work/three.en" >"$work/all"
equal "headings" "$(grep -c '^line [123]$' "$work/all")" 3
plot --model "$model" "$(sed -n 2p "$work/three.hi")" "$(sed -n 2p "$work/three.en")" >"$work/second"
sed -n '/^line 2$/,/^line 3$/p' "$work/all" | grep -v '^line' | grep . >"$work/part"
grep . "$work/second" >"$work/second.text"
cmp -s "$work/part" "$work/second.text" || fail "line 2 of a file is drawn differently"
plot --model "$model" --src - <"$work/three.hi" >"$work/piped"
plot --model "$model" --src "$work/three.hi" >"$work/named"
cmp -s "$work/piped" "$work/named" || fail "standard input is drawn differently"
equal "--limit" "$(plot --model "$model" --src "$work/three.hi" --limit 2 | grep -c '^line')" 2
equal "--title" "$(plot --model "$model" --src "$work/three.hi" --limit 1 --title Three | grep -c '^Three, line 1$')" 1
gzip -c "$work/three.hi" >"$work/three.gz"
plot --model "$model" --src "$work/three.gz" | cmp -s - "$work/named" || fail "a compressed file is drawn differently"

# ---- A folder, which is created; files in it are replaced ----
plot --model "$model" --src "$work/three.hi" --output "$work/folder/"
equal "files" "$(cd "$work/folder" && echo *)" "000001.svg 000002.svg 000003.svg"
echo old >"$work/folder/000002.svg"
echo mine >"$work/folder/other.txt"
plot --model "$model" --src "$work/three.hi" --output "$work/folder" --format svg
grep -q '<svg' "$work/folder/000002.svg" || fail "an old picture was kept"
grep -q mine "$work/folder/other.txt" || fail "a file that is none of ours is gone"
if plot --model "$model" "mai ghar" --output "$work/x.png" 2>"$work/painter"; then
    plot --model "$model" --src "$work/three.hi" --output "$work/painted/" --format png
    equal "a PNG" "$(head -c 8 "$work/painted/000003.png" | tail -c 7 | head -c 3)" PNG
    plot --model "$model" --src "$work/three.hi" --limit 1 --output "$work/x.pdf"
    equal "a PDF" "$(head -c 5 "$work/x.pdf")" %PDF-
else
    equal "lines when nothing can be painted" "$(wc -l <"$work/painter")" 1
fi

# ---- A page ----
plot --model "$model" --src "$work/three.hi" --tgt "$work/three.en" --output "$work/gallery.html" --title Gallery
for text in Gallery "line 1" "line 3" Sita; do
    grep -q "$text" "$work/gallery.html" || fail "'$text' is not in the page"
done

# ---- One file has one picture ----
refused 2 "several sentences, with a picture each" "$ATTEND" plot --model "$model" --src "$work/three.hi" --output "$work/one.svg"
[ ! -e "$work/one.svg" ] || fail "a picture of one of several sentences was left"
plot --model "$model" --src "$work/three.hi" --limit 1 --output "$work/one.svg"
grep -q '<svg' "$work/one.svg" || fail "no picture of the first"

# ---- Several models, hypotheses and heads ----
mkdir "$work/b"
cp "$model" "$work/other.safetensors"
cp "$model" "$work/b/model.safetensors"
plot --model "$model" --model "$work/other.safetensors" "mai ghar" >"$work/two"
equal "panels of models" "$(grep -o '\(model\|other\).safetensors' "$work/two" | sort -u | wc -l)" 2
plot --model "$model" --model "$work/b/model.safetensors" "mai ghar" >"$work/two"
grep -q "$work/b/model.safetensors" "$work/two" || fail "models of one name are not told apart"
plot --model "$model" --nbest 3 "mai ghar" >"$work/nbest"
equal "panels of hypotheses" "$(grep -o 'hypothesis [123] (' "$work/nbest" | sort -u | wc -l)" 3
"$ATTEND" train --train-src "$work/tiny.hi" --train-tgt "$work/tiny.en" --model "$work/heads" --emb 8 --hidden 12 \
    --attention scaled_dot --heads 2 --attention-size 8 --max-updates 3 --threads 1 --tokenizer spaces 2>"$work/log" || fail "$(cat "$work/log")"
plot --model "$work/heads" --each-head "mai ghar ja raha hoon" >"$work/searched"
equal "panels of heads" "$(grep -o 'head [12]' "$work/searched" | sort -u | wc -l)" 2
line=$(echo "mai ghar ja raha hoon" | "$ATTEND" translate --threads 1 --max-length 1 --model "$work/heads" --alignment json 2>/dev/null)
text=${line#*\"text\":\"}
plot --model "$work/heads" --each-head "mai ghar ja raha hoon" "${text%%\"*}" >"$work/forced"
rows() { sed 's/^ *//' "$1" | grep -v '^</s>'; } # the search may have been cut off before it
[ "$(rows "$work/searched")" = "$(rows "$work/forced")" ] || fail "a forced translation's heads look elsewhere"
equal "one head" "$(plot --model "$model" --each-head "mai ghar" | grep -c 'head' || true)" 0
"$ATTEND" train --train-src "$work/tiny.hi" --train-tgt "$work/tiny.en" --model "$work/pieces" --emb 8 --hidden 12 \
    --tokenizer char --max-updates 1 --threads 1 2>"$work/log" || fail "$(cat "$work/log")"
plot --model "$work/pieces" --words --output "$work/words.svg" "mai ghar" "I am home"
equal "cells of words" "$(grep -o '</title></rect>' "$work/words.svg" | wc -l)" 12

# ---- Empty lines and bad files ----
printf 'mai ghar\n\nmai\n' >"$work/gaps"
plot --model "$model" --src "$work/gaps" >"$work/drawn" 2>"$work/said"
equal "pictures" "$(grep -c '^line [13]$' "$work/drawn")" 2
grep -q "1 sentences without words" "$work/said" || fail "an empty line was not named"
: >"$work/empty"
refused 1 "nothing to draw" "$ATTEND" plot --model "$model" --src "$work/empty"
head -n 1 "$work/three.en" >"$work/short"
refused 1 "three.hi has 3 lines and .*short has 1: they must pair line for line" "$ATTEND" plot --model "$model" --src "$work/three.hi" --tgt "$work/short"
printf 'mai\nmai \xff ghar\n' >"$work/broken"
refused 1 "broken:2: invalid UTF-8" "$ATTEND" plot --model "$model" --src "$work/broken"
refused 1 "missing: cannot be opened" "$ATTEND" plot --model "$model" --src "$work/missing"
refused 1 "cannot create the folder" "$ATTEND" plot --model "$model" --src "$work/three.hi" --output "$work/short/x/"
mkdir -p "$work/taken/000001.svg"
refused 1 "000001.svg: cannot be written" "$ATTEND" plot --model "$model" --src "$work/three.hi" --output "$work/taken/"
if [ "$(id -u)" != 0 ]; then
    mkdir "$work/closed"
    chmod a-w "$work/closed"
    refused 1 "000001.svg: cannot be written" "$ATTEND" plot --model "$model" --src "$work/three.hi" --output "$work/closed/"
fi

# ---- Usage errors ----
refused 2 "give a sentence or --src, not both" "$ATTEND" plot --model "$model" --src "$work/three.hi" "mai"
refused 2 "\-\-tgt needs --src" "$ATTEND" plot --model "$model" --tgt "$work/three.en"
refused 2 "only one of --src and --tgt" "$ATTEND" plot --model "$model" --src - --tgt -
refused 2 "\-\-model is needed" "$ATTEND" plot --src "$work/three.hi"
refused 2 "\-\-format needs --output FOLDER/" "$ATTEND" plot --model "$model" --format png "mai"
refused 2 "one of svg, png, pdf, json, not 'gif'" "$ATTEND" plot --model "$model" --format gif "mai"
refused 2 "one of heatmap, links, salience, not 'map'" "$ATTEND" plot --model "$model" --view map "mai"
refused 2 "needs --beam 9 or more" "$ATTEND" plot --model "$model" --nbest 9 "mai"
refused 2 "ends in .svg, .png, .pdf, .html or .json" "$ATTEND" plot --model "$model" --output x.gif "mai"
