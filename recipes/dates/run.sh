#!/usr/bin/env bash
# Converts dates as people write them, in 52 styles and eight languages, to ISO 8601; see README.md.
#
# Usage: recipes/dates/run.sh [OPTION]...
# Needs no data: make_dates.awk generates it, the same for every --seed of the training.
# shellcheck source=../lib.bash
. "$(dirname "$0")/../lib.bash"
begin "$@"
no_names

data=$out/data
[ -z "$quick" ] && sizes=(20000 1000 5000) || sizes=(400 50 50)
rm -f "$data"/*.tsv
awk -v folder="$data" -v seed=1 -v train="${sizes[0]}" -v dev="${sizes[1]}" -v test="${sizes[2]}" \
    -f "$here/make_dates.awk" "$here/words.tsv" "$here/styles.tsv"

model=dates.${option[seed]}
train "$model" --train "$data/train.tsv" --valid "$data/dev.tsv"

say "$evaluated set"
cut -f 1 "$data/$evaluated.tsv" >"$data/$evaluated.src"
translate "$model" --input "$data/$evaluated.src" --output "$out/$model.$evaluated"
value=$(measure accuracy "$out/$model.$evaluated" --answers "$data/$evaluated.tsv")
record "$evaluated" accuracy "$value" "$model"
paste "$data/$evaluated.tsv" "$out/$model.$evaluated" |
    awk -F '\t' '$2 != $3 && ++wrong <= 5 { print "wrong: " $1 ": " $3 ", not " $2 }'

printf '%s\n' "Monday, August 12th, 1991" "le 1er juillet 1987" "der dreizehnte Mai 2004" >"$data/drawn"
draw "$model" "$data/drawn"
finish
