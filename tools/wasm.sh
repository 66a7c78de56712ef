#!/usr/bin/env bash
# Builds build/attend.wasm: wasm.sh. The sources of the small libraries that it contains come from Debian's archive, once,
# into build/wasm-sources; the lists of packages of this machine stay as they are.
set -euo pipefail

cd "$(dirname "$0")/.."
sources=build/wasm-sources
libraries=(jansson utf8proc zlib libzstd)

# A package manager of our own, in a folder, that knows only where sources are.
fetch() {
    local apt=$PWD/$sources/apt release options
    release=$(sed -n "s/^VERSION_CODENAME=//p" /etc/os-release)
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${DEBIAN_MIRROR:-http://deb.debian.org/debian} $release main" \
        >"$apt/sources.list"
    options=(-qq -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=- -o APT::Sandbox::User=root
        -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache")
    apt-get "${options[@]}" update
    (cd "$sources" && apt-get "${options[@]}" source --download-only "${libraries[@]}")
    rm -rf "$apt"
}

# build/wasm-sources/zlib and so on, whatever their versions are.
unpack() {
    local library
    for library in "${libraries[@]}"; do
        rm -rf "${sources:?}/$library"
        (cd "$sources" && dpkg-source --no-check -x "$library"_*.dsc "$library" >/dev/null)
    done
}

if [ ! -e "$sources/complete" ]; then
    fetch
    unpack
    touch "$sources/complete"
fi
cmake -G Ninja -S wasm -B build/wasm -DATTEND_SOURCES="$PWD/$sources" >build/wasm-configure.log 2>&1 ||
    { cat build/wasm-configure.log >&2 && exit 1; }
cmake --build build/wasm --parallel "${JOBS:-$(nproc)}"
cp build/wasm/attend.wasm build/attend.wasm
printf 'build/attend.wasm: %d bytes, %d after gzip\n' "$(wc -c <build/attend.wasm)" "$(gzip -9c build/attend.wasm | wc -c)"
