#!/usr/bin/env bash
# Makes the source archive of the last commit, and its checksum, in a folder: release.sh FOLDER. The same commit gives the
# same bytes on every machine.
set -euo pipefail
folder=${1:?usage: release.sh FOLDER}
cd "$(dirname "$0")/.."
git diff --quiet HEAD || { echo "release.sh: there are changes that are not committed" >&2; exit 1; }
name=attend-$(tools/check_version.sh)

mkdir -p "$folder"
# One thread, because xz cuts the text into one block for each.
git -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD | xz --threads=1 >"$folder/$name.tar.xz"
cd "$folder"
sha256sum "$name.tar.xz" | tee "$name.tar.xz.sha256"
