#!/usr/bin/env bash
# Converts historical German spelling to modern spelling, word by word; see README.md.
#
# Usage: recipes/spelling/run.sh --data DIR [OPTION]... [CORPUS]...
# DIR has german-CORPUS.{train,dev,test}.txt, running text, `historical<TAB>modern` lines; by default all corpora that
# are found.
# shellcheck source=../lib.bash
. "$(dirname "$0")/../lib.bash"

declare -A epochs=([anselm]=10 [ridges]=20)

# prepare CORPUS: makes the tokens of each set, without the empty lines between texts; the memory, which has each
# distinct word of the training text with its most frequent modern form, and from which the model learns; and validation
# words that the memory lacks, because the model will be used for such words
prepare() {
    local set base=$out/data/$1
    for set in train dev test; do
        awk -F '\t' 'NF > 1 && $1 != "" && $2 != "" { print $1 "\t" $2 }' "${option[data]}/german-$1.$set.txt" |
            shorten "$([ $set = train ] && echo 600 || echo 300)" >"$base.$set.tsv"
    done
    awk -f "$here/memory.awk" "$base.train.tsv" >"$base.memory.tsv"
    awk -f "$here/memory.awk" "$base.dev.tsv" | unseen "$base.memory.tsv" - | shorten 50 >"$base.valid.tsv"
}

# answers TABLE TOKENS: the second column of TABLE for each token; the token itself if TABLE lacks it
answers() { awk -F '\t' 'NR == FNR { form[$1] = $2; next } { print ($1 in form ? form[$1] : $1) }' "$1" "$2"; }

# unseen MEMORY TABLE: the lines of TABLE whose first column is not in MEMORY
unseen() { awk -F '\t' 'NR == FNR { known[$1]; next } !($1 in known)' "$1" "$2"; }

# score CORPUS NAME HYP [MODEL]: accuracy over all tokens, and over tokens of words unseen in training
score() {
    local base=$out/data/$1 set=$1-$evaluated metric=$2 hyp=$3
    shift 3
    value=$(measure accuracy "$hyp" --ref "$base.ref")
    record "$set" "$metric" "$value" "$@"
    paste "$base.$evaluated.tsv" "$hyp" | unseen "$base.memory.tsv" - >"$base.unseen"
    [ -s "$base.unseen" ] || return 0
    cut -f 2 "$base.unseen" >"$base.unseen.ref"
    cut -f 3 "$base.unseen" >"$base.unseen.hyp"
    value=$(measure accuracy "$base.unseen.hyp" --ref "$base.unseen.ref")
    record "$set-unseen" "$metric" "$value" "$@"
}

# by_word CORPUS MODEL ARGUMENT...: translate the tokens; each distinct word is translated once
by_word() {
    local base=$out/data/$1 model=$2
    shift 2
    sort -u "$base.src" >"$base.words"
    translate "$model" --input "$base.words" --output "$base.forms" "$@"
    paste "$base.words" "$base.forms" >"$base.answers"
    answers "$base.answers" "$base.src"
}

# evaluate CORPUS MODEL: over all tokens
evaluate() {
    local base=$out/data/$1
    cut -f 1 "$base.$evaluated.tsv" >"$base.src"
    cut -f 2 "$base.$evaluated.tsv" >"$base.ref"
    answers "$base.memory.tsv" "$base.src" >"$base.remembered"
    by_word "$1" "$2" >"$out/$2.$evaluated.model"
    by_word "$1" "$2" --lexicon "$base.memory.tsv" --lexicon-first >"$out/$2.$evaluated"
    score "$1" accuracy_no_change "$base.src"
    score "$1" accuracy_memory "$base.remembered"
    score "$1" accuracy_model "$out/$2.$evaluated.model" "$2"
    score "$1" accuracy "$out/$2.$evaluated" "$2"
    cut -f 1 "$base.unseen" | uniq >"$base.drawn"
    draw "$2" "$base.drawn"
}

begin "$@"
choose_names corpus german- .train.txt
for corpus in "${names[@]}"; do need "german-$corpus.dev.txt" "german-$corpus.test.txt"; done
for corpus in "${names[@]}"; do
    model=$corpus.${option[seed]}
    prepare "$corpus"
    train "$model" --max-epochs "${epochs[$corpus]:-15}" --train "$out/data/$corpus.memory.tsv" --valid "$out/data/$corpus.valid.tsv"
    evaluate "$corpus" "$model"
done
finish
