#!/usr/bin/env bash
# Translates titles of Debian packages from English to another language; see README.md.
#
# Usage: recipes/debian-titles/run.sh [OPTION]... [LANGUAGE]
# LANGUAGE is `it` by default; others are de, fr, ja, pt_BR, ru, ... as far as Debian has translations. apt fetches the
# texts without root, about 12 MB; with --data DIR they come from DIR/*Translation-{en,LANGUAGE}*, as in
# /var/lib/apt/lists.
#
#   --attention NAME as for attend train (default additive); none turns copying off too
#   --plain          no copying of English words
# shellcheck source=../lib.bash
. "$(dirname "$0")/../lib.bash"
option[attention]=additive
switch[plain]=""

# prepare LANGUAGE FOLDER: makes FOLDER/{train,dev,test}.tsv. If a title has several translations, the most frequent
# counts. Titles with the same beginning form a family.
prepare() {
    local sizes=(1000 2000)
    [ -z "$quick" ] || sizes=(50 50)
    mkdir -p "$2"
    descriptions en >"$2/en"
    descriptions "$1" | awk -F '\t' 'NR == FNR { title[$1] = $2; next } $1 in title { print title[$1] "\t" $2 }' "$2/en" - |
        awk -f "$here/../spelling/memory.awk" | with_family >"$2/pairs"
    split_families "$2/pairs" "$2" "${sizes[@]}"
    cut_short "$2"
    awk -F '\t' '{ words += split($1, word, " ") } END { print NR " titles of " words / NR " words" }' "$2"/{train,dev,test}.tsv >&2
}

# score SET SUFFIX HYP REF [MODEL]: SUFFIX distinguishes a baseline's metrics from the model's
score() {
    local metric set=$1 suffix=$2 hyp=$3 ref=$4
    shift 4
    for metric in bleu chrf; do
        value=$(measure $metric "$hyp" --ref "$ref")
        record "$set" $metric"$suffix" "$value" "$@"
    done
}

begin "$@"
[ ${#names[@]} -le 1 ] || die 2 "takes one language, not '${names[*]}'"
language=${names[0]:-it}
[[ $language =~ ^[a-z]{2,3}(_[A-Z]{2})?$ && $language != en ]] || die 2 "takes a language such as it or pt_BR, not '$language'"
fetch_descriptions en "$language"
data=$out/data/$language
prepare "$language" "$data"

name=en-$language
copy=(--copy)
[ "${option[attention]}" = additive ] || name+=-${option[attention]}
[ "${option[attention]}" = none ] || [ -z "${switch[plain]}" ] || name+=-plain
[ "${option[attention]}" != none ] && [ -z "${switch[plain]}" ] || copy=()
model=$name.${option[seed]}
train "$model" --train "$data/train.tsv" --valid "$data/dev.tsv" --source-lang en --target-lang "${language/_/-}" \
    --attention "${option[attention]}" "${copy[@]}"

say "$evaluated set"
cut -f 1 "$data/$evaluated.tsv" >"$data/$evaluated.src"
cut -f 2 "$data/$evaluated.tsv" >"$data/$evaluated.ref"
translate "$model" --input "$data/$evaluated.src" --output "$out/$model.$evaluated"
score "en-$language-$evaluated" _no_change "$data/$evaluated.src" "$data/$evaluated.ref"
score "$name-$evaluated" "" "$out/$model.$evaluated" "$data/$evaluated.ref" "$model"
echo "BLEU is $(signature bleu "$out/$model.$evaluated" --ref "$data/$evaluated.ref")"
echo "chrF is $(signature chrf "$out/$model.$evaluated" --ref "$data/$evaluated.ref")"
[ "${option[attention]}" = none ] || draw "$model" "$data/$evaluated.src" --words
finish
