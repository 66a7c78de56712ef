# Converts Festival's dictionary to `WORD<TAB>P H O N E S` lines in capitals, from lines such as ("word" nil (((w er) 1)
# ((d) 0))). Drops part of speech, stress, syllables, and words with characters other than letters. `ax`, Festival's
# unstressed `ah`, becomes AH again.
BEGIN { FS = "\"" }

/^\("/ {
    word = toupper($2)
    phones = $3
    sub(/^ *[^ ]+ */, "", phones)
    gsub(/[()0-9]/, " ", phones)
    count = split(toupper(phones), phone, " ")
    line = ""
    for (i = 1; i <= count; i++)
        line = line (i > 1 ? " " : "") (phone[i] == "AX" ? "AH" : phone[i])
    if (count && word ~ /^[A-Z]+$/)
        print word "\t" line
}
