#!/usr/bin/env bash
# Builds and installs the library without training, with a C++ compiler that fails, and links a program with it in both
# ways, as docs/architecture.md says: tests/long/inference.sh. It needs a minute or two.
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
model=$source/tests/data/model-v1.safetensors

CXX=/bin/false cmake -S "$source" -B "$work/build" -DATTEND_TRAIN=OFF >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake --build "$work/build" --parallel >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake --install "$work/build" --prefix "$work/prefix" >/dev/null
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name attend.pc)")
export PKG_CONFIG_PATH

check() { # PROGRAM
    [ "$("$@" "$model" "a b c" | head -n 1)" = "c b a" ] || { echo "$1 does not translate"; exit 1; }
    strip "$1"
    echo "$(basename "$1"): $(stat -c %s "$1") bytes; ldd: $(ldd "$1" 2>&1 | awk '{ print $1 }' | paste -sd' ')"
}
read -ra flags <<<"$(pkg-config --static --cflags --libs attend)"
cc -static -o "$work/static" "$source/examples/embed.c" "${flags[@]}"
check "$work/static"
read -ra flags <<<"$(pkg-config --cflags --libs attend)"
cc -o "$work/shared" "$source/examples/embed.c" "${flags[@]}"
LD_LIBRARY_PATH=$(pkg-config --variable=libdir attend)
export LD_LIBRARY_PATH
check "$work/shared"
