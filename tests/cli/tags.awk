# Puts random tags and placeholders into lines of words. Taking them out again gives the line:
# At the start of a line a placeholder takes the blank after it along, elsewhere the one before it.
function below(n) { seed = (seed * 1103 + 12345) % 2147483; return int(seed / 7) % n }
BEGIN { seed = 77 }
{
    for (i = 0; i <= NF + 1; i++) { before[i] = ""; after[i] = "" }
    if (NF > 1) {
        a = 1 + below(NF); b = a + below(NF - a + 1)
        before[a] = "<b>"; after[b] = "</b>"
        c = a + below(b - a + 1); d = c + below(b - c + 1)
        if (below(2)) { before[c] = before[c] "<a href=\"x y\">"; after[d] = "</a>" after[d] }
        if (b < NF && below(2)) { before[NF] = before[NF] "<i>"; after[NF] = "</i>" after[NF] }
        if (below(3) == 0) { k = 1 + below(NF); before[k] = before[k] "<wbr/>" }
    }
    out = below(4) ? "" : "{n} "
    for (i = 1; i <= NF; i++) {
        out = out (i > 1 ? " " : "") before[i] $i (below(8) ? "" : " %" (1 + below(9)) "$s") after[i]
    }
    print out (below(6) ? "" : " {n}")
}
