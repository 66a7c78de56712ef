#!/usr/bin/env bash
# Cross-builds for ARM and runs the result under an emulator: cross.sh [FOLDER]. Takes a minute on two cores and 10 MB
# of Debian's arm64 packages, which it unpacks into FOLDER (build-cross) and does not install. Needs Debian, the cross
# compiler and qemu (make deps GROUP=cross).
set -euo pipefail
cd "$(dirname "$0")/../.."
tools/setup.sh --check cross
mkdir -p "${1:-build-cross}"
folder=$(cd "${1:-build-cross}" && pwd)
sysroot=$folder/sysroot
triple=aarch64-linux-gnu

# apt with separate lists for the other architecture; the machine's packages stay as they are.
packages="libc6 libgcc-s1 libstdc++6 libjansson-dev libjansson4 libsentencepiece-dev libsentencepiece0 libutf8proc-dev libutf8proc2"
packages+=" libyaml-dev libyaml-0-2 libzstd-dev libzstd1 zlib1g-dev zlib1g"
fetch() {
    mkdir -p "$folder/apt/state/lists/partial" "$folder/apt/cache/archives/partial" "$folder/debs" "$sysroot"
    : >"$folder/apt/state/status"
    cat >"$folder/apt/conf" <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "root";
Dir::State "$folder/apt/state";
Dir::State::status "$folder/apt/state/status";
Dir::Cache "$folder/apt/cache";
END
    export APT_CONFIG=$folder/apt/conf
    apt-get update -qq
    # shellcheck disable=SC2086 # a list
    (cd "$folder/debs" && apt-get download -qq $packages)
    unset APT_CONFIG
    for package in "$folder"/debs/*.deb; do dpkg -x "$package" "$sysroot"; done
    touch "$folder/fetched"
}
[ -e "$folder/fetched" ] || fetch

cat >"$folder/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER $triple-gcc)
set(CMAKE_CXX_COMPILER $triple-g++)
set(CMAKE_FIND_ROOT_PATH $sysroot)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} $sysroot/usr/lib/$triple/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} $sysroot)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L $sysroot)
END
cmake -G Ninja -B "$folder/build" --toolchain "$folder/toolchain.cmake" -DATTEND_MPI=OFF -DATTEND_PAINT=OFF -DATTEND_SERVE=OFF
cmake --build "$folder/build" --parallel "${JOBS:-$(nproc)}"
cmake --install "$folder/build" --prefix "$folder/prefix" >/dev/null

fail() {
    echo "FAILED: $*" >&2
    exit 1
}
program=(qemu-aarch64-static -L "$sysroot" "$folder/prefix/bin/attend")
[ -s "$folder/prefix/share/man/man1/attend-train.1" ] || fail "there is no manual page"
NM=$triple-nm tools/check_exports.sh "$folder/build"
tools/check_paths.sh "$folder/build"
said=$(printf 'a b c\nh g f\n' | "${program[@]}" translate --model tests/data/model-v1.safetensors | paste -sd/)
[ "$said" = "c b a/f g h" ] || fail "the translation is '$said'"
"${program[@]}" train --train-src demo/valid.hi --train-tgt demo/valid.en --model "$folder/model.safetensors" --overwrite --emb 8 \
    --hidden 12 --max-updates 3 --threads 2 || fail "it does not train"
echo "the program for ARM translates and trains"
