#!/usr/bin/env python3
"""Draws docs/images/badges.svg from what the project's own files say: draw_badges.py [--check] writes the picture, or
exits with 1 if it would change."""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PICTURE = os.path.join(ROOT, "docs/images/badges.svg")
HEIGHT, LETTER, PAD, GAP = 22, 6.9, 8, 8


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def find(pattern, name):
    found = re.search(pattern, read(name))
    if not found:
        sys.exit(f"{name} has no '{pattern}'")
    return found[1]


def facts():
    """[(what, fact)], each from the file that decides it."""
    return [("version", find(r"project\(attend VERSION ([\d.]+)", "CMakeLists.txt")),
            ("license", find(r"^(\w+) License", "LICENSE")),
            ("language", "C" + find(r"set\(CMAKE_C_STANDARD (\d+)\)", "CMakeLists.txt")),
            ("tests", "make " + find(r"(?m)^(test): .*## Run all tests", "Makefile"))]


def badge(x, what, fact):
    left, right = len(what) * LETTER + 2 * PAD, len(fact) * LETTER + 2 * PAD
    middle = HEIGHT / 2 + 4
    return left + right, (
        f'<rect x="{x:g}" width="{left:g}" height="{HEIGHT}" fill="#3b4452"/>'
        f'<rect x="{x + left:g}" width="{right:g}" height="{HEIGHT}" fill="#2f6f8f"/>'
        f'<text x="{x + left / 2:g}" y="{middle:g}">{what}</text>'
        f'<text x="{x + left + right / 2:g}" y="{middle:g}">{fact}</text>')


def picture():
    x, parts, said = 0, [], facts()
    for what, fact in said:
        width, part = badge(x, what, fact)
        parts.append(part)
        x += width + GAP
    title = ", ".join(f"{what} {fact}" for what, fact in said)
    body = "\n".join(parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{x - GAP:g}" height="{HEIGHT}" role="img">\n'
            f"<title>{title}</title>\n<style>text {{ font: 12px 'DejaVu Sans', Verdana, sans-serif; fill: #ffffff; "
            f"text-anchor: middle }}</style>\n{body}\n</svg>\n")


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    if not sys.argv[1:]:
        with open(PICTURE, "w", encoding="utf-8") as file:
            file.write(picture())
    elif read("docs/images/badges.svg") != picture():
        sys.exit("docs/images/badges.svg is not what the files of the project say; run tools/draw_badges.py")


if __name__ == "__main__":
    main()
