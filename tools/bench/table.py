"""The table of `make bench`, for a terminal and in Markdown."""

COLUMNS = ["work", "attend", "of the peak", "PyTorch", "ratio", ""]


def number(value, digits):
    return "%.*f" % (digits, value)


def spread(found, digits, failed):
    if failed:
        return "FAILED"
    if not found:
        return "-"
    low, high = (number(x, digits) for x in found[1:])
    return number(found[0], digits) + (" (%s-%s)" % (low, high) if low != high else "")


def share(found):
    return "" if not found else spread([100 * x for x in found], 0, False) + " %"


def text_cells(line):
    return [line["work"], spread(line["attend"], line["digits"], line["attend_failed"]),
            share(line["share_of_peak"]),
            spread(line["peer"], line["digits"], line["peer_failed"]),
            "" if line["ratio"] is None else "%.2f" % line["ratio"], line["notes"]]


def aligned(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
            for row in rows]


def markdown(rows):
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return lines[:1] + ["|" + "---|" * len(rows[0])] + lines[1:]


def render(results, form):
    """All tables, in the form `aligned` or `markdown`; failures are listed below."""
    out = list(results["about"]) + [""]
    lines = [line for row in results["rows"] for line in row["lines"]]
    if lines:
        out += form([COLUMNS] + [text_cells(line) for line in lines]) + [""]
    for row in results["rows"]:
        for title, body in row["tables"]:
            out += [title, ""] + form(body) + [""]
    failures = ["%s, %s: %s" % (row["key"], name, why)
                for row in results["rows"] for name, why in row["errors"].items()]
    if failures:
        out += ["FAILED:", ""] + ["- " + failure for failure in failures] + [""]
    return "\n".join(out)
