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

# printed SET FONTS WORDS: draw each word of a file in each font of a file
printed() {
    local font word number=0
    mkdir -p "$out/data/$1"
    while read -r font; do
        while read -r word; do
            number=$((number + 1))
            pango-view -q --no-display --dpi=72 --margin=4 --font="$font 22" --text="$word" --output="$out/data/$1/$number.png" ||
                die 1 "pango-view cannot draw '$word' in $font"
            echo "$number.png"$'\t'"$(sed 's/./& /g; s/ $//' <<<"$word")"
        done <"$3"
    done <"$2" >"$out/data/$1/list.tsv"
}

# words FROM TO: these lines of the short names of Debian's packages, in an order that depends on nothing else
words() { apt-cache pkgnames 2>/dev/null | grep -E '^[a-z]{3,8}$' | sort -u | by_hash 0 | sed -n "$1,$2p"; }

print_words() {
    local count
    command -v pango-view fc-list >/dev/null || die 1 "needs pango-view and fc-list: apt-get install pango1.0-tools fontconfig fonts-dejavu"
    fonts >"$out/data/fonts"
    count=$(wc -l <"$out/data/fonts")
    [ "$count" -ge 4 ] || die 1 "needs at least 4 fonts with Latin letters, not $count: apt-get install fonts-dejavu fonts-liberation"
    head -n $((count * 3 / 4)) "$out/data/fonts" | shorten 3 >"$out/data/fonts.train"
    tail -n +$((count * 3 / 4 + 1)) "$out/data/fonts" | shorten 2 >"$out/data/fonts.test"
    words 1 100 | shorten 8 >"$out/data/words.dev"
    words 101 300 | shorten 8 >"$out/data/words.test"
    words 301 $((300 + 20000 / $(wc -l <"$out/data/fonts.train"))) | shorten 20 >"$out/data/words.train"
    [ -s "$out/data/words.train" ] || die 1 "apt knows no package names: run apt-get update"
    printed train "$out/data/fonts.train" "$out/data/words.train"
    printed dev "$out/data/fonts.test" "$out/data/words.dev"
    printed test "$out/data/fonts.test" "$out/data/words.test"
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
