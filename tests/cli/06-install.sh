#!/usr/bin/env bash
# A user's first minutes: clone, build and install by the plain lines of the README. This is a whole build with the flags that
# users get, half a minute on two cores; it uses nothing from the build folder that runs this test.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
if [ -n "${ATTEND_QUICK:-}" ]; then
    echo "skipped: a user builds without sanitizers"
    exit 77
fi
for tool in cmake ninja make git pkg-config; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
git -C "$ATTEND_SOURCE" rev-parse HEAD >/dev/null 2>&1 || { echo "skipped: not a clone"; exit 77; }
unset CFLAGS CXXFLAGS LDFLAGS DESTDIR MAKEFLAGS MAKELEVEL

clone=$work/clone
copy_source "$clone"
added=$(git -C "$ATTEND_SOURCE" ls-files --others --exclude-standard src cli include web tools)
[ -z "$added" ] || echo "not part of a clone, being untracked: $added"

run() { # COMMAND...
    (cd "$clone" && "$@") >"$work/log" 2>&1 || fail "$* in a fresh clone: $(tail -n 20 "$work/log")"
}
run cmake -G Ninja -B build
run cmake --build build --parallel 2
! grep -q 'warning:' "$work/log" || fail "warnings: $(grep -m3 'warning:' "$work/log")"
run cmake --install build --prefix "$work/first"
! grep -q -e -Werror "$clone/build/build.ninja" || fail "a user's warnings are errors"

# make install builds what is missing: nothing has been built by it yet.
rm -r "$clone/build/man" "$clone/build/man3" "$clone/build/completion"
run make install PREFIX="$work/second"
diff -r "$work/first" "$work/second" || fail "make install differs from cmake --install"

# ---- Everything is there, and nothing else ----

prefix=$work/prefix # what was installed may be moved
mv "$work/first" "$prefix"
lib=$(dirname "$(dirname "$(cd "$prefix" && find . -name attend.pc)")")
lib=${lib#./}
{
    echo bin/attend
    (cd "$ATTEND_SOURCE/include" && printf 'include/%s\n' attend/*.h)
    echo "$lib/libattend.a"
    echo "$lib/pkgconfig/attend.pc"
    printf "$lib/cmake/attend/attend-%s.cmake\n" config config-version targets targets-release
    echo share/bash-completion/completions/attend
    echo share/zsh/site-functions/_attend
    echo share/fish/vendor_completions.d/attend.fish
    (cd "$ATTEND_SOURCE/models" && printf 'share/attend/models/%s\n' *.safetensors *.md)
    echo share/man/man1/attend.1
    if [ -e "$clone/build/attend-serve.so" ]; then
        echo lib/systemd/system/attend.service
        echo share/doc/attend/serve.yaml
    fi
    for header in "$ATTEND_SOURCE"/include/attend/*.h; do
        echo "share/man/man3/attend_$(basename "$header").3"
        awk -v list=1 -f "$ATTEND_SOURCE/tools/man3.awk" "$header" | sed 's,.*,share/man/man3/&.3,'
    done
    "$prefix/bin/attend" --help | sed -n 's/^  \([a-z]*\) .*/share\/man\/man1\/attend-\1.1/p'
} | sort >"$work/wanted"
(cd "$prefix" && find . -type f -o -type l) | sed 's,^\./,,' | sort >"$work/installed"
modules=$(grep -E "^$lib/attend/attend-[a-z]+\.so$" "$work/installed" || true)
shared=$(grep -E "^$lib/libattend\.so" "$work/installed" || true)
[ "$(wc -l <<<"$shared")" = 3 ] || fail "the shared library is: $shared"
grep -vE "^$lib/(libattend\.so|attend/)" "$work/installed" | diff "$work/wanted" - || fail "what is installed differs from what is wanted"
[ "$(wc -l <"$work/wanted")" -gt 25 ] || fail "too little is wanted: $(cat "$work/wanted")"

# ---- It works from where it is installed ----

version=$(sed -n 's/^project(attend VERSION \([0-9.]*\).*/\1/p' "$ATTEND_SOURCE/CMakeLists.txt")
equal "its version" "$("$prefix/bin/attend" --version)" "attend $version"
equal "the version of attend.pc" "$(PKG_CONFIG_PATH=$prefix/$lib/pkgconfig pkg-config --modversion attend)" "$version"
equal "a translation" "$(echo a b c | "$prefix/bin/attend" translate --model "$ATTEND_SOURCE/tests/data/model-v1.safetensors")" "c b a"
equal "the ready models" "$("$prefix/bin/attend" models --names)" "$(basename -s .safetensors "$ATTEND_SOURCE"/models/*.safetensors)"
for page in "$prefix"/share/man/man1/*.1; do
    [ "$(head -c 4 "$page")" = ".TH " ] || fail "$page is not a manual page"
done
if [[ $modules == *attend-paint.so* ]]; then # found beside the program's folder, not in the clone
    rm -rf "$clone"
    "$prefix/bin/attend" plot --model "$ATTEND_SOURCE/tests/data/model-v1.safetensors" --output "$work/map.png" "a b c" 2>"$work/log" ||
        fail "the installed program does not paint: $(cat "$work/log")"
fi

# ---- It has no paths of the machine that built it ----

while IFS= read -r file; do
    ! grep -qaF "$clone" "$prefix/$file" || fail "$file names the folder that it was built in"
    ! { command -v readelf >/dev/null && readelf -d "$prefix/$file" 2>/dev/null | grep -E 'RPATH|RUNPATH'; } || fail "$file has a path for libraries"
done <"$work/installed"
