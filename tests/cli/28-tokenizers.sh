#!/usr/bin/env bash
# A model with each tokenizer trains without messages, has its tokenizer in its file, and memorizes a few sentences.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

head -n 12 "$demo/train.en" >"$work/src"
printf '%s\n' 'Ja, klar!' '(Nein.)' 'Étude n°1' "don't" 'a-b' 'ça va ?' '50%' '«oui»' 'ну, да' 'good day' 'x' '...' >"$work/tgt"
for tokenizer in spaces char word sentencepiece; do
    "$ATTEND" train --train-src "$work/src" --train-tgt "$work/tgt" --model "$work/model" --overwrite --emb 24 --hidden 32 \
        --src-tokenizer "$tokenizer" --tgt-tokenizer "$tokenizer" --vocab-size 200 --dropout 0 --batch-tokens 2000 \
        --lr 0.01 --max-epochs 120 --label-smoothing 0 --threads 1 2>"$work/log" || fail "$tokenizer: $(cat "$work/log")"
    grep -qi sentencepiece "$work/log" && fail "$tokenizer: a library talks: $(cat "$work/log")"
    "$ATTEND" info --model "$work/model" >"$work/info"
    grep -qE "^target +$tokenizer, [0-9]+ tokens(, case marked)?$" "$work/info" || fail "info: $(cat "$work/info")"
    equal "$tokenizer: sentences learned by heart" \
        "$("$ATTEND" translate --model "$work/model" --input "$work/src" 2>/dev/null | paste -sd/)" \
        "$(paste -sd/ "$work/tgt")"
done

refused 2 "vocabulary of 20 is too small for subwords" "$ATTEND" train --train-src "$work/src" --train-tgt "$work/tgt" \
    --model "$work/other" --tokenizer sentencepiece --vocab-size 20
