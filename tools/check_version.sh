#!/usr/bin/env bash
# Prints the version of the project, after checking that every file which states it states the same; otherwise it says
# which one does not, and exits with 1.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/^project(attend VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
status=0
states() { # FILE VERSION
    [ "$2" = "$version" ] || { echo "$1 says version '$2', CMakeLists.txt says '$version'" >&2; status=1; }
}
states include/attend/status.h "$(sed -n 's/^#define ATTEND_VERSION "\(.*\)"$/\1/p' include/attend/status.h)"
states CHANGELOG.md "$(sed -n 's/^## \([0-9.]*\),.*/\1/p' CHANGELOG.md | head -n 1)"
states debian/changelog "$(sed -n 's/^attend (\([0-9.]*\)) .*/\1/p' debian/changelog | head -n 1)"
states npm/package.json "$(sed -n 's/^  "version": "\(.*\)",$/\1/p' npm/package.json)"
[ $status = 0 ] || exit 1
echo "$version"
