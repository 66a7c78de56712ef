#!/usr/bin/env bash
# Builds the Debian packages of the tree as it is, and the source package, in a folder, and checks them with lintian:
# deb.sh FOLDER. The folder is replaced; nothing else is written. Takes DEB_BUILD_OPTIONS, such as nocheck.
set -euo pipefail
folder=${1:?usage: deb.sh FOLDER}
cd "$(dirname "$0")/.."
version=$(dpkg-parsechangelog -S Version)

rm -rf "$folder"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
# The source package has the same permissions whatever the umask is.
(umask 022 && tools/list_files.sh | tar -c --mode=u=rwX,go=rX --null --files-from=- |
    tar -x --one-top-level="$folder/attend-$version")

# For attend export and the playground, if `make wasm` has been run.
[ ! -e build/attend.wasm ] || install -m 644 build/attend.wasm "$folder/attend-$version/debian/attend.wasm"

cd "$folder/attend-$version"
export DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-} parallel=${JOBS:-$(nproc)}"
dpkg-buildpackage -us -uc >"$folder/build.log" 2>&1 || {
    tail -n 40 "$folder/build.log" >&2
    echo "deb.sh: dpkg-buildpackage failed; all it said is in $folder/build.log" >&2
    exit 1
}
cd "$folder"
rm -r "attend-$version"
lintian --fail-on error,warning ./*.changes
ls -l ./*.deb
