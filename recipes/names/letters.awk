# The baseline: every letter becomes what was most often at its position in training pairs of equal length; an unseen
# letter stays. With syllables=1, for katakana, a letter includes the vowel after it, and a kana the small kana and the
# long mark after it.
#   LC_ALL=C awk [-v syllables=1] -f letters.awk TRAIN.tsv SOURCES

# The length in bytes of the first unit of a UTF-8 text.
function first_length(text) {
    if (syllables && match(text, /^[a-z][aeiou]/))
        return RLENGTH
    if (syllables && match(text, /^[\300-\377][\200-\277]*(\343\202[\241\243\245\247\251]|\343\203[\243\245\247\274])+/))
        return RLENGTH
    return match(text, /^[\300-\377][\200-\277]*/) ? RLENGTH : 1
}

# Split a text into letters, into `list`. Returns their number.
function letters(text, list,    count, bytes) {
    while (text != "") {
        bytes = first_length(text)
        list[++count] = substr(text, 1, bytes)
        text = substr(text, bytes + 1)
    }
    return count + 0
}

BEGIN { FS = "\t" }

NR == FNR {
    length_of_pair = letters($1, from)
    if (letters($2, to) != length_of_pair)
        next
    for (i = 1; i <= length_of_pair; i++)
        if (++times[from[i], to[i]] > most[from[i]]) {
            most[from[i]] = times[from[i], to[i]]
            becomes[from[i]] = to[i]
        }
    next
}

{
    count = letters($1, from)
    out = ""
    for (i = 1; i <= count; i++)
        out = out (from[i] in becomes ? becomes[from[i]] : from[i])
    print out
}
