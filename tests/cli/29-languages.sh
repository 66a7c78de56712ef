#!/usr/bin/env bash
# One model for several pairs of languages: its tags, how a pair is chosen, and what is refused.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

# Letters become d-letters in German and f-letters in French. A header names the columns.
toy() { # SEED COUNT
    awk -v seed="$1" -v count="$2" 'BEGIN {
        print "text\tout\tfrom\tto"
        for (line = 0; line < count; line++) {
            s = d = f = ""
            for (i = 0; i < 3; i++) {
                seed = (seed * 1103515245 + 12345) % 2147483648
                c = substr("abcdefgh", 1 + int(seed / 65536) % 8, 1); b = i ? " " : ""
                s = s b c; d = d b "d" c; f = f b "f" c
            }
            print s "\t" d "\ten\tde"; print s "\t" f "\ten\tfr"
        }
    }'
}
toy 7 250 >"$work/train.tsv"
toy 99 20 >"$work/valid.tsv"
small=(--emb 16 --hidden 24 --dropout 0 --label-smoothing 0 --lr 0.02 --ema 0 --batch-tokens 200 --threads 1)
table=(--train "$work/train.tsv" --valid "$work/valid.tsv" --header --columns "text,out" --language-columns "from,to")
"$ATTEND" train "${table[@]}" "${small[@]}" --tokenizer spaces --max-updates 300 --model "$work/m" 2>"$work/log" ||
    fail "$(cat "$work/log")"
grep -q "500 training pairs" "$work/log" || fail "$(cat "$work/log")"
"$ATTEND" info --model "$work/m" >"$work/info"
grep -qE '^languages +2 pairs: en>de en>fr$' "$work/info" || fail "info: $(cat "$work/info")"

translate() { "$ATTEND" translate --model "$work/m" --threads 1 "$@"; }
equal "to German" "$(echo 'a b c' | translate --to de)" "da db dc"
equal "to French" "$(echo 'a b c' | translate --to fr --from en)" "fa fb fc"
equal "no words" "$(echo ' ' | translate --to fr)" ""
refused 2 "attend translate: --to is needed: the model translates to de, fr$" translate
refused 2 "the model does not translate to es, only to de, fr$" translate --to es
refused 2 "the model does not translate from de, only from en$" translate --from de --to de

