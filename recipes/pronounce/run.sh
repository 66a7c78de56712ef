#!/usr/bin/env bash
# Pronunciation: letters to phones; see README.md.
#
# Usage: recipes/pronounce/run.sh [OPTION]... [LANGUAGE]...
# Without --data, it fetches CMUdict from Debian's package festlex-cmu. With --data DIR, it uses what is found there:
#   g014b2b.{train,words,ref}    CMUdict in the literature's split
#   xxx_{train,dev,test}.tsv     SIGMORPHON 2020; by default all languages xxx
#
#   --ensemble N     CMUdict: train N models, with --seed and the seeds after it, and combine them (default 1)
# shellcheck source=../lib.bash
. "$(dirname "$0")/../lib.bash"
option[ensemble]=1
dev_words=2670 test_words=12000 # of CMUdict, as in the literature

# evaluate SET "MODEL...": against $answers, `word<TAB>phones[<TAB>phones]...` lines; lines of one word are adjacent
evaluate() {
    local models words=$out/data/$1.$evaluated.words
    read -ra models <<<"$2"
    cut -f 1 "$answers" | uniq >"$words"
    answer "$1" "$2" "$words"
    value=$(measure word_error "$answered" --answers "$answers")
    record "$1-$evaluated" word_error "$value" "${models[@]}"
    value=$(measure ser "$answered" --answers "$answers")
    record "$1-$evaluated" phone_error "$value" "${models[@]}"
    draw "${models[0]}" "$words"
}

# dictionary SET FOLDER: train one or several models on FOLDER/{train,dev,test}.tsv
dictionary() {
    [ ${#names[@]} -eq 0 ] || die 2 "CMUdict has no language '${names[0]}': give a --data DIR that has it"
    [ "${option[config]}" != "$here/config.yaml" ] || option[config]=$here/cmudict.yaml
    answers=$2/$evaluated.tsv
    ensemble "$1" --train "$2/train.tsv" --valid "$2/dev.tsv"
}

festival() {
    local folder=$out/data/festival
    fetch_package festlex-cmu
    mkdir -p "$folder"
    awk -f "$here/festival.awk" "$out/packages/festlex-cmu/usr/share/festival/dicts/cmu/cmudict-0.4.out" >"$folder/dictionary.tsv"
    split_words "$folder/dictionary.tsv" "$folder" "$dev_words" "$test_words"
    cut_short "$folder"
    dictionary festival "$folder"
}

literature() {
    local folder=$out/data/g014b2b
    need g014b2b.train g014b2b.words g014b2b.ref
    split_words "${option[data]}/g014b2b.train" "$folder" "$dev_words" 0
    cp "${option[data]}/g014b2b.ref" "$folder/test.tsv"
    cut_short "$folder"
    dictionary g014b2b "$folder"
}

languages() {
    local language set folder=$out/data/sigmorphon
    local -a models=()
    choose_names language "" _train.tsv
    for language in "${names[@]}"; do need "$language"_{train,dev,test}.tsv; done
    for language in "${names[@]}"; do
        mkdir -p "$folder/$language"
        for set in train dev test; do cp "${option[data]}/${language}_$set.tsv" "$folder/$language/$set.tsv"; done
        cut_short "$folder/$language"
        models+=("$language.${option[seed]}")
        train "$language.${option[seed]}" --train "$folder/$language/train.tsv" --valid "$folder/$language/dev.tsv"
        answers=$folder/$language/$evaluated.tsv
        evaluate "$language" "$language.${option[seed]}"
    done
    mean "mean-$evaluated" word_error "${models[@]}"
    mean "mean-$evaluated" phone_error "${models[@]}"
}

begin "$@"
if [ -z "${option[data]}" ]; then
    festival
elif [ -e "${option[data]}/g014b2b.train" ]; then
    literature
elif [ -n "$(found "" _train.tsv)" ]; then
    [ "${option[ensemble]}" -eq 1 ] || die 2 "--ensemble works only for CMUdict"
    languages
else
    die 2 "--data ${option[data]} has neither g014b2b.train nor a language's xxx_train.tsv"
fi
finish
