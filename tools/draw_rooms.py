#!/usr/bin/python3
"""Draw the rooms of src from tools/rooms.txt: draw_rooms.py [--check] writes docs/images/rooms.svg, or
fails if it would change.

A room is drawn above the rooms that it includes. A line that follows from others is left out. The
public headers are above the rooms that implement them and that no other room includes."""
import math
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = os.path.join(ROOT, "tools", "rooms.txt")
PICTURE = os.path.join(ROOT, "docs", "images", "rooms.svg")
PUBLIC, BODIES = "attend", ("api", "eval")
LABELS = {PUBLIC: "include/attend"}
BOX_H, STEP_Y, GAP, MARGIN, LANE = 34, 74, 22, 24, 10
STYLE = """
  .ground { fill: #ffffff; } .room { fill: #eef2f8; stroke: #5b7086; } .outer { fill: #fdf1dc; stroke: #a9781f; }
  .line { fill: none; stroke: #8795a5; stroke-width: 1.3; } .bodies { stroke-dasharray: 4 4; }
  text { font: 15px system-ui, sans-serif; fill: #1b2733; text-anchor: middle; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #12171d; } .room { fill: #1f2a36; stroke: #7f95ab; } .outer { fill: #3a2e16; stroke: #c99a45; }
    .line { stroke: #77879a; } text { fill: #e8eef4; }
  }
"""


# ---- The graph

def read_rows(path):
    """{room: the words of its row}, in the order of the table."""
    rows = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            words = line.split("#")[0].split()
            if words:
                rows[words[0]] = words[1:]
    return rows


def reaches(edges, start):
    """The nodes below start."""
    seen, todo = set(), list(edges[start])
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo += edges[node]
    return seen


def reduced(edges):
    """Without the edges that follow from others."""
    below = {node: reaches(edges, node) for node in edges}
    return {node: [t for t in targets if not any(t in below[other] for other in targets)]
            for node, targets in edges.items()}


def graph(rows):
    """Edges to draw: includes, reduced, and the public headers over their bodies."""
    edges = {room: [w for w in words if w in rows] for room, words in rows.items()}
    full = {**edges, PUBLIC: [room for room in BODIES if room in rows]}
    below = reaches(full, PUBLIC)
    users = [room for room, words in rows.items() if room not in below
             and any(w.split("/")[0] == PUBLIC for w in words)]
    edges = reduced(edges)
    if users:
        edges[PUBLIC] = full[PUBLIC]
    for room in users:
        edges[room].append(PUBLIC)
    return edges


# ---- The layout: levels, an order in each, and places

def levels_of(edges):
    """The distance of each node from the bottom, by the longest path."""
    level = {}

    def find(node):
        if node not in level:
            level[node] = 0
            level[node] = 1 + max((find(t) for t in edges[node]), default=-1)
        return level[node]

    for node in edges:
        find(node)
    return level


def with_lanes(edges, level):
    """Only edges between neighboring levels: a long one gets a point in each level that it
    passes. Returns layers, links and, for each edge, its nodes from top to bottom."""
    layers = [[] for _ in range(1 + max(level.values()))]
    for node in edges:
        layers[level[node]].append(node)
    links, paths = [], []
    for node, targets in edges.items():
        for target in targets:
            path = [node]
            for y in range(level[node] - 1, level[target], -1):
                path.append((node, target, y))
                layers[y].append(path[-1])
            path.append(target)
            links += zip(path, path[1:])
            paths.append(path)
    return layers, links, paths


def neighbors_of(layers, links):
    """The neighbors of each node in the level above and in the level below."""
    up = {node: [] for layer in layers for node in layer}
    down = {node: [] for layer in layers for node in layer}
    for top, bottom in links:
        down[top].append(bottom)
        up[bottom].append(top)
    return up, down


def crossings(layers, down):
    """The number of crossings."""
    total = 0
    for upper, lower in zip(layers[1:], layers):
        place = {node: i for i, node in enumerate(lower)}
        ends = [sorted(place[t] for t in down[node]) for node in upper]
        total += sum(a > b for i, first in enumerate(ends) for second in ends[i + 1:]
                     for a in first for b in second)
    return total


def ordered(layers, up, down):
    """The best of several sweeps that move each node to the mean position of its neighbors."""
    best, least = layers, crossings(layers, down)
    for sweep in range(24):
        near = down if sweep % 2 == 0 else up
        layers = [list(layer) for layer in layers]
        for y in range(len(layers)) if near is down else reversed(range(len(layers))):
            place = {node: (i + 0.5) / len(layer) for layer in layers for i, node in enumerate(layer)}
            layers[y].sort(key=lambda n: math.fsum(place[m] for m in near[n]) / len(near[n])
                           if near[n] else place[n])
        count = crossings(layers, down)
        if count < least:
            best, least = layers, count
    return best


def width(node):
    return LANE if isinstance(node, tuple) else 26 + 8.4 * len(LABELS.get(node, node))


