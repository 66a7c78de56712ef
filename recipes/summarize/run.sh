#!/usr/bin/env bash
# Writes the title of a Debian package from its long description; see README.md.
#
# Usage: recipes/summarize/run.sh [OPTION]...
# apt fetches the texts without root, about 6 MB; with --data DIR they come from DIR/*Translation-en*, as in
# /var/lib/apt/lists.
#
#   --plain          no copying of the description's words
#   --words N        read the first N words of a description (default 100)
# shellcheck source=../lib.bash
. "$(dirname "$0")/../lib.bash"
option[words]=100
switch[plain]=""

# prepare FOLDER: makes FOLDER/{train,dev,test}.tsv, `description<TAB>title` lines
prepare() {
    local sizes=(1000 2000)
    [ -z "$quick" ] || sizes=(50 50)
    mkdir -p "$1"
    descriptions en | cut -f 2- | with_family | awk -v words="${option[words]}" -f "$here/families.awk" >"$1/pairs"
    split_families "$1/pairs" "$1" "${sizes[@]}"
    cut_short "$1"
}

# first_words TRAIN SOURCES: the baseline, the first words of each description, as many as titles have on average
first_words() {
    awk -F '\t' 'NR == FNR { words += split($2, word, " "); titles++; next }
        { count = split($1, word, " "); line = word[1]
          for (i = 2; i <= count && i <= int(words / titles + 0.5); i++) line = line " " word[i]
          print line }' "$1" "$2"
}

# score SUFFIX HYP [MODEL]: SUFFIX distinguishes the baseline's metrics from the model's
score() {
    local metric suffix=$1 hyp=$2 set=$evaluated
    shift 2
    [ $# -eq 0 ] || set=${1%.*}-$evaluated
    for metric in rouge1 rouge2 rougel; do
        value=$(measure $metric "$hyp" --ref "$data/$evaluated.ref")
        record "$set" $metric"$suffix" "$value" "$@"
    done
}

begin "$@"
no_names
[[ ${option[words]} =~ ^[1-9][0-9]{0,3}$ ]] || die 2 "--words takes a number from 1, not '${option[words]}'"
fetch_descriptions en
data=$out/data
prepare "$data"

copy=(--copy) name=copy
[ -z "${switch[plain]}" ] || copy=() name=plain
model=$name.${option[seed]}
train "$model" --train "$data/train.tsv" --valid "$data/dev.tsv" "${copy[@]}"

say "$evaluated set"
cut -f 1 "$data/$evaluated.tsv" >"$data/$evaluated.src"
cut -f 2 "$data/$evaluated.tsv" >"$data/$evaluated.ref"
translate "$model" --input "$data/$evaluated.src" --output "$out/$model.$evaluated"
first_words "$data/train.tsv" "$data/$evaluated.src" >"$data/$evaluated.first"
score _first_words "$data/$evaluated.first"
score "" "$out/$model.$evaluated" "$model"
awk 'NF <= 30' "$data/$evaluated.src" >"$data/drawn" # short enough for a picture
draw "$model" "$data/drawn" --words --view links
finish
