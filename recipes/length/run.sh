#!/usr/bin/env bash
# BLEU by sentence length, a fixed context versus attention at the same size; see README.md.
#
# Usage: recipes/length/run.sh --data DIR [OPTION]... [LANGUAGE]
# DIR has one of these:
#   {train,val,test_2016_flickr}.{en,LANGUAGE}   Multi30k; LANGUAGE is de by default
#   {train,valid,test}.tsv                       `English<TAB>French` lines of Tatoeba
#
#   --longest N      train on lines of at most N words; test lines have up to 50 (default 50)
# shellcheck source=../lib.bash
. "$(dirname "$0")/../lib.bash"
option[longest]=50
declare -A captions=([train]=train [dev]=val [test]=test_2016_flickr)
declare -A tatoeba=([train]=train [dev]=valid [test]=test)
declare -A limit=([train]=400 [dev]=50 [test]=150) # with --quick

# pairs SET: `source<TAB>target` lines of the given data
pairs() {
    if [ "$pair" = en-fr-tatoeba ]; then
        cut -f 1,2 "${option[data]}/${tatoeba[$1]}.tsv"
    else
        paste "${option[data]}/${captions[$1]}".{en,"$language"}
    fi
}

# joined SET TIMES LONGEST: join neighbors TIMES times, each time in another order and so with other neighbors
joined() {
    local round
    for ((round = 0; round < $2; round++)); do
        pairs "$1" | shorten "${limit[$1]}" | by_hash $round | awk -v longest="$3" -f "$here/join.awk"
    done
}

# groups ATTENTION COLUMN MODEL: record a result for each length, from a column of the table
groups() {
    local range value
    while read -r range value; do
        record "$name-$evaluated-${range/all/1-50}" "bleu_$1" "$value" "$3"
    done < <(awk -v column="$2" '$1 ~ /^([0-9]+-[0-9]+|all)$/ { print $1, $column }' "$data/by-length")
}

begin "$@"
[[ ${option[longest]} =~ ^[1-9][0-9]{0,2}$ ]] || die 2 "--longest takes a number from 1, not '${option[longest]}'"
[ ${#names[@]} -le 1 ] || die 2 "takes one language, not '${names[*]}'"
[ -n "${option[data]}" ] || die 2 "needs --data DIR: see --help"
language=${names[0]:-de} pair=en-${names[0]:-de} times=2
if [ -e "${option[data]}/train.tsv" ]; then
    [ ${#names[@]} -eq 0 ] || die 2 "--data ${option[data]} has English and French only: no language can be named"
    need {train,valid,test}.tsv
    language=fr pair=en-fr-tatoeba times=1
else
    need {train,val,test_2016_flickr}.{en,"$language"}
fi
name=$pair
[ "${option[longest]}" = 50 ] || name+=-up-to-${option[longest]}
data=$out/data/$name
mkdir -p "$data"
joined train $times "${option[longest]}" >"$data/train.tsv"
joined dev 1 "${option[longest]}" >"$data/dev.tsv"
joined "$evaluated" 3 50 >"$data/evaluated.tsv"
cut -f 1 "$data/evaluated.tsv" >"$data/evaluated.src"
cut -f 2 "$data/evaluated.tsv" >"$data/evaluated.ref"

for attention in none additive; do
    model=$name-$attention.${option[seed]}
    train "$model" --attention $attention --train "$data/train.tsv" --valid "$data/dev.tsv" --source-lang en --target-lang "$language"
    translate "$model" --input "$data/evaluated.src" --output "$out/$model.$evaluated"
    cp "$out/$model.$evaluated" "$data/$attention" # the file names become the legend
done

say "$evaluated set"
picture=$out/$name.${option[seed]}.$evaluated.svg
(cd "$data" && "$attend" eval --metric bleu --hyp additive --compare none --ref evaluated.ref --src evaluated.src --by-length 10 \
    --output by-length.svg) | tee "$data/by-length"
mv "$data/by-length.svg" "$picture"
groups additive 3 "$name-additive.${option[seed]}"
groups none 4 "$name-none.${option[seed]}"
draw "$name-additive.${option[seed]}" "$data/evaluated.src" --words
echo "curves: $picture"
finish
