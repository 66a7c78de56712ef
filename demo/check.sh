#!/bin/sh
# Checks the demo corpus: check.sh [DIR]. Counts, uniqueness, the held-out sentence, gold links, and that every word of
# validation and test is frequent in training. Prints the figures, or prints the fault and exits with 1.
dir=${1:-.}
status=0
fail() { echo "check: $*" >&2; status=1; }

for split in train valid test; do
    expected=500
    [ "$split" = train ] && expected=20000
    for kind in hi en gold; do
        lines=$(wc -l <"$dir/$split.$kind")
        [ "$lines" -eq "$expected" ] || fail "$split.$kind has $lines lines, not $expected"
    done
    paste "$dir/$split.hi" "$dir/$split.en" "$dir/$split.gold" |
        awk -F '\t' -v split_name="$split" '
        {
            sources = split($1, source, " "); targets = split($2, target, " ")
            links = split($3, link, " "); split("", covered)
            if ($1 ~ /^ |  | $/ || $2 ~ /^ |  | $/) { print "spacing: " $0; bad = 1 }
            for (k = 1; k <= links; k++) {
                if (link[k] !~ /^[0-9]+[-p][0-9]+$/) { print "bad link: " $0; bad = 1 }
                split(link[k], end, /[-p]/)
                if (end[1] >= sources || end[2] >= targets) { print "range: " $0; bad = 1 }
                covered[end[2] + 0] = 1
                if (link[k] ~ /-/) sure++; else possible++
            }
            for (j = 0; j < targets; j++) if (!(j in covered)) { print "uncovered: " $0; bad = 1 }
            source_tokens += sources; target_tokens += targets
        }
        END {
            printf "%s: %d pairs, mean length %.2f hi %.2f en, links %d sure %d possible\n",
                   split_name, NR, source_tokens / NR, target_tokens / NR, sure, possible
            exit bad
        }' || fail "$split: see above"
done

repeated=$(cat "$dir/train.hi" "$dir/valid.hi" "$dir/test.hi" | sort | uniq -d | wc -l)
[ "$repeated" -eq 0 ] || fail "$repeated sources occur twice"
for split in train valid test; do
    grep -qxF 'mai ghar ja raha hoon' "$dir/$split.hi" && fail "held-out sentence in $split"
done
for near in 'mai ghar ja rahi hoon' 'mai bazaar ja raha hoon' 'vah ghar ja raha hai' \
    'mai ghar nahi ja raha hoon'; do
    grep -qxF "$near" "$dir/train.hi" || fail "not in training: $near"
done

for kind in hi en; do
    tr ' ' '\n' <"$dir/train.$kind" | sort | uniq -c | awk -v kind="$kind" '
        { if (!least || $1 < least) { least = $1; word = $2 } }
        END { printf "%s: %d words in training, the rarest is %s (%d)\n", kind, NR, word, least }'
    cat "$dir/valid.$kind" "$dir/test.$kind" | tr ' ' '\n' | awk -v train="$dir/train.$kind" '
        BEGIN {
            while ((getline line <train) > 0) {
                n = split(line, word, " ")
                for (i = 1; i <= n; i++) count[word[i]]++
            }
        }
        count[$1] < 15 { print "rare: " $1 " " count[$1] + 0; bad = 1 }
        END { exit bad }' || fail "rare words in validation or test ($kind)"
done
exit $status
