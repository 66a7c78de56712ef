#!/usr/bin/env bash
# The Python package of a build folder: python.sh build|test|quick|types|wheel [BUILD]. `quick` leaves out slow tests.
#   build   puts the package into BUILD/python
#   types   mypy --strict
#   wheel   builds a wheel from the sources alone, installs it into an environment of its own and translates with it
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
what=${1:?usage: python.sh build|test|quick|types|wheel [BUILD]}
build=$(cd "${2:-$root/build}" && pwd)
python=/usr/bin/python3
package=$build/python
export PYTHONDONTWRITEBYTECODE=1
cd "$root/python"

# Quiet unless it fails.
quiet() {
    "$@" >"$build/python.log" 2>&1 || { cat "$build/python.log" >&2 && return 1; }
}

build_package() {
    ATTEND_BUILD=$build quiet $python setup.py build --build-base "$build/python-objects" --build-lib "$package"
}

# A folder of its own: pytest must import the package that was built, not the sources.
run_tests() { # PYTEST-OPTION...
    (cd "$build" && ATTEND=$build/attend PYTHONPATH=$package $python -m pytest -c "$root/python/pyproject.toml" --rootdir "$root/python" \
        "$root/python/tests" "$@")
}

wheel() {
    local work
    work=$(mktemp -d)
    trap 'rm -rf "$work"' RETURN
    quiet $python -m build --no-isolation --outdir "$work/dist" .
    quiet $python -m venv --system-site-packages "$work/venv"
    quiet "$work/venv/bin/python" -m pip install --no-index --no-deps "$work"/dist/*.whl
    cd "$work"
    env -u PYTHONPATH "$work/venv/bin/python" -c '
import sys, attend
translation = attend.load(sys.argv[1]).translate("a b c")
assert attend.__file__.startswith(sys.prefix), attend.__file__
assert translation.text == "c b a" and translation.attention.shape == (4, 4)
attend.modules.load("image")
' "$root/tests/data/model-v1.safetensors"
    echo "$(basename "$work"/dist/*.whl) translates"
}

case $what in
build) build_package ;;
test) build_package && run_tests ;;
quick) build_package && run_tests -m "not slow" ;;
types) cd "$root" && mypy --config-file python/pyproject.toml --cache-dir "$build/mypy" -p attend ;;
wheel) wheel ;;
*) echo "python.sh: no '$what'" >&2 && exit 2 ;;
esac
