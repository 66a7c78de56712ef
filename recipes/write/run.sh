#!/usr/bin/env bash
# Writes by hand: text becomes the trace of a pen, and a model that reads handwriting says how legible it is; see
# README.md.
#
# Usage: recipes/write/run.sh [--data DIR] [--reader MODEL] [--writer MODEL] [--bias LIST] [--baseline] [OPTION]...
# DIR has {train,test}.unipen.gz, digits whose .COMMENT is `digit writer number`, as for recipes/ink. Without DIR the
# letters of Debian's package hershey-fonts-data are written.
#   --reader MODEL   judge with this model, which reads ink as spaced symbols; without it one is trained on the same ink
#   --writer MODEL   judge what this model writes; none is trained
#   --bias LIST      write with each of these biases (default "0 0.5 1 2")
#   --baseline       also train a model without attention, to compare its loss
# shellcheck source=../lib.bash
. "$(dirname "$0")/../lib.bash"
option[reader]="" option[writer]="" option[bias]="0 0.5 1 2" switch[baseline]=""
begin "$@"
no_names
for role in reader writer; do
    [ -z "${option[$role]}" ] || [ -r "${option[$role]}" ] || die 2 "--$role ${option[$role]}: there is no such model"
done
[ -z "${option[writer]}" ] || [ -z "${switch[baseline]}" ] || die 2 "--writer trains no model, --baseline does"

# digits SET FILE WRITERS COUNT SEED: strings of one to four digits; WRITERS is a regular expression
digits() {
    gzip -dc "${option[data]}/$2" | awk -v writers="^($3)\$" '
        $1 == ".SEGMENT" { mine = 0 } $1 == ".COMMENT" && NF == 4 { mine = $3 ~ writers } mine' |
        awk -v count="$4" -v seed="$5" -v longest=4 -v folder="$out/data/$1" -v prefix="" \
            -f "$root/recipes/ink/strings.awk" >"$out/data/$1/list.tsv"
}

# letters SET COUNT SEED: words of two to five letters
letters() { perl "$here/letters.pl" "$fonts" "$2" "$3" "$1" "$out/data/$1" >"$out/data/$1/list.tsv"; }

# The lists have `path<TAB>3 1 4`, to be read; write.tsv has `314<TAB>path`, to be written.
say "making ink"
mkdir -p "$out"/data/{train,dev,test}
if [ -n "${option[data]}" ]; then
    what=digits
    need train.unipen.gz test.unipen.gz
    # Three of the thirty writers are for development.
    digits train train.unipen.gz '[0-9]*[0-46-9]' "$(short 60 12000)" 1
    digits dev train.unipen.gz '[0-3]?5' "$(short 20 400)" 2
    digits test test.unipen.gz '.*' "$(short 20 1000)" 3
else
    what=letters
    fetch_package hershey-fonts-data
    fonts=$out/packages/hershey-fonts-data/usr/share/hershey-fonts
    letters train "$(short 60 8000)" 1
    letters dev "$(short 20 300)" 2
    letters test "$(short 20 500)" 3
fi
for set in train dev test; do
    awk -F '\t' '{ gsub(" ", "", $2); print $2 "\t" $1 }' "$out/data/$set/list.tsv" >"$out/data/$set/write.tsv"
done

# writer NAME ARGUMENT...: train a model that writes, or take the one that is given
writer() {
    local name=$1.${option[seed]}
    shift
    if [ -n "${option[writer]}" ]; then
        cp "${option[writer]}" "$out/$name.safetensors"
        : >"$out/$name.log" # no training, no seconds
    else
        train "$name" --train "$out/data/train/write.tsv" --valid "$out/data/dev/write.tsv" "$@"
    fi
}

# loss NAME METRIC: record the loss of a model on the ink of the test set
loss() {
    local name=$1.${option[seed]} metric=$2 set=$out/data/$evaluated
    cut -f 1 "$set/write.tsv" >"$out/data/$name.src"
    cut -f 2 "$set/write.tsv" >"$set/paths"
    "$attend" score --model "$out/$name.safetensors" --threads "${option[threads]}" --src "$out/data/$name.src" \
        --tgt "$set/paths" 2>&1 >"$out/$name.scores" | tee "$out/$name.total" >&2
    record "$what-$evaluated" "$metric" "$(awk '{ printf "%.2f\n", $NF }' "$out/$name.total")" "$name"
}

# reader: the model that judges
reader() {
    local config=${option[config]}
    judge=${option[reader]:-$out/reader.${option[seed]}.safetensors}
    [ -z "${option[reader]}" ] || return 0
    option[config]=$here/reader.yaml
    train "reader.${option[seed]}" --train "$out/data/train/list.tsv" --valid "$out/data/dev/list.tsv"
    option[config]=$config
}

# legible NAME LIST: read the files of `path<TAB>symbols` lines and record how many symbols and strings are right
legible() {
    sed "s|^[^/]|${2%/*}/&|" "$2" | cut -f 1 >"$out/data/$1.src"
    cut -f 2 "$2" >"$out/data/$1.ref"
    "$attend" translate --model "$judge" --threads "${option[threads]}" --input "$out/data/$1.src" --output "$out/$1.read"
    record "$what-$1" symbol_error "$(measure ser "$out/$1.read" --ref "$out/data/$1.ref")" "$model"
    record "$what-$1" accuracy "$(measure accuracy "$out/$1.read" --ref "$out/data/$1.ref")" "$model"
}

# written BIAS: write the texts of the test set, each into a file of its own, and list them. A text that the model has
# left at once becomes a dot.
written() {
    local folder=$out/data/bias-$1
    mkdir -p "$folder"
    translate "$model" --bias "$1" --input "$out/data/$model.src" --output "$folder/all.inkml"
    awk -v folder="$folder" '
        /<traceGroup>/ { file = folder "/" ++count ".inkml"; print "<ink xmlns=\"http://www.w3.org/2003/InkML\">" >file }
        /<trace>/ { traces++ }
        /<\/traceGroup>/ && !traces { print "<trace>0 0</trace>" >file }
        file { print >file }
        /<\/traceGroup>/ { print "</ink>" >file; close(file); file = ""; traces = 0 }' "$folder/all.inkml"
    cut -f 2 "$out/data/$evaluated/list.tsv" | awk '{ print NR ".inkml\t" $0 }' >"$folder/list.tsv"
}

model=$what.${option[seed]}
writer "$what"
loss "$what" loss
if [ -n "${switch[baseline]}" ]; then
    writer "$what-none" --attention none
    loss "$what-none" loss_none
fi
reader
say "$evaluated set"
legible given "$out/data/$evaluated/list.tsv"
for bias in ${option[bias]}; do
    written "$bias"
    legible "bias-$bias" "$out/data/bias-$bias/list.tsv"
done
head -n 12 "$out/data/$model.src" | translate "$model" --bias 1 --output "$out/$what.svg"
draw "$model" "$out/data/$model.src" --bias 1
finish
