#!/usr/bin/env bash
# Tags and placeholders: the answer without them is the translation of the line without them, for every tokenizer.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

head -n 600 "$demo/train.hi" >"$work/train.hi"
head -n 600 "$demo/train.en" >"$work/train.en"
train() { # MODEL UPDATES OPTION...
    "$ATTEND" train --train-src "$work/train.hi" --train-tgt "$work/train.en" --model "$work/$1" --emb 16 --hidden 16 \
        --max-updates "$2" --threads 1 --lr 0.01 "${@:3}" 2>"$work/log" || fail "$(cat "$work/log")"
}
plain() { sed -E 's,<[^>]*>,,g; :a; s,^(\{n\}|%[0-9]\$s) ,,; ta; s, (\{n\}|%[0-9]\$s),,g; s,^(\{n\}|%[0-9]\$s)+$,,'; }
# The placeholders of each line, sorted.
placeholders() { awk '{ n = 0; while (match($0, /\{n\}|%[0-9]\$s/)) { p[++n] = substr($0, RSTART, RLENGTH); $0 = substr($0, RSTART + RLENGTH) }
    for (i = 1; i <= n; i++) for (k = i + 1; k <= n; k++) if (p[k] < p[i]) { t = p[i]; p[i] = p[k]; p[k] = t }
    for (i = 1; i <= n; i++) printf "%s ", p[i]; print "" }'; }
# Fails if the tags of a line are not well nested, or not those of the same line of FILE.
well_nested() { # FILE
    awk -v file="$1" '
        function tags(line, sorted,    n, k, t, tag) {
            n = 0; bad = 0
            while (match(line, /<[^>]*>/)) {
                tag = substr(line, RSTART, RLENGTH); line = substr(line, RSTART + RLENGTH); count[tag]++
                if (tag ~ /\/>$/) continue
                if (tag !~ /^<\//) open[++n] = substr(tag, 2, 1)
                else if (n < 1 || open[n--] != substr(tag, 3, 1)) bad = 1
            }
            return bad || n
        }
        { getline given < file; delete count; wrong = tags($0); for (t in count) got[t] = count[t]
          delete count; tags(given); for (t in count) if (got[t] != count[t]) wrong = 1
          for (t in got) if (!(t in count)) wrong = 1
          delete got; if (wrong) { print "line " NR ": " $0; exit 1 } }'
}

# ---- 1000 lines ----
head -n 1000 "$demo/valid.hi" >"$work/in"
head -n 500 "$demo/test.hi" >>"$work/in"
awk -f "$(dirname "$0")/tags.awk" "$work/in" >"$work/tagged"
plain <"$work/tagged" | cmp - "$work/in" || fail "the test does not undo its own tags"
[ "$(wc -l <"$work/in")" -ge 1000 ] || fail "fewer than 1000 lines"
train spaces 60 --tokenizer spaces
check() { # MODEL OPTION...
    local model=$1
    shift
    "$ATTEND" translate --model "$work/$model" --input "$work/in" "$@" >"$work/want" 2>/dev/null
    "$ATTEND" translate --model "$work/$model" --input "$work/tagged" --tags html "$@" >"$work/got" 2>/dev/null
    plain <"$work/got" | cmp - "$work/want" || fail "$model $*: without its tags an answer is another translation"
    placeholders <"$work/got" | cmp - <(placeholders <"$work/tagged") || fail "$model $*: placeholders are lost or doubled"
    well_nested "$work/tagged" <"$work/got" || fail "$model $*: tags are not well nested"
}
check spaces
grep -qE '<b>[^<]+</b>' "$work/got" || fail "no tag has words in it"
# Other tokenizers, a model without attention, copying, several heads: fewer lines.
head -n 150 "$work/in" >"$work/few" && mv "$work/few" "$work/in"
head -n 150 "$work/tagged" >"$work/few" && mv "$work/few" "$work/tagged"
train char 20 --tokenizer char
train word 20 --tokenizer word
train pieces 20 --tokenizer sentencepiece --vocab 150
train none 20 --tokenizer spaces --attention none
train copy 60 --tokenizer spaces --copy
for model in char word pieces none copy; do check $model --beam 2; done
check spaces --unk-replace

# ---- Where tags land: the golden model reverses letters ----
golden=$ATTEND_SOURCE/tests/data/model-v1.safetensors
tagged() { "$ATTEND" translate --model "$golden" --tags html "${@:2}" <<<"$1" 2>"$work/stderr" || fail "$1: $(cat "$work/stderr")"; }
equal "a tag" "$(tagged '<b>a</b> b c')" 'c b <b>a</b>'
equal "two tags" "$(tagged 'd <b>a b</b> <i class="x">c</i>')" '<i class="x">c</i> <b>b a</b> d'
equal "nested tags" "$(tagged '<b>a <i>b</i></b> c')" 'c <b><i>b</i> a</b>'
equal "a tag around all" "$(tagged '<p><b>a b</b></p>')" '<p><b>b a</b></p>'
equal "a placeholder" "$(tagged '{name} a b')" '{name} b a'
equal "a comment" "$(tagged 'a b <!-- x > y -->')" 'b a<!-- x > y -->'
equal "no words" "$(tagged '<b>{x}</b> %s')" '<b>{x}</b> %s'
equal "an empty line" "$(tagged '')" ''
equal "only placeholders" "$("$ATTEND" translate --model "$golden" --tags placeholders <<<'a {0} b %s')" 'b {0} a %s'
equal "several hypotheses" "$(tagged '<b>a</b> b' --nbest 2 --beam 4 | awk -F ' [|][|][|] ' '{ print $2 }' | head -n 1)" 'b <b>a</b>'
equal "JSON" "$("$ATTEND" translate --model "$golden" --tags html --json <<<'{"source":"<b>a</b> b"}' | grep -o '"text":"[^"]*"')" \
    '"text":"b <b>a</b>"'
printf 'a b\tx y\n' >"$work/lexicon"
equal "a lexicon" "$(tagged 'a <b>b</b>' --lexicon "$work/lexicon" --lexicon-first)" 'x <b>y</b>'
equal "references" "$(tagged '&#97; <b>&#x62;</b>')" '<b>b</b> a'

# ---- Errors: one line each, after the lines before it ----
wrong() { # LINE PATTERN
    printf 'a\n%s\n' "$1" >"$work/wrong"
    refused 1 "$work/wrong:2: $2" "$ATTEND" translate --model "$golden" --tags html --input "$work/wrong"
    equal "the line before" "$(cat "$work/stdout")" a
}
wrong 'a <b>b' '<b> at byte 3 is not closed'
wrong 'a </b>b' '</b> at byte 3 closes a tag that is not open'
wrong '<b>a <i>b</b></i>' '<i> at byte 6 is not closed'
wrong 'a <b' '<b at byte 3 does not end'
refused 2 "tags" "$ATTEND" translate --model "$golden" --tags rtf
refused 2 "tags and --pieces" "$ATTEND" translate --model "$golden" --tags html --pieces
refused 2 "there is no mask 'names'; known are urls, emails and numbers" "$ATTEND" translate --model "$golden" --mask urls,names
