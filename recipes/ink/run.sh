#!/usr/bin/env bash
# Reads handwriting from the movement of the pen: strings of one to eight digits by writers whom the model has never
# seen; see README.md.
#
# Usage: recipes/ink/run.sh --data DIR [OPTION]...
# DIR has {train,test}.unipen.gz, digits whose .COMMENT is `digit writer number`.
# shellcheck source=../lib.bash
. "$(dirname "$0")/../lib.bash"
begin "$@"
no_names
need train.unipen.gz test.unipen.gz

# strings SET FILE WRITERS COUNT SEED: WRITERS is a regular expression
strings() {
    mkdir -p "$out/data/$1"
    gzip -dc "${option[data]}/$2" | awk -v writers="^($3)\$" '
        $1 == ".SEGMENT" { mine = 0 } $1 == ".COMMENT" && NF == 4 { mine = $3 ~ writers } mine' |
        awk -v count="$4" -v seed="$5" -v longest=8 -v folder="$out/data/$1" -v prefix="" -f "$here/strings.awk" \
            >"$out/data/$1/list.tsv"
}

# Three of the thirty writers are for development.
say "making strings"
strings train train.unipen.gz '[0-9]*[0-46-9]' "$([ -z "$quick" ] && echo 15000 || echo 60)" 1
strings dev train.unipen.gz '[0-3]?5' "$([ -z "$quick" ] && echo 500 || echo 20)" 2
strings test test.unipen.gz '.*' "$([ -z "$quick" ] && echo 2000 || echo 20)" 3

model=ink.${option[seed]}
train "$model" --train "$out/data/train/list.tsv" --valid "$out/data/dev/list.tsv"

say "$evaluated set"
sed "s|^|$out/data/$evaluated/|" "$out/data/$evaluated/list.tsv" | cut -f 1 >"$out/data/$evaluated.src"
cut -f 2 "$out/data/$evaluated/list.tsv" >"$out/data/$evaluated.ref"
translate "$model" --input "$out/data/$evaluated.src" --output "$out/$model.$evaluated"
for metric in accuracy ser; do
    record "$evaluated" "${metric/ser/symbol_error}" "$(measure $metric "$out/$model.$evaluated" --ref "$out/data/$evaluated.ref")" "$model"
done
draw "$model" "$out/data/$evaluated.src"
finish