# Each line of JSON may have its own; the tag is a token, and links count words.
printf '%s\n' '{"source":"a b c","to":"fr"}' '{"source":"a b c","to":"de","from":"en"}' '{"source":"a b c"}' >"$work/lines"
equal "languages of lines" "$(translate --json --to de <"$work/lines" | sed 's/.*"text":"\([^"]*\)".*/\1/' | paste -sd/)" "fa fb fc/da db dc/da db dc"
refused 2 "\-\-to is needed" translate --json --input "$work/lines"
translate --json --to de <"$work/lines" | head -n 1 | matches '{"source":\["⟨→fr⟩","a","b","c","</s>"\],"tags":1,' || fail "no readable tag"
equal "links" "$(echo 'a b c' | translate --to de --alignment hard | sed 's/.*||| //')" "0-0 1-1 2-2"
echo '{"source":"a","to":5}' >"$work/wrong"
refused 1 'wrong:1: "to" is not a text' translate --json --input "$work/wrong"

# A text cannot spell a tag: this line has one tag and one unknown word.
for text in '⟨→fr⟩' $'\t>fr' '>fr'; do
    equal "tokens of '$text'" "$(printf '{"source":"%s a"}\n' "${text/$'\t'/\\t}" | translate --json --to de |
        sed 's/.*"source":\[\([^]]*\)\].*/\1/' | grep -o '"⟨→de⟩"' | wc -l)" 1
    equal "text '$text'" "$(printf '%s a\n' "$text" | translate --to de --alignment json | grep -c '"f[a-h]"')" 0
done

# The other commands.
printf 'a b c\n' >"$work/src"
printf 'da db dc\n' >"$work/tgt"
score() { "$ATTEND" score --model "$work/m" --src "$work/src" --tgt "$work/tgt" --threads 1 "$@" 2>/dev/null; }
awk -v de="$(score --to de)" -v fr="$(score --to fr)" 'BEGIN { exit !(de > -1 && fr < de - 5) }' ||
    fail "the score does not depend on --to"
refused 2 "attend score: --to is needed" "$ATTEND" score --model "$work/m" --src "$work/src" --tgt "$work/tgt"
equal "align" "$("$ATTEND" align --model "$work/m" --src "$work/src" --tgt "$work/tgt" --to de)" "0-0 1-1 2-2"
refused 2 "attend align: --to is needed" "$ATTEND" align --model "$work/m" --src "$work/src" --tgt "$work/tgt"
"$ATTEND" plot --model "$work/m" --to de --color never 'a b c' >"$work/plot" || fail plot
grep -q '⟨→de⟩' "$work/plot" || fail "plot: $(cat "$work/plot")"
refused 2 "attend plot: --to is needed" "$ATTEND" plot --model "$work/m" 'a b c'
"$ATTEND" plot --model "$work/m" --to fr --words 'a b c' --output "$work/p.svg"
grep -q 'fb' "$work/p.svg" || fail "plot --words"
"$ATTEND" explain --model "$work/m" --to fr 'a b c' | matches 'fa' || fail explain
"$ATTEND" explain --model "$work/m" --to fr --steps 'a b c' | matches 'fb' || fail "explain --steps"
refused 2 "attend explain: --to is needed" "$ATTEND" explain --model "$work/m" 'a b c'
"$ATTEND" trouble --model "$work/m" --to de --src "$work/src" --json | matches '"missed":\[\]' || fail "a tag counts as left out"

# int8 keeps the languages; they cannot be renamed.
"$ATTEND" convert --model "$work/m" --int8 --output "$work/m8"
equal "int8" "$(echo 'a b c' | "$ATTEND" translate --model "$work/m8" --to fr)" "fa fb fc"
refused 2 "several pairs of languages, which cannot be changed" "$ATTEND" convert --model "$work/m" --target-lang de --output "$work/x"

# A model of one pair knows only its own languages.
tiny_model "$work/tiny"
"$ATTEND" convert --model "$work/tiny" --source-lang hi --target-lang en --output "$work/hi-en"
head -n 1 "$demo/train.hi" | "$ATTEND" translate --model "$work/hi-en" --to en >/dev/null 2>&1 || fail "--to en"
refused 2 "the model does not translate to de, only to en$" "$ATTEND" translate --model "$work/hi-en" --to de
refused 2 "does not record its languages: leave out --to" "$ATTEND" translate --model "$work/tiny" --to de

# Every tokenizer, one vocabulary for both sides, and resuming to the same bytes.
for tokenizer in char word sentencepiece; do
    "$ATTEND" train "${table[@]}" "${small[@]}" --tokenizer $tokenizer --joint-vocab --max-updates 3 --model "$work/$tokenizer" \
        2>"$work/log" || fail "$tokenizer: $(cat "$work/log")"
    printf 'a\n' | "$ATTEND" translate --model "$work/$tokenizer" --to fr --alignment json 2>/dev/null |
        grep -q '"source":\["⟨→fr⟩",' || fail "$tokenizer has no tag"
done
"$ATTEND" train "${table[@]}" "${small[@]}" --tokenizer spaces --max-epochs 2 --model "$work/whole" 2>/dev/null
"$ATTEND" train "${table[@]}" "${small[@]}" --tokenizer spaces --max-epochs 1 --model "$work/part" 2>/dev/null
"$ATTEND" train "${table[@]}" "${small[@]}" --tokenizer spaces --max-epochs 2 --resume --model "$work/part" 2>"$work/log" ||
    fail "$(cat "$work/log")"
cmp "$work/whole" "$work/part" || fail "a resumed run gave other bytes"

# Training on: the languages are those of the first model.
fine=(--init-from "$work/m" --threads 1 --max-updates 1)
"$ATTEND" train "${table[@]}" "${fine[@]}" --model "$work/fine" 2>"$work/log" || fail "$(cat "$work/log")"
grep -E '	(de|to)$' "$work/train.tsv" >"$work/de.tsv"
"$ATTEND" train --train "$work/de.tsv" "${table[@]:2}" "${fine[@]}" --model "$work/fine2" 2>"$work/log" || fail "$(cat "$work/log")"
equal "after one pair" "$(echo 'a b c' | "$ATTEND" translate --model "$work/fine2" --to fr)" "fa fb fc"
refused 2 "was trained with --language-columns; do the same here" "$ATTEND" train --train "$work/train.tsv" --header \
    --columns text,out "${fine[@]}" --model "$work/no"
sed 's/	fr$/	es/' "$work/train.tsv" >"$work/es.tsv"
refused 1 "es.tsv:3: its language is 'es', which the training text or the model does not have" \
    "$ATTEND" train --train "$work/es.tsv" "${table[@]:2}" "${fine[@]}" --model "$work/no"

# Several sources: the tag says which; a pair that was never seen is translated with a note.
awk -F'\t' -v OFS='\t' 'NR == 1 { print; next }
    $4 == "de" { print; print "n" $1, $2, "nl", "de" } $4 == "fr" { print }' "$work/train.tsv" >"$work/many.tsv"
many=(--header --columns "text,out" --language-columns "from,to")
"$ATTEND" train --train "$work/many.tsv" "${many[@]}" "${small[@]}" --tokenizer spaces --max-updates 3 --split 0.9,0.05,0.05 \
    --model "$work/many" 2>"$work/log" || fail "$(cat "$work/log")"
equal "lines of languages" "$(wc -l <"$work/many.test.lang")" "$(wc -l <"$work/many.test.src")"
grep -qE '^(en	de|nl	de|en	fr)$' "$work/many.test.lang" || fail "languages of the test set"
refused 2 "\-\-from is needed: the model translates to de from en, nl$" "$ATTEND" translate --model "$work/many" --to de
echo a | "$ATTEND" translate --model "$work/many" --to fr --alignment json 2>/dev/null | matches '"source":\["⟨en→⟩","⟨→fr⟩","a"' ||
    fail "the only source of a target is not taken"
echo a | "$ATTEND" translate --model "$work/many" --to fr --from nl >/dev/null 2>"$work/log" || fail "$(cat "$work/log")"
grep -q "attend translate: the model has not seen nl with fr together, only each alone" "$work/log" || fail "$(cat "$work/log")"

# A side with one language needs no column; one pair makes an ordinary model.
cut -f1,2,4 "$work/train.tsv" | tail -n +2 >"$work/three.tsv"
one=(--train "$work/three.tsv" --split none "${small[@]}" --tokenizer spaces --max-updates 1 --overwrite --model "$work/one")
"$ATTEND" train "${one[@]}" --columns src,tgt,to --language-columns _,to --source-lang en 2>"$work/log" || fail "$(cat "$work/log")"
"$ATTEND" info --model "$work/one" | matches -E '^languages +2 pairs: en>de en>fr$' || fail "a side without a column"
grep '	de$' "$work/three.tsv" >"$work/only.tsv"
"$ATTEND" train "${one[@]}" --train "$work/only.tsv" --columns src,tgt,to --language-columns _,to --source-lang en 2>"$work/log" ||
    fail "$(cat "$work/log")"
"$ATTEND" info --model "$work/one" >"$work/info"
grep -qE '^target .*, language de$' "$work/info" || fail "one pair: $(cat "$work/info")"
if grep -q '^languages' "$work/info"; then fail "one pair has tags"; fi

refused 2 "\-\-language-columns _,to needs --source-lang" "$ATTEND" train "${one[@]}" --columns src,tgt,to --language-columns _,to
refused 2 "\-\-target-lang and a column for it in --language-columns exclude each other" \
    "$ATTEND" train "${one[@]}" --columns src,tgt,to --language-columns _,to --source-lang en --target-lang de
refused 2 "\-\-columns src,tgt has no column 'from'" "$ATTEND" train "${one[@]}" --language-columns from,to
refused 2 "\-\-language-columns takes two names" "$ATTEND" train "${one[@]}" --language-columns from
refused 2 "has a column of the text" "$ATTEND" train "${one[@]}" --columns src,tgt,to --language-columns src,to
refused 2 "\-\-language-columns needs --train" "$ATTEND" train --train-src "$work/src" --train-tgt "$work/tgt" \
    --language-columns a,b --model "$work/no"
printf 'a\tb\ten\tde\na\tb\ten\tFrench, I think\n' >"$work/bad.tsv"
bad=(--train "$work/bad.tsv" --columns "src,tgt,f,t" --language-columns "f,t" --tokenizer spaces --emb 4 --hidden 4 --max-updates 1)
refused 1 "bad.tsv:2: its language is 'French, I think', which is not a code such as en or pt-BR, or skip such pairs with --skip-broken" \
    "$ATTEND" train "${bad[@]}" --model "$work/no"
"$ATTEND" train "${bad[@]}" --skip-broken --model "$work/bad" 2>"$work/log" || fail "$(cat "$work/log")"
grep -q "1 pair left out, unknown language, the first at $work/bad.tsv:2" "$work/log" || fail "$(cat "$work/log")"
seq 300 | awk '{ print "a\tb\ten\tx" $1 }' >"$work/bad.tsv"
refused 1 "more than 256 languages; does --language-columns name the right columns" "$ATTEND" train "${bad[@]}" --model "$work/no"