def spread(wanted, distance):
    """Positions as near to the wanted ones as the minimum distances allow (isotonic regression)."""
    offset = [0.0]
    for d in distance:
        offset.append(offset[-1] + d)
    blocks = []
    for want, off in zip(wanted, offset):
        blocks.append([want - off, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            value, count = blocks.pop()
            blocks[-1][0] = (blocks[-1][0] * blocks[-1][1] + value * count) / (blocks[-1][1] + count)
            blocks[-1][1] += count
    flat = [value for value, count in blocks for _ in range(count)]
    return [value + off for value, off in zip(flat, offset)]


def pulled(node, near, x):
    """The mean position of the neighbors; long lines pull hard on their points, to become straight."""
    pull = {n: 1 if not isinstance(node, tuple) else 16 if isinstance(n, tuple) else 2 for n in near}
    if not near:
        return math.fsum(x.values()) / len(x)
    return math.fsum(x[n] * pull[n] for n in near) / sum(pull.values())


def straighten(layers, paths, x):
    """Straighten long lines where there is room between their neighbors."""
    beside = {}
    for layer in layers:
        for left, node, right in zip([None] + layer, layer, layer[1:] + [None]):
            beside[node] = left, right

    def room_of(node):
        left, right = beside[node]
        low = x[left] + (width(left) + LANE + GAP) / 2 if left else -math.inf
        high = x[right] - (width(right) + LANE + GAP) / 2 if right else math.inf
        return min(low, x[node]), max(high, x[node])

    def settle(run, low, high):
        middle = math.fsum(x[node] for node in run) / len(run)
        x.update((node, min(max(middle, low), high)) for node in run)

    for lanes in (path[1:-1] for path in paths if len(path) > 2):
        run, low, high = [], -math.inf, math.inf
        for node in lanes:
            a, b = room_of(node)
            if run and max(low, a) > min(high, b):
                settle(run, low, high)
                run, low, high = [], -math.inf, math.inf
            run.append(node)
            low, high = max(low, a), min(high, b)
        settle(run, low, high)


def placed(layers, paths, up, down):
    """The center of each node: near its neighbors, and apart from the nodes beside it."""
    gaps = [[(width(a) + width(b)) / 2 + GAP for a, b in zip(layer, layer[1:])] for layer in layers]
    x = {}
    for layer, gap in zip(layers, gaps):
        x.update(zip(layer, spread([-math.fsum(gap) / 2] * len(layer), gap)))
    for _ in range(400):
        for layer, gap in zip(layers, gaps):
            x.update(zip(layer, spread([pulled(node, up[node] + down[node], x) for node in layer], gap)))
    for _ in range(8):
        straighten(layers, paths, x)
    left = min(x[node] - width(node) / 2 for node in x)
    return {node: round(x[node] - left + MARGIN, 1) for node in x}


# ---- The picture

def line(path, x, y, kind):
    """Down from box to box, through the points between them."""
    at = [(x[node], y[node]) for node in path]
    px, py = at[0][0], at[0][1] + BOX_H / 2
    text = f"M{px:g} {py:g}"
    for node, (nx, ny) in zip(path[1:], at[1:]):
        ny -= BOX_H / 2
        middle = (py + ny) / 2
        text += f" C{px:g} {middle:g} {nx:g} {middle:g} {nx:g} {ny:g}"
        if node is not path[-1]:
            ny += BOX_H
            text += f" V{ny:g}"
        px, py = nx, ny
    return f'<path class="{kind}" d="{text}"/>'


def box(node, x, y, kind):
    w = width(node)
    return (f'<rect class="{kind}" x="{x - w / 2:g}" y="{y - BOX_H / 2:g}" width="{w:g}" '
            f'height="{BOX_H}" rx="6"/><text x="{x:g}" y="{y + 5:g}">{LABELS.get(node, node)}</text>')


def svg(rows):
    edges = graph(rows)
    if not edges:
        sys.exit("draw_rooms.py: the table has no rows")
    level = levels_of(edges)
    layers, links, paths = with_lanes(edges, level)
    up, down = neighbors_of(layers, links)
    layers = ordered(layers, up, down)
    x = placed(layers, paths, up, down)
    y = {node: MARGIN + BOX_H / 2 + (len(layers) - 1 - i) * STEP_Y
         for i, layer in enumerate(layers) for node in layer}
    w = max(x[n] + width(n) / 2 for n in x) + MARGIN
    h = 2 * MARGIN + BOX_H + (len(layers) - 1) * STEP_Y
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w:g} {h:g}" width="{w:g}" height="{h:g}" '
             'role="img" aria-label="The rooms of the source and what each includes">',
             f"<style>{STYLE}</style>", f'<rect class="ground" width="{w:g}" height="{h:g}" rx="8"/>']
    for path in paths:
        parts.append(line(path, x, y, "line bodies" if path[0] == PUBLIC else "line"))
    above = {node for node in edges if PUBLIC in edges[node]} | {PUBLIC}
    for node in edges:
        parts.append(box(node, x[node], y[node], "outer" if node in above else "room"))
    return "\n".join(parts + ["</svg>\n"])


def main():
    text = svg(read_rows(TABLE))
    if sys.argv[1:] == ["--check"]:
        with open(PICTURE, encoding="utf-8") as f:
            if f.read() != text:
                sys.exit("docs/images/rooms.svg: does not show tools/rooms.txt; run make rooms")
    else:
        with open(PICTURE, "w", encoding="utf-8") as f:
            f.write(text)


if __name__ == "__main__":
    main()
