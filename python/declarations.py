"""The declarations of libattend for cffi, made from the headers in include/attend.

cffi compiles every declaration against those headers, so a layout or a signature that differs stops the build. A
function that the library does not export is in one of the modules (attend-paint.so ...); it becomes a type NAME_fn,
by which attend.modules calls it.
"""
import re
import subprocess
import tempfile
from pathlib import Path

# Headers that a Python program has no use for: it is a server or a benchmark of its own.
LEFT_OUT = {"serve.h", "bench.h"}

INLINE = re.compile(r"static inline [^{;]*\{[^}]*\}")
FUNCTION = re.compile(r"\b(attend_\w+)\((?!\s*\*)")
LINE_MARKER = re.compile(r'# \d+ "(.*?)"')


def headers(include: Path) -> list[str]:
    """The public headers, as `#include <...>` names them."""
    return sorted(f"attend/{path.name}" for path in (include / "attend").glob("*.h") if path.name not in LEFT_OUT)


def preprocessed(include: Path, compiler: list[str]) -> str:
    """The headers after the preprocessor, without the system's."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "all.c"
        source.write_text("".join(f"#include <{name}>\n" for name in headers(include)))
        command = [*compiler, "-E", "-D__attribute__(x)=", "-I", str(include), str(source)]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines, ours = [], False
    for line in text.splitlines():
        marker = LINE_MARKER.match(line)
        if marker:
            ours = marker[1].startswith(str(include))
        elif ours:
            lines.append(line)
    return "\n".join(lines)


def statements(text: str) -> list[str]:
    """The declarations at the top level, each on one line without its semicolon."""
    found, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if letter == ";" and depth == 0:
            found.append(" ".join(text[start:i].split()))
            start = i + 1
    return [statement for statement in found if statement]


def exported(library: Path) -> set[str]:
    """The names that an archive or a shared library defines for others."""
    dynamic = ["--dynamic"] if ".so" in library.name else []
    command = ["nm", "--defined-only", "--extern-only", "--format=posix", *dynamic, str(library)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split()[0].split("@")[0] for line in lines if " " in line}


def declare(statement: str, names: set[str]) -> str:
    """A declaration as cffi takes it; "" for a function of a module whose type has a name already."""
    function = FUNCTION.search(statement)
    is_type = statement.startswith("typedef") or "{" in statement
    if is_type or (function is None and not re.search(r"_fn attend_\w+$", statement)):
        return statement + ";"
    if function is None:
        return ""
    name = function[1]
    if name in names:
        return statement + ";"
    return f"typedef {statement.replace(name + '(', name + '_fn(', 1)};"


def declarations(include: Path, library: Path, compiler: list[str]) -> str:
    """The text for cdef()."""
    text = INLINE.sub("", preprocessed(include, compiler))
    names = exported(library)
    return "\n".join(filter(None, (declare(statement, names) for statement in statements(text)))) + "\n"
