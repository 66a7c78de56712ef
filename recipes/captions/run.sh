#!/usr/bin/env bash
# Translates image captions from English to German and French, Multi30k; see README.md.
#
# Usage: recipes/captions/run.sh --data DIR [OPTION]... [LANGUAGE]...
# DIR has {train,val,test_2016_flickr}.en and the same for each LANGUAGE, de or fr; by default all that are found.
#
#   --ensemble N     train N models, with --seed and the seeds after it, and combine them (default 1)
# shellcheck source=../lib.bash
. "$(dirname "$0")/../lib.bash"
option[ensemble]=1
as_published=(--lowercase --tokenize 13a)
declare -A file=([train]=train [dev]=val [test]=test_2016_flickr)

# evaluate NAME "MODEL...": against the original text, ignoring case
evaluate() {
    local models ref=$out/data/$evaluated.$language
    read -ra models <<<"$2"
    answer "$1" "$2" "$out/data/$evaluated.en.lower"
    value=$(measure bleu "$answered" --ref "$ref" "${as_published[@]}")
    record "$1-$evaluated" bleu "$value" "${models[@]}"
    draw "${models[0]}" "$out/data/$evaluated.en.lower" --words
}

begin "$@"
choose_names language train. ""
languages=()
for language in "${names[@]}"; do [ "$language" = en ] || languages+=("$language"); done
[ ${#languages[@]} -gt 0 ] || die 2 "needs a LANGUAGE other than en"
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
echo "BLEU is $(signature bleu "$out/data/$evaluated.en" --ref "$out/data/$evaluated.en" "${as_published[@]}")"
finish
