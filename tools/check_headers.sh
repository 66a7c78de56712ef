#!/usr/bin/env bash
# Checks that applications can include the public headers: check_headers.sh [FOLDER], where FOLDER contains attend/
# (include/ here, or an installed one). Compiles each header alone and all together, as C11 and C17 and as C++11 to
# C++23, with gcc and clang if installed, without warnings. Prints failures and exits with 1.
set -euo pipefail
include=${1:-$(dirname "$0")/../include}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/sources"

# To add a compiler or a standard, add a word here.
c_compilers="gcc clang"
c_standards="c11 c17"
cxx_compilers="g++ clang++"
cxx_standards="c++11 c++14 c++17 c++20 c++23"

headers=()
for file in "$include"/attend/*.h; do headers+=("attend/$(basename "$file")"); done
[ -e "$file" ] || { echo "check_headers.sh: no headers in $include/attend" >&2; exit 2; }

# One source per header, which includes it twice, and one with all headers in reverse order.
for header in "${headers[@]}"; do
    printf '#include <%s>\n#include <%s>\n' "$header" "$header" >"$work/sources/$(basename "$header")"
done
printf '#include <%s>\n' "${headers[@]}" | sort -r >"$work/sources/all together"

# Compilers from before the final standard call c++23 c++2b.
understood() { # COMPILER LANGUAGE STANDARD: prints the compiler's name for it
    local name
    for name in "$3" "${3/23/2b}"; do
        if "$1" -x "$2" "-std=$name" -fsyntax-only /dev/null 2>/dev/null; then
            echo "$name"
            return
        fi
    done
}

status=0 compiled=0
check() { # COMPILER LANGUAGE STANDARD...
    local compiler=$1 language=$2 name source
    if ! command -v "$compiler" >/dev/null; then
        echo "left out: $compiler is not installed"
        return
    fi
    for standard in "${@:3}"; do
        name=$(understood "$compiler" "$language" "$standard")
        [ -n "$name" ] || { echo "left out: $compiler does not know $standard"; continue; }
        compiled=1
        for source in "$work"/sources/*; do
            "$compiler" -x "$language" "-std=$name" -pedantic -Wall -Wextra -Werror -fsyntax-only \
                -I "$include" "$source" 2>"$work/log" && continue
            echo "$(basename "$source"), $compiler -std=$name: $(grep -m1 error: "$work/log")"
            status=1
        done
    done
}
for compiler in $c_compilers; do
    # shellcheck disable=SC2086 # a list
    check "$compiler" c $c_standards
done
for compiler in $cxx_compilers; do
    # shellcheck disable=SC2086
    check "$compiler" c++ $cxx_standards
done
[ $compiled -gt 0 ] || { echo "check_headers.sh: no compiler of: $c_compilers $cxx_compilers" >&2; exit 2; }

# Functions keep their C names in C++. A compiler cannot check that as long as nothing is linked.
for header in "${headers[@]}"; do
    grep -q '^extern "C" {' "$include/$header" || { echo "$header: has no extern \"C\"" && status=1; }
done
exit $status
