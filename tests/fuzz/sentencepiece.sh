#!/usr/bin/env bash
# Builds SentencePiece with the sanitizers and libFuzzer's counters, from Debian's source package, in
# build-fuzz-sp/install. The fuzzer then sees its branches, and the sanitizers its invalid accesses.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$PWD/build-fuzz-sp
prefix=$work/install
[ ! -e "$prefix/ready" ] || exit 0
tools/setup.sh --check fuzz-long
mkdir -p "$work/lists/partial" "$work/source"

# The source repository of the machine's own package; the machine's settings are not changed.
read -r address suite < <(apt-cache policy libsentencepiece-dev | awk '$2 ~ /:/ && $NF == "Packages" { print $2, $3; exit }')
if [ -z "${address:-}" ]; then
    echo "sentencepiece.sh: apt has no source for libsentencepiece-dev" >&2
    exit 1
fi
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ ! -e "$keyring" ] || signed="[signed-by=$keyring] "
echo "deb-src ${signed:-}$address ${suite%%/*} ${suite#*/}" >"$work/sources.list"
apt=(apt-get -qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::Lists="$work/lists"
    -o APT::Sandbox::User=root)
"${apt[@]}" update
(cd "$work/source" && "${apt[@]}" source sentencepiece)

# Its CMake fails without shared libraries. Its undefined behavior is not ours to fix, so only addresses are checked.
flags="-O2 -g -fno-omit-frame-pointer -fsanitize=address,fuzzer-no-link"
cmake -S "$work"/source/sentencepiece-* -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER=clang \
    -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" -DSPM_ENABLE_SHARED=ON \
    -DSPM_ENABLE_TCMALLOC=OFF -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib >"$work/log.txt"
cmake --build "$work/build" --parallel "${JOBS:-$(nproc)}" --target install >>"$work/log.txt"
touch "$prefix/ready"
