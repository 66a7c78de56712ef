#!/usr/bin/env bash
# -DATTEND_TRAIN=OFF needs no C++ compiler and none of the modules' libraries, and its sources are complete: with the objects
# of this build they link to one static file, which translates. tests/long/inference.sh builds all of it.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
build=$(dirname "$ATTEND")
if [ -n "${ATTEND_QUICK:-}" ]; then
    echo "skipped: a sanitizer cannot be linked statically"
    exit 77
fi
for tool in cmake ninja cc pkg-config; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done

CXX=/bin/false cmake -G Ninja -S "$ATTEND_SOURCE" -B "$work/inference" -DATTEND_TRAIN=OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
    >"$work/log" 2>&1 || fail "$(cat "$work/log")"
libraries=$(sed -n "s/^-- Checking for module '\([a-z0-9-]*\).*/\1/p" "$work/log" | sort | paste -sd' ')
equal "libraries" "$libraries" "jansson libutf8proc libzstd zlib"
ninja -C "$work/inference" -t targets all | matches -E '^libattend\.a' || fail "it does not make the library"
sources=$(sed -n 's/.*"file": "\(.*\)".*/\1/p' "$work/inference/compile_commands.json")
[ "$(wc -l <<<"$sources")" -gt 200 ] || fail "it has too few sources: $sources"
! grep -E '/src/(bench|log|subwords|yaml|mpi)/|trainer\.c|dataset\.c|\.cc$' <<<"$sources" || fail "it has sources of training"

# ---- The objects of this build, of the same sources ----

[ -d "$build/CMakeFiles/attend_float.dir" ] || { echo "skipped: $build has no objects"; exit 77; }
objects=()
while IFS= read -r source; do
    name=${source#"$ATTEND_SOURCE/"}
    objects+=("$build/CMakeFiles/attend_float.dir/${name#"$work/inference/"}.o")
done <<<"$sources"
read -ra flags <<<"$(pkg-config --static --libs jansson libutf8proc libzstd zlib)"
cc -static -std=c17 -I "$ATTEND_SOURCE/include" -o "$work/one" "$ATTEND_SOURCE/examples/embed.c" "${objects[@]}" "${flags[@]}" \
    -lm -pthread 2>"$work/log" || fail "the sources do not link: $(head -n 5 "$work/log")"
equal "a translation" "$("$work/one" "$ATTEND_SOURCE/tests/data/model-v1.safetensors" "a b c" | head -n 1)" "c b a"
! ldd "$work/one" >"$work/log" 2>&1 || fail "the static file needs libraries: $(cat "$work/log")"
