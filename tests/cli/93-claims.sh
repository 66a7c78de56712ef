#!/usr/bin/env bash
# What README.md and docs/lesson.md show is what the demo prints here. tools/check_claims.py trains the demo's model and runs
# the commands; it has the list of those that take too long.
# shellcheck disable=SC2016 # the backquotes are Markdown's
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
[ -z "${ATTEND_QUICK:-}" ] || { echo "skipped: the demo trains too long under a sanitizer"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
claims() { (cd "$ATTEND_SOURCE" && python3 tools/check_claims.py "$@"); }
lesson=$ATTEND_SOURCE/docs/lesson.md
readme=$ATTEND_SOURCE/README.md
if [ -n "${ATTEND_DEMO_MODEL:-}" ]; then model=(--model "$ATTEND_DEMO_MODEL"); else model=(); fi
claims "${model[@]}" --save "$work/model" "$readme" "$lesson" >"$work/out" 2>"$work/err" || fail "$(cat "$work/err")"
cat "$work/out"
[ "$(sed -n 's/^\([0-9]*\) commands ran.*/\1/p' "$work/out")" -ge 20 ] || fail "too few commands: $(cat "$work/out")"

# An edit that breaks a claim is found, and its line is named.
# broken FILE SECTION SED [PATTERN]: the part of the file from a heading to the next, edited, is wrong
broken() {
    awk -v heading="## $2" 'index($0, heading) == 1 { on = 1; print; next } /^## / { on = 0 } on' "$1" >"$work/part.md"
    sed "$3" "$work/part.md" >"$work/edited.md"
    if cmp -s "$work/part.md" "$work/edited.md"; then fail "$3 changes nothing in $2"; fi
    if claims --model "$work/model" "$work/edited.md" >/dev/null 2>"$work/err"; then fail "$3 in $2 was not found"; fi
    grep -qE "WRONG: .*edited.md:[0-9]+: .*${4:-}" "$work/err" || fail "$3: $(cat "$work/err")"
}
broken "$lesson" "2." 's/ going  */ coming /' "is not what the command prints"
broken "$lesson" "2." 's/███.99/███.70/' "is not what the command prints"
broken "$lesson" "9." 's/I will going home |/I am going home |/' "2:6=1 does not print"
broken "$lesson" "9." 's/^    after:  am am /    after:  I am /' "is not what the command prints"
broken "$lesson" "9." 's/^    after:  Mohan/    after:  Sita/' "is not what the command prints"
broken "$readme" "Try it" 's/-->99 %/-->100.1 %/' "accuracy is"
broken "$readme" "Try it" 's/`am` at `hoon`/`am` at `raha`/' "looks at"
broken "$readme" "See where" 's/`am am going home`/`am I going home`/' "does not print"
broken "$readme" "See where" 's/--view links/--view lines/' "exits with 2"

# The server answers clients as README starts it.
if [ ! -e "$(dirname "$ATTEND")/attend-serve.so" ] || ! command -v curl >/dev/null; then
    echo "the server was not tried"
    exit 0
fi
# shellcheck source=serve.bash
. "$(dirname "$0")/serve.bash"
equal "README's server" "$(grep -o '`build/attend serve [^`]*`' "$readme")" \
    '`build/attend serve --model build/demo/hindi-english.safetensors`'
serve --model "$work/model"
equal "what a LibreTranslate client gets" \
    "$(post /translate '{"q":"mai ghar ja raha hoon","source":"hi","target":"en","format":"text"}')" '{"translatedText":"I am going home"}'
equal "the languages" "$(get /languages | grep -o '"code":"[a-z]*"' | paste -sd,)" '"code":"hi","code":"en"'
