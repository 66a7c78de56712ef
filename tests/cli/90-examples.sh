#!/usr/bin/env bash
# The installed files are enough to build every program of examples/ by pkg-config and by CMake, linked either way, and to
# run it. To add a program: its file, its name in examples/CMakeLists.txt, and its row in run_example.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
build=$(dirname "$ATTEND")
if [ -n "${ATTEND_QUICK:-}" ]; then
    echo "skipped: a program without the sanitizer cannot load a library with it"
    exit 77
fi
for tool in cmake pkg-config cc c++; do
    command -v "$tool" >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
cmake --install "$build" --prefix "$work/prefix" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
mv "$work/prefix" "$work/moved" # what was installed may be moved
PKG_CONFIG_PATH=$(dirname "$(find "$work/moved" -name attend.pc)")
export PKG_CONFIG_PATH
libraries=$(pkg-config --variable=libdir attend)
model=$ATTEND_SOURCE/tests/data/model-v1.safetensors

# ---- In /usr/local, the loader hears of the library; elsewhere and in DESTDIR it does not ----

mkdir "$work/tools"
printf '#!/bin/sh\necho called >>"%s"\n' "$work/calls" >"$work/tools/ldconfig"
chmod +x "$work/tools/ldconfig"
# shellcheck disable=SC2016 # the inner shell's
unshare --mount --map-root-user bash -euc 'mount -t tmpfs none /usr/local && cd "$1" && export PATH=$1/tools:$PATH &&
    DESTDIR=$1/staged cmake --install "$2" --prefix /usr/local && cmake --install "$2" --prefix "$1/other" &&
    [ ! -e calls ] && cmake --install "$2" --prefix /usr/local && touch done' - "$work" "$build" >"$work/log" 2>&1 ||
    { grep -q 'unshare:\|mount:' "$work/log" || fail "$(tail -n 3 "$work/log")"; echo "no namespaces here: ldconfig is not tested"; }
[ ! -e "$work/done" ] || equal "calls of ldconfig" "$(cat "$work/calls")" called

# ---- Each program, with the model that reverses letters ----

run_embed() { # PROGRAM
    equal "translations" "$("$1" "$model" "a b c" "h g f" | grep -v '^ ' | paste -sd/)" "c b a/f g h"
    "$1" "$model" "a b c" | matches -E '^  </s> <- [a-z</>]+ \([01]\.[0-9]{2}\)$' || fail "it does not say where it looked"
}

# What all programs have in common; run_NAME has what is specific to one.
run_example() { # NAME PROGRAM
    "$2" "$model" "a b c" >"$work/said" 2>"$work/log" || fail "$1: $(cat "$work/log")"
    grep -qF "c b a" "$work/said" || fail "$1 does not translate: $(cat "$work/said")"
    refused 1 "missing: cannot be opened" "$2" "$work/missing" a
    refused 1 "usage: $1 MODEL" "$2"
    if declare -F "run_$1" >/dev/null; then "run_$1" "$2"; fi
}

# ---- Both ways of linking ----

compile() { # SOURCE PROGRAM FLAG...
    local compiler=(cc -std=c17)
    [ "${1##*.}" = c ] || compiler=(c++ -std=c++17)
    "${compiler[@]}" -Wall -Wextra -Wpedantic -Werror -o "$2" "$1" "${@:3}" 2>"$work/log" || fail "$(cat "$work/log")"
}
read -ra shared <<<"$(pkg-config --cflags --libs attend)"
read -ra static <<<"$(pkg-config --static --cflags --libs attend)"
count=0
for source in "$ATTEND_SOURCE"/examples/*.c "$ATTEND_SOURCE"/examples/*.cc; do
    [ -e "$source" ] || continue
    name=$(basename "${source%.*}")
    mkdir -p "$work/shared" "$work/static"
    compile "$source" "$work/shared/$name" "${shared[@]}"
    LD_LIBRARY_PATH=$libraries run_example "$name" "$work/shared/$name"
    compile "$source" "$work/static/$name" "${static[@]/#-lattend/-l:libattend.a}"
    run_example "$name" "$work/static/$name"
    count=$((count + 1))
done
[ $count -gt 0 ] || fail "there are no examples"

# ---- The programs in README, as they are printed ----

# shellcheck disable=SC2016 # the backquotes are Markdown's
said=$(sed -n 's/^Both print `\([^`]*\)`.*/\1/p' "$ATTEND_SOURCE/README.md")
for language in c cpp; do
    source=$work/readme.${language/cpp/cc}
    awk -v begin="\`\`\`$language" '$0 == begin { on = 1; next } /^```/ { on = 0 } on' "$ATTEND_SOURCE/README.md" >"$source"
    grep -q '^int main' "$source" || fail "README has no program in $language"
    compile "$source" "$work/readme" "${shared[@]}"
    equal "README's program in $language" "$(cd "$ATTEND_SOURCE" && LD_LIBRARY_PATH=$libraries "$work/readme")" "$said"
done

# ---- By find_package, in a project outside of this one ----

cp -r "$ATTEND_SOURCE/examples" "$work/project"
configure() { # FOLDER OPTION...
    cmake -S "$work/project" -B "$work/$1" "-DCMAKE_PREFIX_PATH=$work/moved" -DCMAKE_C_COMPILER_WORKS=1 \
        -DCMAKE_CXX_COMPILER_WORKS=1 "${@:2}" >"$work/log" 2>&1
}
for way in shared static; do
    link=OFF
    [ $way = shared ] || link=ON
    configure "cmake-$way" -DATTEND_STATIC=$link || fail "$(cat "$work/log")"
    cmake --build "$work/cmake-$way" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
    built=0
    for source in "$work"/project/*.c "$work"/project/*.cc; do
        name=$(basename "${source%.*}")
        run_example "$name" "$work/cmake-$way/$name"
        built=$((built + 1))
    done
    equal "programs linked with the $way library" $built $count
done
readelf -d "$work/cmake-shared/embed" | grep -qF 'libattend.so.0' || fail "attend::attend is not the shared library"
! readelf -d "$work/cmake-static/embed" | grep -qF 'libattend.so' || fail "attend::static is not the static library"

# A project that asks for what is not there hears of it.
# shellcheck disable=SC2016 # CMake's variable
printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(none LANGUAGES NONE)' \
    'find_package(attend ${WANTED} REQUIRED)' >"$work/project/CMakeLists.txt"
configure present -DWANTED=0 || fail "$(cat "$work/log")"
! configure later -DWANTED=9 || fail "it takes this version for version 9"
! configure none "-DWANTED=COMPONENTS;nothing" || fail "it has a component 'nothing'"
"$work/moved/bin/attend" --version >/dev/null || fail "the installed program does not run"
[ -s "$work/moved/share/man/man1/attend-train.1" ] || fail "there is no manual page of attend train"
