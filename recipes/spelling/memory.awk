# What each word of the first column is most often in the second: `word<TAB>form` lines in the order of the words' first
# appearance; of forms that are equally often the one that was so first. Lines without two columns are passed over.
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
