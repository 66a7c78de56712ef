#!/bin/sh
# Prints the date of the newest release in CHANGELOG.md, whose headings are "## 1.2.3, 2026-01-31"; nothing if there is
# none yet.
set -eu
sed -n 's/^## [0-9.]*, \([0-9]*-[0-9]*-[0-9]*\)$/\1/p' "$(dirname "$0")/../CHANGELOG.md" | head -n 1
