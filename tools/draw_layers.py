#!/usr/bin/python3
"""Draw the layers of the model for one target step: draw_layers.py writes docs/images/layers.svg, or
with --check fails if it would change. The letters are those of docs/notation.md."""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PICTURE = os.path.join(ROOT, "docs", "images", "layers.svg")
WORDS, WEIGHTS = ["mai", "ghar", "ja", "raha", "hoon", "</s>"], [0, .01, .99, 0, 0, 0]
STEP, LEFT, BOX_W, BOX_H = 104, 70, 74, 32
# What stands at which height.
Y = {"said": 40, "readout": 96, "state": 152, "context": 228, "weights": 284, "scores": 340,
     "annotations": 404, "forward": 454, "backward": 504, "embeddings": 560, "source": 612}
STYLE = """
  .ground { fill: #ffffff; } .box { fill: #eef2f8; stroke: #5b7086; } .asks { fill: #fdf1dc; stroke: #a9781f; }
  .line { fill: none; stroke: #8795a5; stroke-width: 1.4; } .read { stroke: #a9781f; }
  text { font: 15px system-ui, sans-serif; fill: #1b2733; text-anchor: middle; }
  .note { text-anchor: start; font-size: 14px; } .word { font-style: italic; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #12171d; } .box { fill: #1f2a36; stroke: #7f95ab; } .asks { fill: #3a2e16; stroke: #c99a45; }
    .line { stroke: #77879a; } .read { stroke: #c99a45; } text { fill: #e8eef4; }
  }
"""


def text(x, y, words, kind=""):
    words = words.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:g}" y="{y + 5:g}"{kind and f" class={chr(34)}{kind}{chr(34)}"}>{words}</text>'


def box(x, row, label, kind="box", width=BOX_W):
    y = Y[row]
    return (f'<rect x="{x - width / 2:g}" y="{y - BOX_H / 2:g}" width="{width}" height="{BOX_H}" rx="5" class="{kind}"/>'
            + text(x, y, label))


def arrow(x0, y0, x1, y1, kind="line", width=1.4):
    return (f'<path d="M{x0:g} {y0:g}L{x1:g} {y1:g}" class="{kind}" style="stroke-width: {width:g}"'
            ' marker-end="url(#head)"/>')


def up(x, lower, upper, **how):
    return arrow(x, Y[lower] - BOX_H / 2, x, Y[upper] + BOX_H / 2 + 4, **how)


def column(j, x):
    """Source word j: embedding, both directions, annotation, score, weight, and what the context reads of it."""
    out = [text(x, Y["source"], WORDS[j], "word"), box(x, "embeddings", f"x{j + 1}"), box(x, "backward", "GRU ←"),
           box(x, "forward", "GRU →"), box(x, "annotations", f"h{j + 1}"), text(x, Y["scores"], f"e{j + 1}"),
           text(x, Y["weights"], f"{WEIGHTS[j]:g}"),
           up(x, "embeddings", "backward"), up(x, "forward", "annotations"), up(x, "annotations", "scores"),
           arrow(x, Y["scores"] - 14, x, Y["weights"] + 14),
           arrow(x, Y["weights"] - 14, middle(), Y["context"] + BOX_H / 2 + 4, "line read", .8 + 5 * WEIGHTS[j])]
    if j + 1 < len(WORDS):
        ends = x + BOX_W / 2, x + STEP - BOX_W / 2 - 4
        out += [arrow(ends[0], Y["forward"], ends[1], Y["forward"]),
                arrow(ends[1] + 4, Y["backward"], ends[0] + 4, Y["backward"])]
    return out


def middle():
    return LEFT + STEP * (len(WORDS) - 1) / 2


def decoder():
    x, said = middle(), 210
    return [box(x, "context", "c = Σ a h", "asks", 110), box(x, "state", "GRU: s", "box", 110),
            box(x, "readout", "readout, softmax", "box", 150), text(x, Y["said"], "going", "word"),
            up(x, "context", "state"), up(x, "state", "readout"), arrow(x, Y["readout"] - BOX_H / 2, x, Y["said"] + 14),
            arrow(x - said, Y["state"], x - 59, Y["state"]), text(x - said - 50, Y["state"], "s before", ""),
            arrow(x - said + 10, Y["readout"], x - 79, Y["readout"]), text(x - said - 50, Y["readout"], "am, said last", "word"),
            arrow(x - 160, Y["readout"] + 4, x - 59, Y["state"] - 8),
            arrow(x - said - 50, Y["state"] + 14, LEFT - 72, Y["scores"] - 12, "line read"),
            text(LEFT - 76, Y["scores"], "query", ""), arrow(LEFT - 50, Y["scores"], LEFT - 14, Y["scores"], "line read")]


def notes():
    x = LEFT + STEP * len(WORDS) - 40
    says = {"said": "the likeliest word", "readout": "P(y) = softmax(W o)", "state": "s = GRU([emb(y); c], s)",
            "context": "what is read", "weights": "a = softmax(e), sums to 1", "scores": "e = v · tanh(q + W h)",
            "annotations": "h = [forward; backward]", "embeddings": "embeddings", "source": "the source"}
    return [text(x, Y[row], words, "note") for row, words in says.items()]


def draw():
    width, height = LEFT + STEP * len(WORDS) + 180, Y["source"] + 34
    parts = [part for j in range(len(WORDS)) for part in column(j, LEFT + STEP * j)]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-70 0 {width + 70} {height}" role="img" '
        'aria-label="The encoder reads the source in both directions; attention weighs the annotations; the decoder says a word">',
        f"<style>{STYLE}</style>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="#8795a5"/></marker></defs>',
        f'<rect x="-70" width="{width + 70}" height="{height}" class="ground"/>',
        *parts, *decoder(), *notes(), "</svg>"]) + "\n"


def main():
    picture = draw()
    if sys.argv[1:] == ["--check"]:
        with open(PICTURE, encoding="utf-8") as f:
            if f.read() != picture:
                sys.exit("docs/images/layers.svg does not match tools/draw_layers.py: run it")
        return
    with open(PICTURE, "w", encoding="utf-8") as f:
        f.write(picture)


if __name__ == "__main__":
    main()
