#!/usr/bin/env bash
# A cross build uses only the tools of its toolchain and runs nothing that it has built. This test only configures:
# tests/long/cross.sh builds for ARM and runs the result.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
if [ -n "${ATTEND_QUICK:-}" ]; then
    echo "skipped: no sanitizer looks at this"
    exit 77
fi
for tool in cmake ninja gcc g++ ar ranlib objcopy; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done

# A toolchain for this machine, which CMake takes for a cross build.
mkdir "$work/bin"
for tool in gcc g++ ar ranlib objcopy; do ln -s "$(command -v $tool)" "$work/bin/other-$tool"; done
cat >"$work/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR other)
set(CMAKE_C_COMPILER $work/bin/other-gcc)
set(CMAKE_CXX_COMPILER $work/bin/other-g++)
END
configure() { # FOLDER OPTION...
    cmake -G Ninja -S "$ATTEND_SOURCE" -B "$1" --toolchain "$work/toolchain.cmake" -DATTEND_MPI=OFF -DATTEND_PAINT=OFF \
        -DATTEND_SERVE=OFF "${@:2}" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
    ninja -C "$1" -t commands >"$work/commands"
}

configure "$work/alone"
grep -q 'No manual pages: set CMAKE_CROSSCOMPILING_EMULATOR' "$work/log" || fail "it does not say that there are no manual pages"
! grep -q 'man\.sh' "$work/commands" || fail "it runs what it has built: $(grep 'man\.sh' "$work/commands")"
foreign=$(grep -oE '(^|[ /])([a-z0-9_-]+-)?(ld|ld\.bfd|gcc|g\+\+|cc|c\+\+|ar|ranlib|objcopy)( |$)' "$work/commands" |
    grep -v other- | sort -u || true)
[ -z "$foreign" ] || fail "it calls tools of this machine: $foreign"
grep -q 'other-objcopy .*--keep-global-symbol' "$work/commands" || fail "the archive is made without the toolchain's objcopy"
grep -q 'other-gcc .* -r .*attend_all\.o' "$work/commands" || fail "the archive is made without the toolchain's linker"

configure "$work/emulated" "-DCMAKE_CROSSCOMPILING_EMULATOR=$work/emulator;-x"
grep -qE "man\.sh .*/emulated/attend .*/man $work/emulator -x( |\$)" "$work/commands" || fail "the emulator does not speak for the program"
configure "$work/spoken" "-DATTEND_HOST_PROGRAM=$ATTEND"
grep -q "man\.sh $ATTEND " "$work/commands" || fail "the host's program does not speak for the other"

# A big-endian processor is refused when the build is configured. clang can compile for one without its C library.
command -v clang >/dev/null || exit 0
cat >"$work/big.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET s390x-linux-gnu)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
END
! cmake -G Ninja -S "$ATTEND_SOURCE" -B "$work/big" --toolchain "$work/big.cmake" >"$work/log" 2>&1 || fail "a big-endian build is configured"
tr '\n' ' ' <"$work/log" | tr -s ' ' | grep -q 'attend needs a little-endian processor' || fail "big-endian is refused for another reason: $(cat "$work/log")"
