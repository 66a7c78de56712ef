#!/usr/bin/env bash
# Describes scenes of two to four handwritten digits in words, and checks where the model looked for each digit; see
# README.md.
#
# Usage: recipes/describe/run.sh --data DIR [OPTION]...
# DIR has MNIST's images-idx3-ubyte.gz and labels-idx1-ubyte.gz: the first 8,000 digits are for training (the last 1,000
# of them for development), the rest for the test.
# shellcheck source=../lib.bash
. "$(dirname "$0")/../lib.bash"
begin "$@"
no_names
need images-idx3-ubyte.gz labels-idx1-ubyte.gz

# scenes SET FROM TO COUNT SEED
scenes() {
    mkdir -p "$out/data/$1"
    perl "$here/scenes.pl" "${option[data]}" "$2" "$3" "$4" "$5" "$out/data/$1" >"$out/data/$1/list.tsv"
}
say "drawing scenes"
scenes train 0 7000 "$([ -z "$quick" ] && echo 20000 || echo 60)" 1
scenes dev 7000 8000 "$([ -z "$quick" ] && echo 500 || echo 20)" 2
scenes test 8000 9000 "$([ -z "$quick" ] && echo 1000 || echo 20)" 3

model=describe.${option[seed]}
train "$model" --train "$out/data/train/list.tsv" --valid "$out/data/dev/list.tsv"

say "$evaluated set"
sed "s|^|$out/data/$evaluated/|" "$out/data/$evaluated/list.tsv" | cut -f 1 >"$out/data/$evaluated.src"
cut -f 2 "$out/data/$evaluated/list.tsv" >"$out/data/$evaluated.ref"
translate "$model" --input "$out/data/$evaluated.src" --output "$out/$model.$evaluated"
translate "$model" --input "$out/data/$evaluated.src" --output "$out/$model.weights" --alignment soft
record "$evaluated" accuracy "$(measure accuracy "$out/$model.$evaluated" --ref "$out/data/$evaluated.ref")" "$model"
weight=$(awk -v patch=8 -v columns=10 -f "$here/weights.awk" "$out/data/$evaluated/boxes" "$out/$model.weights") || weight=0.00
record "$evaluated" weight_in_box "$weight" "$model"
draw "$model" "$out/data/$evaluated.src"
finish
