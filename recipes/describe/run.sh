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

# scenes SET FROM TO COUNT SEED [distort]
scenes() {
    mkdir -p "$out/data/$1"
    perl "$here/scenes.pl" "${option[data]}" "$2" "$3" "$4" "$5" "$out/data/$1" "${6:-}" \
        >"$out/data/$1/list.tsv"
}
say "drawing scenes"
scenes train 0 7000 "$(short 60 40000)" 1 distort
scenes dev 7000 8000 "$(short 20 500)" 2
scenes test 8000 9000 "$(short 20 1000)" 3

model=describe.${option[seed]}
train "$model" --train "$out/data/train/list.tsv" --valid "$out/data/dev/list.tsv"

say "$evaluated set"
answer_files "$model" "$out/data/$evaluated/list.tsv"
record_files "$evaluated" "$model"
translate "$model" --input "$out/data/$model.src" --output "$out/$model.weights" --alignment soft
patch=$(awk '$1 == "image-patch:" { print $2 }' "${option[config]}")
if weight=$(awk -v patch="$patch" -v columns=$((80 / patch)) -f "$here/weights.awk" "$out/data/$evaluated/boxes" "$out/$model.weights"); then
    record "$evaluated" weight_in_box "$weight" "$model"
fi
draw "$model" "$out/data/$model.src"
finish
