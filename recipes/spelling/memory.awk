# The most frequent form (second column) of each word (first column): `word<TAB>form` lines in the order of the words'
# first appearance. Of equally frequent forms, the first to reach the count wins. Lines without two columns are skipped.
BEGIN { FS = OFS = "\t" }

NF < 2 || $1 == "" || $2 == "" { next }

!($1 in most) { word[++words] = $1 }

++times[$1, $2] > most[$1] {
    most[$1] = times[$1, $2]
    form[$1] = $2
}

END {
    for (i = 1; i <= words; i++)
        print word[i], form[word[i]]
}
