#!/usr/bin/env bash
# Makes the source archive of the last commit, and its checksum, in a folder: release.sh FOLDER. The same commit gives the
# same bytes on every machine. If `make build wasm` has been run, the playground is beside it.
set -euo pipefail
folder=${1:?usage: release.sh FOLDER}
cd "$(dirname "$0")/.."
git diff --quiet HEAD || { echo "release.sh: there are changes that are not committed" >&2; exit 1; }
name=attend-$(tools/check_version.sh)

mkdir -p "$folder"
# One thread, because xz cuts the text into one block for each.
git -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD | xz --threads=1 >"$folder/$name.tar.xz"
if [ -x build/attend ] && [ -e build/attend.wasm ]; then
    build/attend playground --output "$folder/$name-playground.html"
fi
cd "$folder"
sha256sum "$name.tar.xz" | tee "$name.tar.xz.sha256"
