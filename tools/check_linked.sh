#!/usr/bin/env bash
# Checks what the library and the program link: check_linked.sh BUILD_DIR. Everything else belongs to a module, so an
# application that only runs models needs these libraries, all of them C, and no others.
set -euo pipefail
build=${1:?usage: check_linked.sh BUILD_DIR}
command -v readelf >/dev/null || { echo "skipped: there is no readelf"; exit 77; }
allowed='^(libc|libm|ld-linux[a-z0-9_-]*|libjansson|libutf8proc|libz|libzstd)\.so'

status=0
for file in libattend.so attend; do
    needed=$(readelf -d "$build/$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    [ -n "$needed" ] || { echo "$file: links nothing"; status=1; }
    while IFS= read -r library; do
        [[ $library =~ $allowed ]] || { echo "$file: links $library, which only a module may"; status=1; }
    done <<<"$needed"
done
exit $status
