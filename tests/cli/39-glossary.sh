#!/usr/bin/env bash
# Terms: required translations, terms and parts of a text that stay as they are, and every error of a glossary.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

golden=$ATTEND_SOURCE/tests/data/model-v1.safetensors # reverses up to four letters, a to f
with() { # GLOSSARY LINE OPTION...
    printf '%b' "$1" >"$work/terms.tsv"
    "$ATTEND" translate --model "$golden" --glossary "$work/terms.tsv" "${@:3}" <<<"$2" 2>"$work/stderr" || fail "$(cat "$work/stderr")"
}
has() { # WHAT TEXT WORD
    [[ " $2 " == *" $3 "* ]] || fail "$1: '$2' does not have '$3'"
}
lacks() { [[ " $2 " != *" $3 "* ]] || fail "$1: '$2' has '$3'"; }

# ---- Required terms ----
equal "without" "$("$ATTEND" translate --model "$golden" <<<'a b c')" 'c b a'
has "a term" "$(with 'a\td\n' 'a b c')" d
has "any case of the term" "$(with 'A\td\n' 'a b c')" d
equal "a term that the line does not have" "$(with 'e\td\n' 'a b c')" 'c b a'
equal "a part of a word is not a term" "$(with 'a\td\n' 'ab b c' | tr ' ' '\n' | grep -c d || true)" 0
has "several words" "$(with 'a b\te f\n' 'a b c')" 'e f'
got=$(with 'a\td\na b\te f\nb\td\n' 'a b c')
has "the longest term" "$got" 'e f'
lacks "a term inside a longer one" "$got" d
has "the first of two lines" "$(with 'a\td\nA\te\n' 'a b c')" d
equal "a term twice" "$(with 'a\td\n' 'a b a' | tr ' ' '\n' | grep -c d)" 2
has "with --require" "$(with 'a\td\n' 'a b' --require e)" e
has "both" "$(with 'a\td\n' 'a b' --require e)" d
has "inside tags" "$(with 'a b\td\n' '<b>a</b> b c' --tags html | sed 's/<[^>]*>//g')" d
lines=$(for _ in $(seq 40); do printf 'a '; done)
with 'a\td\n' "$lines" >/dev/null
grep -q '^attend translate: 8 terms were not asked for, because a line may require at most 32 phrases$' "$work/stderr" ||
    fail "nothing is said of terms that were left out: $(cat "$work/stderr")"

# ---- Terms that stay ----
has "a term that stays" "$(with 'a\t\n' 'a b c')" a
equal "a term that the model cannot spell" "$(with 'Foo Bar\t\n' 'Foo Bar b c')" 'Foo Bar c b'
has "as the line writes it" "$(with 'foo\t\n' 'b FOO c')" FOO
equal "in HTML it is escaped" "$(with 'x & y\t\n' 'b x &amp; y' --tags html)" 'b x &amp; y'

# ---- Masks ----
mask() { "$ATTEND" translate --model "$golden" --mask "$1" <<<"$2"; }
equal "an address" "$(mask urls 'a https://example.org/x?y=1 b')" 'b https://example.org/x?y=1 a'
equal "at the end" "$(mask urls 'a b https://example.org/x')" 'b a https://example.org/x'
equal "an e-mail address" "$(mask emails 'a b me.too@example.org')" 'b a me.too@example.org'
equal "a number" "$(mask urls,emails,numbers 'a b 1,250.50')" 'b a 1,250.50'
equal "a lone number" "$(mask numbers '12:30')" '12:30'

# ---- Errors ----
wrong() { # GLOSSARY PATTERN
    printf '%b' "$1" >"$work/terms.tsv"
    refused 1 "$2" "$ATTEND" translate --model "$golden" --glossary "$work/terms.tsv"
}
wrong '' 'terms.tsv: has no terms; write lines of source term, tab and target term'
wrong '\n\n' 'terms.tsv: has no terms'
wrong 'a\tb\nno tab\n' 'terms.tsv:2: has no tab; write the source term, one tab and the target term'
wrong 'a\tb\tc\n' 'terms.tsv:1: has several tabs'
wrong 'a\tb\n\td\n' 'terms.tsv:2: has no source term'
wrong "$(printf 'x%.0s' $(seq 300))\tb\n" 'terms.tsv:1: the source term has 300 bytes, more than 256'
wrong "a\t$(printf 'x%.0s' $(seq 300))\n" 'terms.tsv:1: the target term has 300 bytes, more than 256'
wrong 'b\ta\na\tcastle\n' "terms.tsv:2: the model cannot spell 'castle', the target of 'a'"
wrong 'a\t\xff\n' 'terms.tsv:1: invalid UTF-8|terms.tsv:1: .*UTF-8'
refused 1 'nowhere.tsv' "$ATTEND" translate --model "$golden" --glossary "$work/nowhere.tsv"
