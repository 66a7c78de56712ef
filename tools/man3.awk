# Makes the manual page of a header of the library, in roff, from its comments, so that the two always agree.
#     awk -v version=0.1.0 -v date=2026-01-31 -f tools/man3.awk include/attend/lines.h > attend_lines.h.3
# The comment at the top is the description, and /* ---- x ---- */ a heading. A declaration is shown if a /** comment */
# stands before it or if it is a function; members are shown with their /**< comments */. With -v list=1 it prints only
# the names of the functions.

# bold TEXT PATTERN: what matches becomes bold
function bold(text, pattern,    out)
{
    while (match(text, pattern)) {
        out = out substr(text, 1, RSTART - 1) "\\fB" substr(text, RSTART, RLENGTH) "\\fR"
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}

# roff TEXT: escape what roff would interpret
function roff(text)
{
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/\n[.']/, "\n\\\\\\&&", text)
    gsub(/\\&\n/, "\\\\\\&", text)
    return text ~ /^[.']/ ? "\\&" text : text
}

# prose TEXT: a comment; names of the library and what is in backquotes are bold, an indented block is set as it stands
function prose(text,    lines, count, i, block, out)
{
    text = bold(roff(text), "`[^`]*`|attend_[a-z0-9_]*[a-z0-9]|ATTEND_[A-Z0-9_]*[A-Z0-9]")
    gsub(/`/, "", text)
    count = split(text, lines, "\n")
    for (i = 1; i <= count; i++) {
        if ((lines[i] ~ /^    /) != block) out = out ((block = !block) ? ".PP\n.nf\n" : ".fi\n")
        if (lines[i] != "") out = out lines[i] "\n"
        else if (lines[i + 1] !~ /^    / && lines[i - 1] !~ /^    /) out = out ".PP\n"
        else if (lines[i - 1] ~ /^    /) out = out ".PP\n"
    }
    return out (block ? ".fi\n" : "")
}

# folded CODE: a declaration in lines of at most 68 characters if possible, broken after "(" and after commas
function folded(code,    parts, count, i, line, space, out)
{
    if (length(code) > 68 && sub(/\(/, "(\1", code)) gsub(/, /, ",\1", code)
    count = split(code, parts, "\1")
    line = parts[1]
    for (i = 2; i <= count; i++) {
        space = line ~ /\($/ ? "" : " "
        if (length(line space parts[i]) > 68) {
            out = out line "\n"
            line = "    " parts[i]
        } else line = line space parts[i]
    }
    return out line
}

# show CODE DOC: a declaration and what its comment says
function show(code, doc)
{
    code = roff(code)
    gsub(/\n/, "\\fR\n\\fB", code)
    body = body (body ~ /(^|(^|\n)\.SS [^\n]*\n)$/ ? "" : ".PP\n") ".nf\n\\fB" code "\\fR\n.fi\n"
    if (doc != "") body = body ".RS 4\n" prose(doc) ".RE\n"
}

function member(code, doc)
{
    sub(/[;,]$/, "", code)
    body = body ".TP\n\\fB" roff(code) "\\fR\n" (doc == "" ? "\\&\n" : prose(doc))
}

# words TEXT: the text without the marks of a comment, and without blanks around it
function words(text)
{
    gsub(/^[ \t]*(\/\*\*?<?)?[ \t]*|[ \t]*(\*\/)?[ \t]*$/, "", text)
    return text
}

# declared CODE: a function, by whose name the page is also found, or a type without members
function declared(code,    name)
{
    sub(/^ATTEND_API /, "", code)
    gsub(/[ \t\n]+/, " ", code)
    gsub(/\* /, "*", code)
    if (code !~ /^(struct|enum) [a-z_]+;$/ && code !~ /^typedef/) {
        name = code
        sub(/[(;].*/, "", name)
        sub(/.*[ *]/, "", name)
        names = names " " name
    } else if (doc == "") return
    show(folded(code), doc)
}

# ---- Comments ----

NR == 1 { in_comment = "intro" }
in_comment == "" && /^ *\/\*\*[^<]/ { in_comment = "doc"; doc = "" }
in_comment == "" && /^\/\* ---- .* ---- \*\/$/ {
    gsub(/^\/\* ---- | ---- \*\/$/, "")
    body = body ".SS " roff($0) "\n"
    next
}
in_comment == "" && /^\/\*/ { in_comment = "other" }
in_comment != "" {
    ends = /\*\/$/
    sub(/^ *\/\*\*? ?/, "")
    sub(/^ *\* ?/, "")
    sub(/ *\*\/$/, "")
    if (in_comment == "doc") doc = doc (doc == "" ? "" : "\n") $0
    if (in_comment == "intro") intro = intro (intro == "" ? "" : "\n") $0
    if (ends) in_comment = ""
    next
}

# ---- Macros: those of one line that have a comment, lists of names, and what declares the defaults of options ----

/^#include "attend\// {
    gsub(/.*\/|"$/, "")
    see = see " " $0
    next
}
/^#define ATTEND_[A-Z]*_LIST\(X\)/ { in_list = 1; next }
in_list {
    if (/X\([A-Z_]+, "/) {
        name = text = $0
        gsub(/^ *X\(|,.*/, "", name)
        gsub(/^[^"]*"|"\).*/, "", text)
        row[++rows] = name
        meaning[rows] = text
    }
    in_list = /\\$/
    next
}
/^#define ATTEND_[A-Z]+ / && doc != "" {
    sub(/ *\\$/, "")
    show($0, doc)
}
/^#/ { in_macro = /\\$/; doc = ""; next }
in_macro { in_macro = /\\$/; next }
/^ATTEND_DEFAULTS\(/ {
    gsub(/^.*\(|\)$/, "")
    declared("struct attend_" $0 "_options attend_" $0 "_defaults(void);")
    doc = ""
    next
}

# ---- Structs and enums, with their members ----

/^(struct|enum)[ a-z_]* \{$/ {
    show($0, doc)
    body = body ".RS 4\n"
    doc = ""
    in_type = 1
    next
}
/^\};/ && in_type {
    body = body ".RE\n.PP\n\\fB};\\fR\n"
    doc = ""
    in_type = 0
    next
}
in_type && in_remark {
    remark = remark "\n" words($0)
    if (!/\*\//) next
    in_remark = 0
    member(code, remark)
    code = doc = ""
    next
}
in_type && /^ *ATTEND_[A-Z]*_LIST\(/ {
    for (i = 1; i <= rows; i++) member("ATTEND_" row[i], meaning[i])
    next
}
in_type {
    remark = ""
    if (at = index($0, "/**<")) {
        remark = substr($0, at)
        $0 = substr($0, 1, at - 1)
        in_remark = remark !~ /\*\/$/
        remark = words(remark)
    }
    sub(/^ +/, "")
    sub(/ +$/, "")
    code = code (code == "" ? "" : " ") $0
    if (in_remark || (code !~ /[;,]$/ && remark == "") || code ~ /\([^)]*,$/) next
    if (code != "") member(code, doc != "" ? doc : remark)
    code = doc = ""
    next
}

# ---- Everything else is declarations ----

/^(extern "C" \{|\})$/ || /^$/ { next }
{
    remark = ""
    if (at = index($0, "/**<")) {
        remark = words(substr($0, at))
        $0 = substr($0, 1, at - 1)
    }
    code = code (code == "" ? "" : " ") $0
    if (code !~ /; *$/) next
    sub(/ *$/, "", code)
    if (code ~ /^enum/) show(code, doc != "" ? doc : remark)
    else declared(code)
    code = doc = ""
}

END {
    if (list) {
        gsub(/^ | $/, "", names)
        gsub(/ /, "\n", names)
        if (names != "") print names
        exit
    }
    file = FILENAME
    sub(/.*\//, "", file)
    page = "attend_" file
    title = intro
    gsub(/\n/, " ", title)
    sub(/(\. |[.:]$|: ).*/, "", title)
    gsub(/ /, ",\n", names)
    print ".TH " toupper(page) " 3 \"" date "\" \"attend " version "\" \"Library Functions\"\n.nh\n.ad l"
    print ".SH NAME\n" page names " \\- " roff(title)
    print ".SH SYNOPSIS\n.nf\n\\fB#include <attend/" file ">\\fR\n\ncc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs attend)\n.fi"
    print ".SH DESCRIPTION"
    printf "%s", prose(intro)
    print ".SH DECLARATIONS"
    printf "%s", body
    print ".SH SEE ALSO"
    count = split(see, others, " ")
    for (i = 1; i <= count; i++) print ".BR attend_" others[i] " (3),"
    print ".BR attend (1)"
}
