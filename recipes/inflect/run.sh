#!/usr/bin/env bash
# Inflection: from lemma and features to the form, CoNLL-SIGMORPHON 2017; see README.md.
#
# Usage: recipes/inflect/run.sh --data DIR [OPTION]... [LANGUAGE]...
# DIR has LANGUAGE-train-{high,medium,low}, LANGUAGE-dev and LANGUAGE-test, lines of `lemma<TAB>form<TAB>V;PST;3;SG`; by
# default all languages that are found.
#
#   --amount NAME    amount of training data: high, medium or low: 10000, 1000 or 100 forms (default high)
# shellcheck source=../lib.bash
. "$(dirname "$0")/../lib.bash"
option[amount]=high
declare -A epochs=([high]=30 [medium]=60 [low]=300) # fewer epochs for more forms

# evaluate LANGUAGE MODEL: accuracy of whole forms; and the baseline, the share of forms that equal the lemma
evaluate() {
    local table=$out/data/$1-$evaluated set=$1-${option[amount]}-$evaluated
    shorten 50 <"${option[data]}/$1-$evaluated" >"$table"
    cut -f 1,3 "$table" >"$table.src"
    cut -f 1 "$table" >"$table.lemma"
    cut -f 2 "$table" >"$table.ref"
    translate "$2" --input "$table.src" --output "$out/$2.$evaluated"
    value=$(measure accuracy "$table.lemma" --ref "$table.ref")
    record "$set" accuracy_no_change "$value"
    value=$(measure accuracy "$out/$2.$evaluated" --ref "$table.ref")
    record "$set" accuracy "$value" "$2"
    draw "$2" "$table.src"
}

begin "$@"
[[ ${option[amount]} =~ ^(high|medium|low)$ ]] || die 2 "--amount must be high, medium or low, not '${option[amount]}'"
choose_names language "" "-train-${option[amount]}"
for language in "${names[@]}"; do need "$language-dev" "$language-test"; done
models=()
for language in "${names[@]}"; do
    model=$language-${option[amount]}.${option[seed]}
    models+=("$model")
    shorten 400 <"${option[data]}/$language-train-${option[amount]}" >"$out/data/$model.train"
    shorten 50 <"${option[data]}/$language-dev" >"$out/data/$model.valid"
    train "$model" --max-epochs "${epochs[${option[amount]}]}" --train "$out/data/$model.train" --valid "$out/data/$model.valid"
    evaluate "$language" "$model"
done
mean "mean-${option[amount]}-$evaluated" accuracy_no_change
mean "mean-${option[amount]}-$evaluated" accuracy "${models[@]}"
finish
