#!/usr/bin/env bash
# Reads lines of handwriting from pictures: one to six digits side by side, or printed words; see README.md.
#
# Usage: recipes/read/run.sh [--data DIR] [OPTION]...
# DIR has MNIST's images-idx3-ubyte.gz and labels-idx1-ubyte.gz: the first 8,000 digits are for training (the last 1,000
# of them for development), the rest for the test. Without --data: words in the machine's fonts, drawn by pango-view.
# shellcheck source=../lib.bash
. "$(dirname "$0")/../lib.bash"

# handwriting SET FROM TO COUNT SEED [distort]
handwriting() {
    mkdir -p "$out/data/$1"
    perl "$here/lines.pl" "${option[data]}" "$2" "$3" "$4" "$5" "$out/data/$1" "${6:-}" \
        >"$out/data/$1/list.tsv"
}

# fonts: names of font families with Latin letters, one per line, in an order that is the same on every machine
fonts() { fc-list :lang=en family | cut -d , -f 1 | sort -u | by_hash 0; }

# printed SET FROM TO WORDS: draw other words in each of these fonts of the list, WORDS in each, and take these words off
# the list
printed() {
    local font number=0 folder=$out/data/$1
    mkdir -p "$folder"
    sed -n "$2,$3p" "$out/data/fonts" >"$folder/fonts"
    while read -r font; do
        head -n "$4" "$out/data/words" >"$folder/words"
        sed -i "1,$4d" "$out/data/words"
        pango-view -q --no-display --backend=ft2 --dpi=72 --margin=4 --font="$font 22" --output="$folder/page.pgm" \
            "$folder/words" || die 1 "pango-view cannot draw words in $font"
        perl "$here/cut.pl" "$folder/page.pgm" "$4" 4 "$folder" $((number + 1))
        awk -v number=$number '{ gsub(/./, "& "); sub(/ $/, ""); print number + NR ".pgm\t" $0 }' "$folder/words"
        number=$((number + $4))
    done <"$folder/fonts" >"$folder/list.tsv"
}

# words: the short names of Debian's packages, in an order that depends on nothing else
words() { apt-cache pkgnames 2>/dev/null | grep -E '^[a-z]{3,8}$' | sort -u | by_hash 0; }

# print_words: an eighth of the fonts for the test, an eighth for development, the others for training; no word is in two
# sets, and each word of the training set is drawn in two fonts
print_words() {
    local fonts few count
    command -v pango-view fc-list perl >/dev/null || die 1 "needs pango-view, fc-list and perl: apt-get install pango1.0-tools fontconfig fonts-dejavu"
    fonts | shorten 4 >"$out/data/fonts"
    fonts=$(wc -l <"$out/data/fonts")
    [ "$fonts" -ge 4 ] || die 1 "needs at least 4 fonts with Latin letters, not $fonts: apt-get install fonts-dejavu fonts-liberation"
    few=$((fonts < 16 ? 1 : fonts / 8))
    words | shorten 400 >"$out/data/words"
    printed test 1 $few 40
    printed dev $((few + 1)) $((2 * few)) 20
    count=$(wc -l <"$out/data/words")
    [ "$count" -ge "$fonts" ] || die 1 "apt knows too few package names: run apt-get update"
    cat "$out/data/words" "$out/data/words" >"$out/data/words.train"
    mv "$out/data/words.train" "$out/data/words"
    printed train $((2 * few + 1)) "$fonts" $((2 * count / (fonts - 2 * few)))
}

begin "$@"
no_names
say "drawing lines"
if [ -n "${option[data]}" ]; then
    set=handwriting
    need images-idx3-ubyte.gz labels-idx1-ubyte.gz
    handwriting train 0 7000 "$(short 60 20000)" 1 distort
    handwriting dev 7000 8000 "$(short 20 500)" 2
    handwriting test 8000 9000 "$(short 20 2000)" 3
else
    set=print
    print_words
fi

model=$set.${option[seed]}
train "$model" --train "$out/data/train/list.tsv" --valid "$out/data/dev/list.tsv"

say "$evaluated set"
answer_files "$model" "$out/data/$evaluated/list.tsv"
record_files "$set-$evaluated" "$model"
draw "$model" "$out/data/$model.src"
finish
