#!/usr/bin/env bash
# Flags as people type them: short forms, abbreviations, other names, help for beginners, completion in shells.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

equal "-V" "$("$ATTEND" -V)" "$("$ATTEND" --version)"
cmp -s <("$ATTEND" help) <("$ATTEND" --help) || fail "attend help is not attend --help"
refused 2 "there is no command 'trian'; did you mean 'train'\?" "$ATTEND" trian
refused 2 "there is no command 'xyzzy'; attend --help lists them" "$ATTEND" xyzzy
refused 2 "there is no command 'bnech'; did you mean 'bench'\?" "$ATTEND" help bnech

# The short help is short, says how to see the rest, and explains choices.
"$ATTEND" train --help >"$work/short"
"$ATTEND" train --help-all >"$work/all"
options=$(grep -c '^  --' "$work/short")
if [ "$options" -lt 8 ] || [ "$options" -gt 15 ]; then fail "$options options for beginners"; fi
grep -q "^These are $options of $(grep -c '^  --' "$work/all") options; attend train --help-all lists all of them" \
    "$work/short" || fail "the short help does not lead to the long one: $(tail -n 1 "$work/short")"
for choice in "additive +v . tanh" "gru " "luong +" "mean +tanh" "maxout +" "sentencepiece +" "adam +" "plateau +"; do
    grep -qE "^ {29}$choice" "$work/all" || fail "--help-all does not explain '$choice'"
done
grep -qE '^ {29}bleu +' <("$ATTEND" eval --help) || fail "eval --help does not explain bleu"

# -m, abbreviations and other names.
tiny_model "$work/m"
equal "-m" "$("$ATTEND" info -m "$work/m")" "$("$ATTEND" info --model "$work/m")"
equal "--mod=" "$("$ATTEND" info --mod="$work/m")" "$("$ATTEND" info --model "$work/m")"
refused 2 "\-\-max could be --max-length, --max-frames, --max-ratio, --max-epochs, --max-updates" "$ATTEND" train --max 3
refused 2 "unknown option -x" "$ATTEND" info -x
for name in concat bahdanau; do
    "$ATTEND" train --train-src <(echo a) --train-tgt <(echo b) --tokenizer spaces --max-updates 1 --attention $name \
        --emb 4 --hidden 4 --model "$work/$name" 2>/dev/null
    grep -q "attention: additive" <("$ATTEND" info --model "$work/$name" --config) || fail "$name is not additive"
done

# Completion follows the tables: bash completes commands, options, and the values of options.
"$ATTEND" completion bash >"$work/bash"
complete_line() { # WORD...: what completing the last word offers
    # shellcheck disable=SC2016
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _attend; printf "%s\n" "${COMPREPLY[@]}"' \
        - "$work/bash" "$@"
}
equal "commands" "$(complete_line attend tr)" "$(printf 'train\ntranslate\ntrouble')"
equal "options" "$(complete_line attend train --max-e)" "--max-epochs"
equal "values" "$(complete_line attend train --cell l)" "lstm"
equal "files" "$(cd "$work" && complete_line attend info --model tiny.h)" "tiny.hi"
equal "shells" "$(complete_line attend completion z)" "zsh"
equal "commands to explain" "$(complete_line attend help tra)" "$(printf 'train\ntranslate')"
equal "no option that does nothing" "$(complete_line attend explain --nbe)" ""
for shell in zsh fish; do
    "$ATTEND" completion $shell >"$work/$shell"
    grep -q max-epochs "$work/$shell" || fail "$shell does not complete --max-epochs"
    if command -v $shell >/dev/null; then
        $shell -n "$work/$shell" || fail "the completion of $shell is not valid"
    fi
done
# shellcheck disable=SC2016
if command -v zsh >/dev/null; then
    equal "zsh takes the script" "$(zsh -f -c 'autoload -U compinit; compinit -u -D; . "$1"; print $_comps[attend]' - "$work/zsh")" _attend
fi
if command -v fish >/dev/null; then
    # shellcheck disable=SC2016
    fish_line() { HOME=$work fish -N -c 'source $argv[1]; complete -C $argv[2]' "$work/fish" "$1" | cut -f1; }
    equal "fish: commands" "$(fish_line 'attend tr')" "$(printf 'train\ntranslate\ntrouble')"
    equal "fish: values" "$(fish_line 'attend train --cell l')" "lstm"
    equal "fish: shells" "$(fish_line 'attend completion z')" "zsh"
    equal "fish: help" "$(fish_line 'attend help tra')" "$(printf 'train\ntranslate')"
fi
refused 2 "bash, zsh or fish" "$ATTEND" completion tcsh
refused 2 "bash, zsh or fish" "$ATTEND" completion
