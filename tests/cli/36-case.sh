#!/usr/bin/env bash
# Case: what attend train chooses, and that text in any case is then read like the training text.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

# pairs FILE SOURCE TARGET: the same pair in 40 lines.
pairs() { for _ in $(seq 40); do printf '%s\t%s\n' "$2" "$3"; done >"$work/$1"; }
chooses() { # FILE NAME REASON OPTION...
    local file=$1 name=$2 reason=$3
    shift 3
    "$ATTEND" train --train "$work/$file" --model "$work/$file.st" --overwrite --emb 4 --hidden 4 --max-updates 1 --threads 1 \
        "$@" 2>"$work/log" || fail "$(cat "$work/log")"
    grep -q "^case: $name, because $reason" "$work/log" || fail "$file: $(cat "$work/log")"
}
pairs small 'mai ghar ja raha hoon' 'I am going home'
pairs capitals 'ABACUS' 'AE1 B AH0 K AH0 S'
pairs both 'The cat saw Tom.' 'Le chat a vu Tom.'
pairs caseless 'मैं घर जा रहा हूँ' 'I am going home'
pairs symbols '@ b {k @ s' 'Abacus'
sed -i 's/b /B /' "$work/symbols"
pairs phonemes 'Gracht' 'ɣ r ɑ x t'
chooses small lower 'no source line has capitals'
chooses capitals lower 'the source is all in capitals' --src-tokenizer char --tgt-tokenizer spaces
chooses both marked 'both sides have capitals and small letters' --tokenizer word
chooses caseless keep 'the source has no letters with case'
chooses symbols keep 'the source has both cases in tokens that blanks separate' --src-tokenizer spaces --tgt-tokenizer char
chooses phonemes lower 'the source has both cases and the target needs none' --src-tokenizer char --tgt-tokenizer spaces
"$ATTEND" info --model "$work/both.st" | matches '^source  *word, .* case marked' || fail "info does not say the case"

# A model that keeps the case records nothing about it, as before there was a choice.
"$ATTEND" train --train "$work/both" --model "$work/keep.st" --case keep --tokenizer word --emb 4 --hidden 4 --max-updates 1 \
    --threads 1 2>"$work/log" || fail "$(cat "$work/log")"
! grep -q '^case:' "$work/log" || fail "a given case needs no reason: $(cat "$work/log")"
! head -c 20000 "$work/keep.st" | matches -a 'case' || fail "the file of a model with --case keep says so"
refused 2 'wrong|has no value|is not one of|no case|loud' "$ATTEND" train --train "$work/both" --model "$work/x.st" --case loud
refused 2 "is the model of another run: its --case is keep, not marked" "$ATTEND" train --train "$work/both" \
    --model "$work/keep.st" --case marked --tokenizer word --emb 4 --hidden 4 --max-updates 1 --threads 1
refused 2 '--case does not go with --init-from' "$ATTEND" train --train "$work/both" --model "$work/x.st" --case lower \
    --init-from "$work/keep.st"

# Words of ten kinds in any order, some of them names: `ab Cd` becomes `Cd ab`.
awk 'BEGIN {
    split("red blue Tom Ann fish bird ran saw iPod NATO", word, " "); srand(1)
    for (i = 0; i < 1500; i++) {
        a = word[1 + int(10 * rand())]; b = word[1 + int(10 * rand())]; c = word[1 + int(10 * rand())]
        printf "%s %s %s\t%s %s %s\n", a, b, c, c, b, a
    }
}' >"$work/toy.tsv"
"$ATTEND" train --train "$work/toy.tsv" --split none --model "$work/toy.st" --tokenizer word --case marked --emb 16 --hidden 32 --dropout 0 \
    --label-smoothing 0 --lr 0.01 --ema 0 --max-updates 350 --batch-tokens 400 --threads 1 2>"$work/log" || fail "$(cat "$work/log")"
reads() { # LINE WANTED OPTION...
    local got
    got=$("$ATTEND" translate --model "$work/toy.st" "${@:3}" <<<"$1" 2>"$work/log")
    equal "'$1'" "$got" "$2"
}
reads 'red Tom saw' 'saw Tom red'
reads 'fish iPod bird' 'bird iPod fish'
reads 'RED TOM SAW' 'SAW TOM RED'
reads 'Ann Tom NATO' 'NATO Tom Ann'
reads 'red Tom saw' 'saw Tom red ||| 2-0 1-1 0-2' --words --alignment hard
reads 'red Tom saw' 'saw Tom red' --prefix 'saw Tom' --require Tom
printf 'red Tom saw\n' >"$work/src"
printf 'saw Tom red\n' >"$work/tgt"
equal "links of align" "$("$ATTEND" align --model "$work/toy.st" --src "$work/src" --tgt "$work/tgt")" '2-0 1-1 0-2'
pieces=$("$ATTEND" translate --model "$work/toy.st" --pieces <"$work/src")
equal "pieces" "$pieces" 'saw ⇧ tom red'
score() { "$ATTEND" score --model "$work/toy.st" --src "$work/src" --tgt "$work/tgt" 2>/dev/null | cut -f1; }
good=$(score)
printf 'saw tom red\n' >"$work/tgt"
awk -v good="$good" -v bad="$(score)" 'BEGIN { exit !(good > bad) }' || fail "a name without its capital scores as well"
"$ATTEND" convert --model "$work/toy.st" --int8 --output "$work/toy8.st" 2>/dev/null
equal "int8" "$("$ATTEND" translate --model "$work/toy8.st" <"$work/src")" 'saw Tom red'
