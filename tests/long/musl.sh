#!/usr/bin/env bash
# Builds the inference library against musl with Debian's musl-gcc, links one static program with it and runs it:
# musl.sh [FOLDER]. Debian has the four libraries that it needs only for glibc, so their Debian sources are fetched and
# built in FOLDER (build-musl). Takes a minute on two cores. Needs make deps GROUP=musl.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools/setup.sh --check musl
# shellcheck source=apt.bash
. tests/long/apt.bash
mkdir -p "${1:-build-musl}"
folder=$(cd "${1:-build-musl}" && pwd)
prefix=$folder/prefix

fail() {
    echo "FAILED: $*" >&2
    exit 1
}
quiet() { "$@" >"$folder/log" 2>&1 || { tail -n 20 "$folder/log" >&2 && fail "$*"; }; }

# ---- The libraries ----

sources() {
    local mirror
    mirror=$(debian_mirror)
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $VERSION_CODENAME main" >"$folder/sources.list"
    (private_apt "$folder" "$(dpkg --print-architecture)" "$folder/sources.list" && cd "$folder" &&
        apt-get source -qq --download-only jansson libzstd utf8proc zlib)
    for source in "$folder"/*.dsc; do
        name=$(basename "${source%%_*}")
        rm -rf "${folder:?}/$name"
        quiet dpkg-source --no-check -x "$source" "$folder/$name"
    done
}
with_cmake() { # FOLDER OPTION...
    quiet cmake -G Ninja -S "$1" -B "$1/build-musl" -DCMAKE_C_COMPILER=musl-gcc -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON "${@:2}"
    quiet cmake --build "$1/build-musl"
    quiet cmake --install "$1/build-musl"
}
libraries() {
    with_cmake "$folder/jansson" -DJANSSON_BUILD_DOCS=OFF -DJANSSON_EXAMPLES=OFF -DJANSSON_WITHOUT_TESTS=ON
    with_cmake "$folder/utf8proc"
    with_cmake "$folder/libzstd/build/cmake" -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_SHARED=OFF
    (cd "$folder/zlib" && CC=musl-gcc CFLAGS="-O3 -fPIC" quiet ./configure --static --prefix="$prefix" && quiet make install)
}
[ -e "$folder/built" ] || { sources && libraries && touch "$folder/built"; }

# ---- The library and a program ----

export PKG_CONFIG_LIBDIR=$prefix/lib/pkgconfig
quiet cmake -G Ninja -B "$folder/build" -DCMAKE_C_COMPILER=musl-gcc -DATTEND_TRAIN=OFF -DATTEND_WERROR=ON
quiet cmake --build "$folder/build" --parallel "${JOBS:-$(nproc)}"
quiet cmake --install "$folder/build" --prefix "$prefix"
read -ra flags <<<"$(PKG_CONFIG_LIBDIR=$(dirname "$(find "$prefix" -name attend.pc)"):$PKG_CONFIG_LIBDIR pkg-config --static --cflags --libs attend)"
quiet musl-gcc -static -O2 -o "$folder/embed" examples/embed.c "${flags[@]}"
said=$("$folder/embed" tests/data/model-v1.safetensors "a b c" | sed -n 1p) # not head, which may end while the program still writes
[ "$said" = "c b a" ] || fail "the translation is '$said'"
! readelf -d "$folder/embed" | grep -q NEEDED || fail "the program needs other files"
strip "$folder/embed"
echo "one static file with musl: $(stat -c %s "$folder/embed") bytes; it translates"
