#!/usr/bin/env bash
# Installs the Debian packages for groups of make verbs: setup.sh [--check] GROUP... If all are installed, it prints
# nothing and does not call the package manager. With --check it never installs: it prints one line with what is missing
# and the command that installs it, and exits with 1.
set -euo pipefail

build="gcc g++ libc6-dev cmake ninja-build pkg-config"
build+=" libjansson-dev libicu-dev libmicrohttpd-dev libfftw3-dev libpango1.0-dev libpng-dev libsentencepiece-dev libsndfile1-dev libturbojpeg0-dev libutf8proc-dev libyaml-dev libzstd-dev zlib1g-dev"
declare -A groups=(
    [make]="make"
    [build]="$build"
    [test]="$build libcmocka-dev libopenmpi-dev openmpi-bin curl gettext iproute2 jq libxml2-utils man-db poppler-utils python3 xz-utils zstd"
    [format]="clang-format"
    [lint]="$build libcmocka-dev clang-format clang-tidy python3 shellcheck"
    [analyze]="$build clang-tidy cppcheck jq"
    [clang]="$build libcmocka-dev clang libclang-rt-14-dev lld"
    [fuzz]="$build clang libclang-rt-14-dev"
    [fuzz-coverage]="llvm jq"
    [valgrind]="$build libcmocka-dev valgrind binutils python3"
    [bench]="libopenblas0-pthread libopenblas0-openmp sentencepiece python3"
    [cross]="$build libcmocka-dev gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user-static"
    [musl]="cmake ninja-build pkg-config dpkg-dev make musl-tools"
    [deb]="$build libcmocka-dev libopenmpi-dev debhelper dh-python dpkg-dev lintian python3-cffi python3-dev python3-setuptools"
    [chroot]="debootstrap dpkg-dev"
    [load]="curl jq wrk"
    [service]="caddy curl nginx-light strace systemd"
    [container]="buildah cmake debootstrap podman"
    [python]="$build python3-dev python3-cffi python3-numpy python3-pytest python3-setuptools python3-wheel python3-build python3-nbclient python3-ipykernel mypy"
    [browser]="chromium nodejs npm"
    [wasm]="clang-14 cmake dpkg-dev libclang-rt-14-dev-wasm32 lld-14 ninja-build nodejs npm wasi-libc"
    [parity]="python3-torch python3-numpy"
)

check=
[ "${1:-}" != --check ] || { check=1 && shift; }
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
    [ -n "$check" ] || echo "setup.sh: not a Debian system; install the equivalents of these Debian packages: ${wanted[*]}" >&2
    exit 0
fi

# Print the packages that are not installed, one per line. Some programs are often installed another way; then the
# program counts.
missing() {
    local installed
    declare -A program=([nodejs]=node [npm]=npm [qemu-user-static]=qemu-aarch64-static)
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null) || true
    for package in "${wanted[@]}"; do
        [[ $'\n'$installed$'\n' == *$'\n'"installed $package"$'\n'* ]] ||
            command -v "${program[$package]:-/}" >/dev/null || echo "$package"
    done | sort -u
}

mapfile -t packages < <(missing)
[ ${#packages[@]} -gt 0 ] || exit 0
if [ -n "$check" ]; then
    groups_wanted="$*"
    [ $# -eq 1 ] || groups_wanted="\"$*\""
    echo "missing packages: ${packages[*]}; install them with: make deps GROUP=$groups_wanted" >&2
    exit 1
fi

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

# On a fresh or outdated system the package lists may not have the packages. Update them, but only then.
if ! "${install[@]}" "${packages[@]}" >/dev/null 2>&1; then
    "${root[@]}" apt-get update -qq
    "${install[@]}" "${packages[@]}" >/dev/null
fi
