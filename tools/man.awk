# A manual page, in roff, from what `attend --help` or `attend COMMAND --help` prints, so that it cannot tell otherwise.
#     attend train --help | awk -v version=0.1.0 -f tools/man.awk > attend-train.1

# roff TEXT: with nothing in it that roff would obey
function roff(text)
{
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text ~ /^[.']/ ? "\\&" text : text
}

# entry TAG TEXT: of a list; the tag's first word is bold, what stands for a value is not
function entry(tag, text,    word)
{
    print ".TP"
    if (split(tag, word, " ") > 1) print ".BI " roff(word[1]) " \" " roff(word[2]) "\""
    else print ".B " roff(tag)
    print roff(text)
}

NR == 1 {
    colon = index($0, ": ")
    page = name = substr($0, 1, colon - 1)
    gsub(/ /, "-", page)
    print ".TH " roff(toupper(page)) " 1 \"\" \"attend " version "\" \"User Commands\""
    print ".SH NAME"
    print roff(page) " \\- " roff(substr($0, colon + 2))
    next
}
/^Usage: / {
    print ".SH SYNOPSIS"
    print ".B " roff(name)
    usage = substr($0, length("Usage: " name) + 2)
    if (usage) print roff(usage)
    if (page == "attend") print ".SH COMMANDS"
    else print ".SH OPTIONS"
    next
}
/^[A-Z].*:$/ { print ".SS " roff(substr($0, 1, length($0) - 1)); next }
/^  --/ {
    match($0, /^  --[a-z0-9-]+( [A-Z]+)?/)
    text = substr($0, RLENGTH + 1)
    tag = substr($0, 3, RLENGTH - 2)
    sub(/^ +/, "", text)
    entry(tag, text)
    next
}
/^  [a-z]/ { # a command
    text = $0
    sub(/^  [a-z]+ +/, "", text)
    entry($1, text)
    pages = pages (pages ? " ,\n" : "") ".BR " roff(page "-" $1) " (1)"
    next
}
/^ / { sub(/^ +/, ""); print roff($0); next }
/./ { print ".PP"; print roff($0) }
END {
    print ".SH EXIT STATUS"
    print "0 when done, 1 when something failed, 2 when the program was called wrongly; standard error says what."
    print ".SH SEE ALSO"
    print pages ? pages : ".BR attend (1)"
}
