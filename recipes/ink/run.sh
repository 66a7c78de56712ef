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

# strings SET FILE WRITERS COUNT SEED [distort]: WRITERS is a regular expression
strings() {
    mkdir -p "$out/data/$1"
    gzip -dc "${option[data]}/$2" | awk -v writers="^($3)\$" '
        $1 == ".SEGMENT" { mine = 0 } $1 == ".COMMENT" && NF == 4 { mine = $3 ~ writers } mine' |
        awk -v count="$4" -v seed="$5" -v longest=8 -v folder="$out/data/$1" -v prefix="" -v distort="${6:+1}" \
            -f "$here/strings.awk" >"$out/data/$1/list.tsv"
}

# Three of the thirty writers are for development.
say "making strings"
strings train train.unipen.gz '[0-9]*[0-46-9]' "$(short 60 30000)" 1 distort
strings dev train.unipen.gz '[0-3]?5' "$(short 20 500)" 2
strings test test.unipen.gz '.*' "$(short 20 2000)" 3

model=ink.${option[seed]}
train "$model" --train "$out/data/train/list.tsv" --valid "$out/data/dev/list.tsv"

say "$evaluated set"
answer_files "$model" "$out/data/$evaluated/list.tsv"
record_files "$evaluated" "$model"
draw "$model" "$out/data/$model.src"
finish
