#!/usr/bin/env bash
# Runs recipes in their shortened form, by default all, and fails unless each prints its results and draws its pictures.
# The data is in the folders of $ATTEND_DATA named below; recipes without data are skipped with a note.
#
# Usage: recipes/quick.sh [RECIPE]...
set -euo pipefail
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wanted=" $* "
data=${ATTEND_DATA:-}

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# check RECIPE SETS METRIC MODELS: check that results.tsv has a number of the metric for SETS sets, and that MODELS
# models have pictures
check() {
    local rows folder
    rows=$(awk -F '\t' -v task="$1" -v metric="$3" '
        $1 == task && $3 == metric && $4 ~ /^[0-9]+\.[0-9][0-9]$/ && $5 ~ /^[0-9]+$/ && $6 > 0' "$work/out/results.tsv" | wc -l)
    [ "$rows" = "$2" ] || fail "$1 gave $rows results in $3, not $2: $(cat "$work/out/results.tsv")"
    [ "$(find "$work/out/attention" -mindepth 1 -type d | wc -l)" = "$4" ] || fail "$1 did not draw $4 models"
    for folder in "$work"/out/attention/*; do
        grep -q '<text' "$folder"/000003.svg || fail "$1 drew no attention into ${folder##*/}"
    done
}

# try RECIPE FOLDER SETS METRIC MODELS ARGUMENT...: FOLDER is below ATTEND_DATA, or - if the recipe gets its own data
try() {
    local recipe=$1 folder=${2#-} sets=$3 metric=$4 models=$5 start=$SECONDS why
    shift 5
    [[ $wanted == "  " || $wanted == *" $recipe "* ]] || return 0
    if [ -n "$folder" ]; then
        [ -d "${data:-/nowhere}/$folder" ] || { echo "$recipe: skipped: no $folder in ATTEND_DATA" && return 0; }
        set -- "$@" --data "$data/$folder"
    fi
    rm -rf "$work/out"
    if ! bash "$here/$recipe/run.sh" --quick --threads 1 --out "$work/out" "$@" >"$work/said" 2>"$work/log"; then
        ! why=$(grep -o "Debian's .* cannot be downloaded" "$work/log") || { echo "$recipe: skipped: $why" && return 0; }
        fail "$recipe $*: $(tail -n 5 "$work/log")"
    fi
    check "$recipe" "$sets" "$metric" "$models"
    echo "$recipe${folder:+ $folder}: ok, $((SECONDS - start)) s"
}

try dates - 1 accuracy 1
try pronounce - 1 word_error 1
try pronounce cmudict 3 word_error 2 --ensemble 2
try pronounce sigmorphon2020-g2p 3 word_error 2 ice jpn
try inflect conll2017-inflection 3 accuracy 2 --amount medium german turkish
try names translit 2 accuracy 2
try spelling histnorm/german 4 accuracy 2
try captions multi30k 3 bleu 2 --ensemble 2 de
try length multi30k 6 bleu_additive 1
try length tatoeba-eng-fra 6 bleu_none 1 --longest 20
try listen speech-digits 9 accuracy 2
try ink pen-digits 1 accuracy 1
try write pen-digits 5 accuracy 1
try write - 5 accuracy 1
try read mnist-digits 1 accuracy 1
try describe mnist-digits 1 accuracy 1
# The second uses what the first has fetched.
try debian-titles - 1 bleu 1
fetched=()
[ ! -d "$work/out/descriptions" ] || { mv "$work/out/descriptions" "$work" && fetched=(--data "$work/descriptions"); }
try summarize - 1 rouge1 1 "${fetched[@]}"
