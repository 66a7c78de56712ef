#!/usr/bin/env bash
# Markdown pages wrap at 120 characters, and their links are valid (tools/check_markdown.sh).
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
check=$ATTEND_SOURCE/tools/check_markdown.sh
wide=$(printf 'word %.0s' {1..24})x # 121 characters
mkdir -p "$work/pages/docs" "$work/pages/build" "$work/pages/.hidden"

# Tables, code and a line that is one link or picture may be longer. Characters are counted, not bytes.
cat >"$work/pages/docs/good.md" <<END
$(printf 'é%.0s' {1..120})
| $wide | $wide |
    $wide

\`\`\`
$wide
[nowhere](nowhere.md)
\`\`\`
- [$wide](good.md#part)
![$wide](https://example.org/a.png)
https://example.org/$(printf 'a%.0s' {1..120})
END
cp "$work/pages/docs/good.md" "$work/pages/README.md"
sed -i 's|good.md|docs/good.md|' "$work/pages/README.md"
echo "$wide" | tee "$work/pages/build/made.md" >"$work/pages/.hidden/page.md"
bash "$check" "$work/pages" || fail "the check refuses good pages"

printf '%s\n' "short" "$wide" '```' "$wide" '```' "[gone](gone.md#part) and [here](#part)" >"$work/pages/docs/bad.md"
echo "a [picture](bad.svg)" >>"$work/pages/README.md"
bash "$check" "$work/pages" >"$work/found" && fail "the check accepts bad pages"
diff "$work/found" - <<END || fail "the check says something else"
docs/bad.md:2: longer than 120 characters
README.md:12: links to bad.svg, which does not exist
docs/bad.md:6: links to gone.md, which does not exist
END

bash "$check" "$ATTEND_SOURCE"

# A translated page has the chapters, pictures, tables and printed lines of the English one.
parts() { # FILE
    local part
    for part in '#' '!\[' '|---'; do printf '%s: %d; ' "$part" "$(grep -c "^$part" "$1")"; done
    # An indented block follows a blank line; other indented lines continue an item of a list.
    awk '/^    / && (blank || block) { lines++; block = 1; next } { block = 0; blank = !NF } END { print "printed: " lines + 0 }' "$1"
}
for page in "$ATTEND_SOURCE"/docs/ko/*.md; do
    equal "the parts of $page" "$(parts "$page")" "$(parts "$ATTEND_SOURCE/docs/$(basename "$page")")"
done
