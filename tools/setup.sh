#!/usr/bin/env bash
# Install the Debian packages that groups of make verbs need: setup.sh GROUP...
# Says nothing and calls no package manager when all are there.
set -euo pipefail

build="gcc g++ libc6-dev cmake ninja-build pkg-config"
build+=" libjansson-dev libmicrohttpd-dev libpango1.0-dev libsentencepiece-dev libutf8proc-dev libyaml-dev libzstd-dev zlib1g-dev"
declare -A groups=(
    [make]="make"
    [build]="$build"
    [test]="$build libcmocka-dev libopenmpi-dev openmpi-bin curl iproute2 jq poppler-utils zstd"
    [format]="clang-format"
    [lint]="$build libcmocka-dev clang-format clang-tidy shellcheck"
    [analyze]="$build clang-tidy cppcheck jq"
    [clang]="$build libcmocka-dev clang libclang-rt-14-dev"
    [fuzz]="$build clang libclang-rt-14-dev"
    [fuzz-long]="dpkg-dev"
    [fuzz-coverage]="llvm jq"
    [valgrind]="$build libcmocka-dev valgrind binutils python3"
    [bench]="libopenblas0-pthread libopenblas0-openmp sentencepiece python3"
    [load]="curl jq wrk"
    [browser]="chromium nodejs npm"
    [parity]="python3-torch python3-numpy"
)

wanted=()
for group in "$@"; do
    if [ -z "${groups[$group]:-}" ]; then
        echo "setup.sh: no group '$group'; there are: ${!groups[*]}" >&2
        exit 2
    fi
    read -ra packages <<<"${groups[$group]}"
    wanted+=("${packages[@]}")
done
[ ${#wanted[@]} -gt 0 ] || exit 0

if ! command -v dpkg-query >/dev/null; then
    echo "setup.sh: not a Debian system; this needs what Debian calls: ${wanted[*]}" >&2
    exit 0
fi

# Packages, one to a line, that are not installed. Node and npm often come from elsewhere, and then the program counts.
missing() {
    local installed
    declare -A program=([nodejs]=node [npm]=npm)
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null) || true
    for package in "${wanted[@]}"; do
        [[ $'\n'$installed$'\n' == *$'\n'"installed $package"$'\n'* ]] ||
            command -v "${program[$package]:-/}" >/dev/null || echo "$package"
    done | sort -u
}

mapfile -t packages < <(missing)
[ ${#packages[@]} -gt 0 ] || exit 0

root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup.sh: cannot install ${packages[*]}: run as root, or install sudo" >&2
        exit 1
    fi
    root=(sudo)
fi

echo "setup.sh: installing ${packages[*]}" >&2
install=("${root[@]}" env DEBIAN_FRONTEND=noninteractive
    apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0)

# The lists of a fresh or an old system do not lead to the packages: fetch them, but only then.
if ! "${install[@]}" "${packages[@]}" >/dev/null 2>&1; then
    "${root[@]}" apt-get update -qq
    "${install[@]}" "${packages[@]}" >/dev/null
fi
