#!/usr/bin/env bash
# Cross-builds for ARM, shows that its vector instructions are used, and runs all unit tests and the program under an
# emulator: cross.sh [FOLDER], or `make test-cross`. Takes half an hour on two cores and 100 MB of Debian's arm64
# packages, which it unpacks into FOLDER (build-cross) and does not install. Needs Debian, the cross compiler and qemu
# (make deps GROUP=cross).
set -euo pipefail
cd "$(dirname "$0")/../.."
tools/setup.sh --check cross
# shellcheck source=apt.bash
. tests/long/apt.bash
mkdir -p "${1:-build-cross}"
folder=$(cd "${1:-build-cross}" && pwd)
sysroot=$folder/sysroot
triple=aarch64-linux-gnu

# As on a machine on which nothing is installed yet, so that apt fetches these packages with all that they need.
packages="libcmocka-dev libfftw3-dev libicu-dev libjansson-dev libpango1.0-dev libpng-dev libsentencepiece-dev libsndfile1-dev"
packages+=" libturbojpeg0-dev libutf8proc-dev libyaml-dev libzstd-dev zlib1g-dev fonts-dejavu-core"
fetch() {
    # shellcheck disable=SC2086 # a list
    (private_apt "$folder" arm64 && apt-get install -qq --download-only --no-install-recommends $packages >/dev/null)
    mkdir -p "$sysroot"
    for package in "$folder"/apt/cache/archives/*.deb; do dpkg -x "$package" "$sysroot"; done
    touch "$folder/fetched"
}
[ -e "$folder/fetched" ] || fetch

cat >"$folder/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER $triple-gcc)
set(CMAKE_CXX_COMPILER $triple-g++)
set(CMAKE_FIND_ROOT_PATH $sysroot)
foreach(kind EXE SHARED MODULE) # libraries that libraries need: here /lib is not a link to /usr/lib
    set(CMAKE_\${kind}_LINKER_FLAGS_INIT "-Wl,-rpath-link,$sysroot/lib/$triple:$sysroot/usr/lib/$triple")
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} $sysroot/usr/lib/$triple/pkgconfig:$sysroot/usr/share/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} $sysroot)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L $sysroot)
END
cmake -G Ninja -B "$folder/build" --toolchain "$folder/toolchain.cmake" -DCMAKE_SKIP_BUILD_RPATH=ON -DATTEND_TESTS=ON -DATTEND_MPI=OFF -DATTEND_SERVE=OFF >/dev/null
cmake --build "$folder/build" --parallel "${JOBS:-$(nproc)}" --target attend attend_archive attend_shared attend_manual unit_tests
cmake --install "$folder/build" --prefix "$folder/prefix" >/dev/null

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# ---- What was built ----

[ -s "$folder/prefix/share/man/man1/attend-train.1" ] || fail "there is no manual page"
NM=$triple-nm tools/check_exports.sh "$folder/build"
tools/check_paths.sh "$folder/build"

# The vector bodies of the hot loops multiply and add four floats in one instruction.
for function in block_product dot_product_scores pool_forward; do
    count=$($triple-objdump -d "$folder/build/attend.o" | awk -v name="<$function" '
        /^[0-9a-f]+ <.*>:$/ { mine = index($2, name) == 1 }
        mine && /fmla\tv[0-9]+\.4s/ { count++ }
        END { print count + 0 }')
    echo "$function: $count NEON multiply-adds of four floats"
    [ "$count" -gt 0 ] || fail "$function has none"
done

# ---- It runs ----

program=(qemu-aarch64-static -L "$sysroot" "$folder/prefix/bin/attend")
said=$(printf 'a b c\nh g f\n' | "${program[@]}" translate --model tests/data/model-v1.safetensors | paste -sd/)
[ "$said" = "c b a/f g h" ] || fail "the translation is '$said'"
"${program[@]}" train --train-src demo/valid.hi --train-tgt demo/valid.en --model "$folder/model.safetensors" --overwrite --emb 8 \
    --hidden 12 --max-updates 3 --threads 2 || fail "it does not train"
echo "the program for ARM translates and trains"
ctest --test-dir "$folder/build" --label-regex unit --parallel "${JOBS:-$(nproc)}" --timeout 3000 --output-on-failure
