#!/usr/bin/env bash
# Transliterates names, Arabic to Latin and Latin to katakana; see README.md.
#
# Usage: recipes/names/run.sh --data DIR [OPTION]... [ar-en] [en-ja]
# DIR has one of these or both:
#   ar2en-{train,eval,test}.txt    `Arabic<TAB>English` lines
#   wd_katakana_{64,16,20}         `English<TAB>k a t a k a n a<TAB>count` lines for training, validation and test
# shellcheck source=../lib.bash
. "$(dirname "$0")/../lib.bash"
declare -A epochs=([ar-en]=20 [en-ja]=7)
declare -A train_file=([ar-en]=ar2en-train.txt [en-ja]=wd_katakana_64)
declare -A dev_file=([ar-en]=ar2en-eval.txt [en-ja]=wd_katakana_16)
declare -A test_file=([ar-en]=ar2en-test.txt [en-ja]=wd_katakana_20)

# pairs FILE LINES: `source<TAB>target` lines, without the spaces in katakana; lines of one source are adjacent
pairs() { awk -F '\t' '{ gsub(/ /, "", $2); print $1 "\t" $2 }' "${option[data]}/$1" | shorten "$2" | sort -u; }

# evaluate SET MODEL
evaluate() {
    local metric syllables="" data=$out/data/$1.$evaluated
    [ "$1" != en-ja ] || syllables=1
    cut -f 1 "$data.tsv" | uniq >"$data.src"
    awk -v syllables=$syllables -f "$here/letters.awk" "$out/data/$1.train.tsv" "$data.src" >"$data.letters"
    translate "$2" --input "$data.src" --output "$out/$2.$evaluated"
    for metric in accuracy ser; do
        value=$(measure $metric "$data.letters" --answers "$data.tsv" --tokenize char)
        record "$1-$evaluated" "${metric/ser/character_error}_letters" "$value"
        value=$(measure $metric "$out/$2.$evaluated" --answers "$data.tsv" --tokenize char)
        record "$1-$evaluated" "${metric/ser/character_error}" "$value" "$2"
    done
    draw "$2" "$data.src"
}

begin "$@"
[ ${#names[@]} -gt 0 ] || for set in ar-en en-ja; do
    [ ! -e "${option[data]:-/nowhere}/${train_file[$set]}" ] || names+=("$set")
done
[ ${#names[@]} -gt 0 ] || need ar2en-train.txt
for set in "${names[@]}"; do
    [ -n "${train_file[$set]:-}" ] || die 2 "unknown set '$set'; choose ar-en or en-ja"
    need "${train_file[$set]}" "${dev_file[$set]}" "${test_file[$set]}"
done
for set in "${names[@]}"; do
    model=$set.${option[seed]}
    pairs "${train_file[$set]}" 400 >"$out/data/$set.train.tsv"
    pairs "${dev_file[$set]}" 50 >"$out/data/$set.dev.tsv"
    pairs "${test_file[$set]}" 50 >"$out/data/$set.test.tsv"
    train "$model" --max-epochs "${epochs[$set]}" --train "$out/data/$set.train.tsv" --valid "$out/data/$set.dev.tsv" \
        --source-lang "${set%-*}" --target-lang "${set#*-}"
    evaluate "$set" "$model"
done
finish
