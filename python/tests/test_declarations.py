"""The extension has every function of the headers, made from the headers themselves."""
import importlib.util
import re

from attend._attend import ffi, lib
from conftest import ROOT

spec = importlib.util.spec_from_file_location("declarations", ROOT / "python" / "declarations.py")
declarations = importlib.util.module_from_spec(spec)
spec.loader.exec_module(declarations)

HEADER = """
enum attend_status { ATTEND_OK };
__attribute__((visibility("default"))) enum attend_status attend_here(int a);
__attribute__((visibility("default"))) enum attend_status attend_elsewhere(int a);
typedef int attend_sort_fn(int a);
attend_sort_fn attend_sort;
"""


def test_functions_of_the_library_are_there():
    text = "".join((ROOT / "include" / name).read_text() for name in declarations.headers(ROOT / "include"))
    names = set(re.findall(r"ATTEND_API [^;{]*?\b(attend_\w+)\(", text))
    in_modules = {name for name in names if not hasattr(lib, name)}
    assert len(names) > 100 and len(in_modules) < 12
    for name in in_modules:
        assert ffi.typeof(f"{name}_fn *"), name


def test_what_the_library_lacks_becomes_a_type():
    lines = declarations.statements(HEADER.replace('__attribute__((visibility("default"))) ', ""))
    found = [declarations.declare(line, {"attend_here"}) for line in lines]
    assert found == [
        "enum attend_status { ATTEND_OK };",
        "enum attend_status attend_here(int a);",
        "typedef enum attend_status attend_elsewhere_fn(int a);",
        "typedef int attend_sort_fn(int a);",
        "",
    ]
