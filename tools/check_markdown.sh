#!/usr/bin/env bash
# Checks the format of the Markdown pages: check_markdown.sh [ROOT].
#   1. Lines have at most 120 characters, except in tables and code and where a line is nothing but a link.
#   2. A link to a file of this project leads to a file that exists.
# Prints file:line and the rule for each violation and exits with 1.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"
export LC_ALL=C.UTF-8

mapfile -t pages < <(find . -type d \( -name '.?*' -o -name 'build*' -o -name node_modules -o -path './recipes/*/out' \) \
    -prune -o -name '*.md' -print | sed 's|^\./||' | sort)
status=0

# file:line:text of every line that is not code.
text=$(awk '
    FNR == 1 { fenced = 0 }
    /^ *```/ { fenced = !fenced; next }
    !fenced && !/^    / { print FILENAME ":" FNR ":" $0 }' "${pages[@]}")

# grep counts characters; awk may count bytes.
exempt='^[^:]*:[0-9]+:(\||[-* ]*!?\[[^]]*\]\([^)]*\)$|[-* ]*<?https?:[^ ]*$)'
while IFS=: read -r file line _; do
    echo "$file:$line: longer than 120 characters"
    status=1
done < <(grep -vE "$exempt" <<<"$text" | grep -E '^[^:]*:[0-9]+:.{121}' || true)

# The targets of a line's links are what follows each "](".
while IFS=: read -r file line rest; do
    while [[ $rest =~ \]\(([^\)# ]*) ]]; do
        target=${BASH_REMATCH[1]}
        rest=${rest#*"](${target}"}
        [ -z "$target" ] || [[ $target == *:* ]] || [ -e "$(dirname "$file")/$target" ] || {
            echo "$file:$line: links to $target, which does not exist"
            status=1
        }
    done
done < <(grep -F '](' <<<"$text" || true)
exit $status
