#!/usr/bin/env bash
# Help and usage errors, for every command.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

"$ATTEND" --help >"$work/help"
grep -q '^attend ' <("$ATTEND" --version) || fail "no version"
commands=$(sed -n 's/^  \([a-z]*\) .*/\1/p' "$work/help")
[ "$(wc -w <<<"$commands")" -ge 7 ] || fail "only these commands: $commands"
for command in $commands; do
    for help in --help --help-all; do
        "$ATTEND" "$command" $help >"$work/one" 2>"$work/stderr"
        grep -q "^Usage: attend $command" "$work/one" || fail "$command $help has no usage"
        [ ! -s "$work/stderr" ] || fail "$command $help wrote to stderr"
        awk 'length > 100 { print; bad = 1 } END { exit bad }' "$work/one" || fail "$command $help has overlong lines"
    done
    cmp -s <("$ATTEND" help "$command") <("$ATTEND" "$command" --help) || fail "attend help $command is not its --help"
    refused 2 "unknown option --no-such-thing" "$ATTEND" "$command" --no-such-thing 1
done

# The manual has a page for each command, in which each of its options is an entry.
"$ATTEND_SOURCE/tools/man.sh" "$ATTEND" "$work/man"
for command in $commands; do
    grep -q "attend.-$command (1)" "$work/man/attend.1" || fail "attend(1) does not lead to $command"
    options=$("$ATTEND" "$command" --help-all | sed -n 's/^  --\([a-z0-9-]*\).*/\1/p')
    entries=$(sed -n 's/\\//g; s/^\.BI* --\([a-z0-9-]*\).*/\1/p' "$work/man/attend-$command.1")
    equal "the options in the manual of $command" "$entries" "$options"
done
grep -q '^\.I additive$' "$work/man/attend-train.1" || fail "the manual runs the values of --attention together"
if command -v groff >/dev/null; then
    for page in "$work"/man/*.1; do
        warnings=$(groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null)
        [ -z "$warnings" ] || fail "$page: $warnings"
    done
fi

refused 2 "did you mean --hidden\?" "$ATTEND" train --hiden 3
refused 2 "did you mean --model\?" "$ATTEND" translate --modle x
refused 2 "there is no command 'trian'" "$ATTEND" trian
refused 2 "whole number from 1 to 8192, not 'x'" "$ATTEND" train --hidden x
refused 2 "not '-3'" "$ATTEND" train --hidden -3
refused 2 "not '1.5'" "$ATTEND" train --hidden=1.5
names=$(choices tokenizer)
refused 2 "one of auto, spaces.*${names##* }, not 'words'" "$ATTEND" train --tokenizer words
refused 2 "needs a value" "$ATTEND" train --model
refused 2 "two dashes" "$ATTEND" train -x
refused 2 "only options" "$ATTEND" train x
refused 2 "\-\-train-src and --train-tgt, or --train, are needed" "$ATTEND" train
refused 2 "\-\-model is needed" "$ATTEND" translate
refused 2 "\-\-model is needed" "$ATTEND" train --train x
refused 2 "\-\-ref is needed" "$ATTEND" eval
refused 2 "give a sentence" "$ATTEND" plot --model x
refused 2 "ends in .svg" "$ATTEND" plot --model x --output y.bmp "a b"
status=0
"$ATTEND" >/dev/null 2>"$work/stderr" || status=$?
equal "exit code without a command" "$status" 2

# The document of mechanisms has a section for every attention and names every cell.
for name in $(choices attention); do
    grep -q "^### $name\$" "$ATTEND_SOURCE/docs/mechanisms.md" || fail "docs/mechanisms.md has no section on $name"
done
for name in $(choices cell); do
    grep -q -- "--cell.*$name" "$ATTEND_SOURCE/docs/mechanisms.md" || fail "docs/mechanisms.md does not name the cell $name"
done
