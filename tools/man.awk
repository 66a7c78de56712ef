# Makes a manual page, in roff, from the output of `attend --help` or `attend COMMAND --help`, so that the two always
# agree.
#     attend train --help | awk -v version=0.1.0 -v date=2026-01-31 -f tools/man.awk > attend-train.1

# roff TEXT: escape what roff would interpret
function roff(text)
{
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text ~ /^[.']/ ? "\\&" text : text
}

# entry TAG TEXT: an item of a list; the first word of the tag is bold, placeholders of values are not
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
    print ".TH " roff(toupper(page)) " 1 \"" date "\" \"attend " version "\" \"User Commands\""
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
substr($0, 1, 29) ~ /^ +$/ && substr($0, 30, 1) ~ /[^ ]/ { # a value of the option
    text = $0
    sub(/^ +[^ ]+ */, "", text)
    print ".br"
    print ".I " roff($1)
    if (text) print roff(text)
    next
}
/^ / { sub(/^ +/, ""); print roff($0); next }
/./ { print ".PP"; print roff($0) }
END {
    if (page == "attend" || page == "attend-models") {
        print ".SH ENVIRONMENT"
        if (page == "attend")
            entry("ATTEND_SIMD", "The highest level of vector instructions to use: plain, avx2 or avx512. Without it, the highest of the processor.")
        entry("ATTEND_MODELS", "Folders of ready models, with colons between them. They are searched before those that are installed.")
    }
    print ".SH EXIT STATUS"
    print "0 when done, 1 when something failed, 2 when the program was called wrongly, 130 after Ctrl\\-C; standard error says what."
    print ".SH SEE ALSO"
    print pages ? pages : ".BR attend (1)"
}
