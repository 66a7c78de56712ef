# Converts `family<TAB>title<TAB>description` lines to `family<TAB>description<TAB>title`, each pair once, descriptions
# cut to their first `words` words. Packages belong to one family if the first column is the same, if the first eight
# words of their descriptions are the same, or if they share a paragraph of twelve words or more. Families that share a
# package are merged, and keep the name of the first.
#   LC_ALL=C awk -v words=100 -f families.awk PAIRS

function head_of(family) {
    while (up[family] != family)
        family = up[family] = up[up[family]]
    return family
}

# Lines with the same key belong to one family.
function tie(line, key,    a, b) {
    if (!(key in first))
        first[key] = line
    a = head_of(line)
    b = head_of(first[key])
    if (a < b)
        up[b] = a
    else
        up[a] = b
}

function first_words(text, limit,    word, count, i, out) {
    count = split(text, word, " ")
    for (i = 1; i <= count && i <= limit; i++)
        out = out (i > 1 ? " " : "") word[i]
    return out
}

function tie_paragraphs(line, text,    paragraph, word, i) {
    for (i = split(text, paragraph, "\036"); i > 0; i--)
        if (split(paragraph[i], word, " ") >= 12)
            tie(line, "paragraph " first_words(paragraph[i], 1000))
}

BEGIN { FS = OFS = "\t" }

$2 == "" || $3 == "" { next }

{
    joined = $3
    gsub(/\036/, " ", joined)
    pair = first_words(joined, words) OFS $2
    if (pair in seen)
        next
    seen[pair]
    kept[++lines] = pair
    name[lines] = $1
    up[lines] = lines
    tie(lines, "title " $1)
    tie(lines, "beginning " tolower(first_words(joined, 8)))
    tie_paragraphs(lines, tolower($3))
}

END {
    for (i = 1; i <= lines; i++)
        print name[head_of(i)], kept[i]
}
