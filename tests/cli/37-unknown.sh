#!/usr/bin/env bash
# Unknown words: tried in other forms first, then reported as text and as data, and refused by --strict.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

awk 'BEGIN {
    split("mai ghar ja raha hoon kal", from, " "); split("I house go am be tomorrow", to, " "); srand(1)
    for (i = 0; i < 600; i++) {
        a = 1 + int(6 * rand()); b = 1 + int(6 * rand())
        printf "%s %s\t%s %s\n", from[a], from[b], to[b], to[a]
    }
}' >"$work/toy.tsv"
train() { # MODEL OPTION...
    "$ATTEND" train --train "$work/toy.tsv" --split none --case keep --emb 12 --hidden 24 --dropout 0 --label-smoothing 0 --lr 0.01 --ema 0 \
        --max-updates 150 --batch-tokens 300 --threads 1 --model "$@" 2>"$work/log" || fail "$(cat "$work/log")"
}
train "$work/toy.st" --tokenizer spaces
translate() { "$ATTEND" translate --model "$work/toy.st" "$@" 2>"$work/log"; }
printf '%s\n' 'mai ghar' 'Mai ghar.' 'MAI GHAR' '"mai" ghar?' '“Mai” (ghar)…' 'ｍａｉ ｇｈａｒ' 'mai ghar !' >"$work/in"
equal "known in another form" "$(translate --input "$work/in" | sort | uniq -c | tr -s ' ')" ' 7 house I'
equal "messages" "$(cat "$work/log")" ''

printf 'mai ghar\nmai hello\nWörld, mai hello\n' >"$work/in"
translate --input "$work/in" >"$work/out" || fail "unknown words are no failure"
equal "the report" "$(grep unknown "$work/log")" \
    'attend translate: 3 words of 2 lines are unknown to the model: hello (line 2), Wörld, (line 3), ...'
equal "as data" "$(translate --json <<<'{"source":"été mai — hello"}' | grep -o '"unknown":.*')" \
    '"unknown":[{"text":"été","start":0,"end":3},{"text":"hello","start":10,"end":15}]}'
translate --alignment json <<<'mai ghar' | matches unknown && fail "nothing is unknown here"
refused 1 "$work/in:2: 'hello' is unknown to the model" "$ATTEND" translate --model "$work/toy.st" --strict --input "$work/in"
equal "lines before a refused one" "$(cat "$work/stdout")" 'house I'
head -c 100000 /dev/zero | tr '\0' 'q' >"$work/long"
translate --input "$work/long" >/dev/null
[ "$(wc -c <"$work/log")" -lt 200 ] || fail "a long word makes a long message"
# Given targets are judged as they are.
printf 'mai ghar\n' >"$work/src"
score() { echo "$1" >"$work/tgt" && "$ATTEND" score --model "$work/toy.st" --src "$work/src" --tgt "$work/tgt" 2>/dev/null | cut -f1; }
[ "$(score 'house I')" != "$(score 'House I.')" ] || fail "a target is read in another form"

# Characters and subwords.
train "$work/char.st" --src-tokenizer char --tgt-tokenizer spaces --max-updates 3
equal "characters in another case" "$("$ATTEND" translate --model "$work/char.st" <<<'MAI GHAR' 2>&1)" \
    "$("$ATTEND" translate --model "$work/char.st" <<<'mai ghar' 2>&1)"
"$ATTEND" translate --model "$work/char.st" <<<'mai zz' >/dev/null 2>"$work/log"
grep -q '1 word of 1 line is unknown to the model: zz (line 1)' "$work/log" || fail "characters: $(cat "$work/log")"
train "$work/sp.st" --tokenizer sentencepiece --vocab-size 40 --max-updates 3
equal "subwords in another case" "$("$ATTEND" translate --model "$work/sp.st" --alignment json <<<'MAI GHAR' 2>&1)" \
    "$("$ATTEND" translate --model "$work/sp.st" --alignment json <<<'mai ghar' 2>&1)"
"$ATTEND" translate --model "$work/sp.st" <<<'maiñ 漢' >/dev/null 2>"$work/log"
grep -q '漢' "$work/log" || fail "subwords: $(cat "$work/log")"

# Training says how much of the validation text is unknown.
printf 'mai hello\thouse I\n' >"$work/valid.tsv"
"$ATTEND" train --train "$work/toy.tsv" --valid "$work/valid.tsv" --tokenizer spaces --emb 4 --hidden 4 --max-updates 1 --threads 1 \
    --model "$work/valid.st" 2>"$work/log" || fail "$(cat "$work/log")"
grep -q '^50 % of the source tokens and 0 % of the target tokens of the validation text are unknown' "$work/log" ||
    fail "$(cat "$work/log")"
