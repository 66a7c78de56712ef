#!/usr/bin/env bash
# Builds the packages twice, in folders with different names, in different time zones, languages and with another umask,
# and compares them byte for byte: reproducible.sh [FOLDER]. Takes ten minutes on two cores. Needs what `make deb` needs
# (make deps GROUP=deb).
set -euo pipefail
cd "$(dirname "$0")/../.."
tools/setup.sh --check deb
folder=${1:-build/reproducible}
export DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-} nocheck"

(umask 022 && TZ=UTC LC_ALL=C tools/deb.sh "$folder/first" >/dev/null)
(umask 027 && TZ=Pacific/Apia LC_ALL=C.UTF-8 tools/deb.sh "$folder/second-folder/deep/down" >/dev/null)

different=0
for package in "$folder"/first/*.deb "$folder"/first/*.tar.xz; do
    other="$folder/second-folder/deep/down/$(basename "$package")"
    if cmp "$package" "$other"; then
        echo "$(basename "$package"): $(sha256sum <"$package" | cut -c1-16), the same twice"
    else
        different=1
        ! command -v diffoscope >/dev/null || diffoscope "$package" "$other" || true
    fi
done
exit $different
