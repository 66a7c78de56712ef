# Converts apt's lists of descriptions to `md5<TAB>title<TAB>description` lines, one per md5. The md5 is that of the
# English description in every language's list. The lines of a paragraph are joined, including list items; \036
# separates paragraphs.
#   LC_ALL=C awk [-v limit=PACKAGES] -f descriptions.awk TRANSLATIONS...

function flush() {
    if (title != "" && !(md5 in seen) && (!limit || count < limit)) {
        print md5, title, text
        count++
    }
    seen[md5]
    title = text = gap = ""
}

BEGIN { OFS = "\t" }

{ gsub(/[\t\r]/, " ") }

/^Package:/ {
    flush()
    if (limit && count >= limit)
        exit
}

/^Description-md5:/ { md5 = $2; next }

/^Description-/ {
    title = $0
    sub(/^[^:]*: */, "", title)
    sub(/ +$/, "", title)
    next
}

# A line with only a period ends a paragraph.
/^ \.$/ { gap = text == "" ? "" : "\036"; next }

/^ / {
    sub(/^ +/, "")
    text = text (text == "" ? "" : gap == "" ? " " : gap) $0
    gap = ""
}

END { flush() }
