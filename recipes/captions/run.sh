#!/usr/bin/env bash
# Captions of pictures from English to German and French, Multi30k; see README.md.
#
# Usage: recipes/captions/run.sh --data DIR [OPTION]... [LANGUAGE]...
# DIR has {train,val,test_2016_flickr}.en and the same for each LANGUAGE, de or fr; all that are found, or those named.
#
#   --ensemble N     train N models, of --seed and the seeds after it, that answer together (default 1)
# shellcheck source=../lib.bash
. "$(dirname "$0")/../lib.bash"
option[ensemble]=1
as_published=(--lowercase --tokenize 13a)
declare -A file=([train]=train [dev]=val [test]=test_2016_flickr)

# judge NAME "MODEL...": against the text as it is; its case does not count
judge() {
    local models ref=$out/data/$judged.$language
    read -ra models <<<"$2"
    answer "$1" "$2" "$out/data/$judged.en.lower"
    value=$(measure bleu "$answered" --ref "$ref" "${as_published[@]}")
    record "$1-$judged" bleu "$value" "${models[@]}"
    draw "${models[0]}" "$out/data/$judged.en.lower" --words
}

begin "$@"
choose_names language train. ""
languages=()
for language in "${names[@]}"; do [ "$language" = en ] || languages+=("$language"); done
[ ${#languages[@]} -gt 0 ] || die 2 "translates from en to another language"
for language in en "${languages[@]}"; do need {train,val,test_2016_flickr}."$language"; done
for language in en "${languages[@]}"; do
    for set in train dev test; do
        shorten "$([ $set = train ] && echo 400 || echo 50)" <"${option[data]}/${file[$set]}.$language" >"$out/data/$set.$language"
        lower <"$out/data/$set.$language" >"$out/data/$set.$language.lower"
    done
done
for language in "${languages[@]}"; do
    ensemble "en-$language" --source-lang en --target-lang "$language" \
        --train-src "$out/data/train.en.lower" --train-tgt "$out/data/train.$language.lower" \
        --valid-src "$out/data/dev.en.lower" --valid-tgt "$out/data/dev.$language.lower"
done
echo "BLEU is $(signature bleu "$out/data/$judged.en" --ref "$out/data/$judged.en" "${as_published[@]}")"
finish
