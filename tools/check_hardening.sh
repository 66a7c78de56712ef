#!/usr/bin/env bash
# Checks that the built files are hardened as in tools/harden.cmake: check_hardening.sh BUILD. Prints what is missing
# and exits with 1, or with 77 if there is nothing to check or a tool is missing.
set -euo pipefail
build=${1:?the build folder}

skip() {
    echo "skipped: $*"
    exit 77
}
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
[ "$(cached ATTEND_HARDEN)" = ON ] || skip "ATTEND_HARDEN is off"
[ -z "$(cached ATTEND_SANITIZE)" ] || skip "sanitizers are on"
for tool in readelf objdump nm; do
    command -v $tool >/dev/null || skip "there is no $tool"
done

missing=0
lacks() { # FILE WHAT...
    echo "$(basename "$1"): ${*:2}"
    missing=1
}

# grep must read to the end: if it closed the pipe early, pipefail would report a failure.
holds() { grep -E "$1" >/dev/null; }

# Public functions that do not start with a landing pad. Static ones need it only if their address is taken.
unlanded() { # FILE
    {
        nm --defined-only "$1" | awk '$2 == "T" { print "public", "<" $3 ">:" }'
        objdump -d --no-show-raw-insn "$1"
    } | awk '
        $1 == "public" { public[$2] = 1; next }
        /^[0-9a-f]+ <(main|attend_[a-z0-9_]+)>:$/ { name = public[$2] ? $2 : ""; next }
        name { if ($2 !~ /^endbr64/) print name; name = "" }'
}

check() { # FILE
    local file=$1 dynamic headers unlanded
    dynamic=$(readelf -dW "$file")
    headers=$(readelf -lW "$file")
    holds 'FLAGS.*(BIND_NOW|NOW)' <<<"$dynamic" || lacks "$file" "no BIND_NOW"
    holds 'GNU_RELRO' <<<"$headers" || lacks "$file" "no RELRO"
    holds 'GNU_STACK.* RW +0' <<<"$headers" || lacks "$file" "the stack is executable"
    if [ "$(cached ATTEND_HAS_fcf_protection_full)" = 1 ]; then
        unlanded=$(unlanded "$file")
        [ -z "$unlanded" ] || lacks "$file" "no endbr64 in ${unlanded//$'\n'/ }"
    fi
}

# Calls that the compiler inserts for buffers; each of these files has some.
calls() { # FILE
    nm -u "$1" >"$scratch"
    holds '__stack_chk_fail' <"$scratch" || lacks "$1" "no stack protector"
    if getconf GNU_LIBC_VERSION >/dev/null 2>&1 && [ "$(cached CMAKE_BUILD_TYPE)" != Debug ]; then
        holds '__[a-z]+_chk' <"$scratch" || lacks "$1" "no call that _FORTIFY_SOURCE checks"
    fi
}

scratch=$(mktemp)
trap 'rm -f "$scratch"' EXIT
holds 'Type: +DYN' < <(readelf -hW "$build/attend") || lacks attend "is at a fixed address"
for file in "$build/attend" "$build/libattend.so" "$build"/attend-*.so; do
    [ ! -e "$file" ] || check "$file"
done
for file in "$build/attend" "$build/libattend.so" "$build/libattend.a" "$build"/attend-*.so; do
    [ ! -e "$file" ] || calls "$file"
done
exit $missing
