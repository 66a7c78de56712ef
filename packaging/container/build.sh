#!/usr/bin/env bash
# Builds the container image localhost/attend: build.sh [BUILD]. BUILD is a build folder (build) with a program for this
# Debian. The base is made by debootstrap from the packages that the program links and is imported, so no registry is
# needed. Run it as root, with buildah, debootstrap and cmake (make deps GROUP=container). BASE=FOLDER uses a root file
# system that is there already, and keeps one that is made.
set -euo pipefail
build=$(cd "${1:-build}" && pwd)
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
base=${BASE:-$work/base}
# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")

fail() {
    echo "build.sh: $*" >&2
    exit 1
}
[ "$(id -u)" = 0 ] || fail "debootstrap needs root"
for tool in buildah cmake debootstrap; do
    command -v "$tool" >/dev/null || fail "$tool is missing; make deps GROUP=container installs it"
done
[ -e "$build/attend-serve.so" ] || fail "$build has no attend-serve.so; build with libmicrohttpd-dev"

# The program, its modules for serving, and nothing for development.
mkdir "$work/context"
DESTDIR=$work/context/all cmake --install "$build" --prefix /usr >/dev/null
modules=$(cd "$work/context/all" && find usr/lib -path '*/attend/attend-*.so' \( -name 'attend-serve.so' -o -name 'attend-sentences.so' -o -name 'attend-yaml.so' \))
for file in usr/bin/attend $modules; do
    install -D -m 755 "$work/context/all/$file" "$work/context/install/$file"
    strip "$work/context/install/$file"
done
rm -rf "$work/context/all"

# What they link, as Debian packages.
libraries=$(cd "$work/context/install" && find . -type f -exec ldd {} + | awk '$3 ~ /^\// { print $3 }' | sort -u)
packages=$(for library in $libraries; do dpkg -S "$(realpath "$library")" "$library" 2>/dev/null || true; done |
    sed 's/:.*//' | sort -u | paste -sd,)

if [ ! -e "$base/etc/debian_version" ]; then
    echo "debootstrap of $suite with $packages" >&2
    debootstrap --variant=minbase --include="$packages" "$suite" "$base" >"$work/log" 2>&1 || fail "debootstrap: $(tail -n 3 "$work/log")"
fi
# What a server never reads.
rm -rf "$base"/var/cache/apt/* "$base"/var/lib/apt/lists/* "$base"/var/log/* "$base"/usr/share/{doc,info,man,locale,i18n,zoneinfo,perl5}/*
find "$base/usr/lib" -type d -name gconv -exec rm -rf {} +

container=$(buildah from scratch)
trap 'buildah rm "$container" >/dev/null 2>&1; rm -rf "$work"' EXIT
buildah add --quiet "$container" "$base" / >/dev/null
buildah config --env PATH=/usr/bin:/bin "$container"
buildah commit --quiet "$container" localhost/attend-base >/dev/null
# Docker's format has the health check; OCI's has no place for it.
buildah build --quiet --format docker --file Containerfile --tag localhost/attend "$work/context" >/dev/null
buildah images localhost/attend
