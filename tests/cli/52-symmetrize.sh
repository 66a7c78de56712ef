#!/usr/bin/env bash
# The published alignment error rates of two aligners on 447 sentences of the Hansards, English-French.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
if [ -z "${ATTEND_DATA:-}" ]; then
    echo "SKIPPED: ATTEND_DATA is not set: published alignment error rates are not checked"
    exit 77
fi
data=$ATTEND_DATA/align-enfr

# judge FLAG...: the error rate in percent.
judge() { "$ATTEND" align "$@" --gold "$data/enfr.gold" --gold-base 1 | sed 's/^AER \([0-9.]*\)%  .*/\1/'; }
# near WHAT GOT PUBLISHED
near() { awk -v a="$2" -v b="$3" 'BEGIN { exit !(a != "" && a - b <= 0.1 && b - a <= 0.1) }' || fail "$1: $2, published is $3"; }

checked=0
for system in giza fastalign; do
    outputs=$data/system-outputs/$system
    both=(--links "$outputs/test.enfr.talp" --reverse-links "$outputs/test.enfr.reverse.talp")
    while IFS=': %' read -r file rate _; do
        case $file in
        *.bpe.*) continue ;;
        *.reverse.*) flag=--reverse-links ;;
        *) flag=--links ;;
        esac
        near "$system, $file" "$(judge "$flag" "$outputs/$file")" "$rate"
        # The two directions of the aligners, merged by us.
        case $file in
        *.intersection.*) near "$system, intersection" "$(judge "${both[@]}" --symmetrize intersection)" "$rate" ;;
        *.union.*) near "$system, union" "$(judge "${both[@]}" --symmetrize union)" "$rate" ;;
        *.grow-diagonal.*) near "$system, grow-diag-both" "$(judge "${both[@]}" --symmetrize grow-diag-both)" "$rate" ;;
        esac
        checked=$((checked + 1))
    done <"$outputs/enfr-results.txt"
    # In these two cases the links are the same too.
    for name in intersection union; do
        "$ATTEND" align "${both[@]}" --symmetrize "$name" >"$work/ours"
        "$ATTEND" align --links "$outputs/test.enfr.$name.talp" >"$work/theirs"
        cmp "$work/ours" "$work/theirs" || fail "$system: other links than the published $name"
    done
done
equal "figures checked" "$checked" 12

# Every published link is within its sentence.
"$ATTEND" align "${both[@]}" --src <(sed 's/ ||| .*//' "$data/enfr.src-tgt") --tgt <(sed 's/.* ||| //' "$data/enfr.src-tgt") \
    --gold "$data/enfr.gold" --gold-base 1 >/dev/null
