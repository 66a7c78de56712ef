#!/usr/bin/env bash
# Builds the container image and runs it: container.sh [BUILD]. Takes some minutes and 500 MB below /tmp, and needs root,
# the network for debootstrap, and buildah (make deps GROUP=container). The container runs in buildah's chroot isolation,
# which also works inside another container: the file system, user and commands of the image, but the network of the
# host. So port 5000 must be free.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build}
tools/setup.sh --check container
for tool in curl jq; do command -v "$tool" >/dev/null || { echo "there is no $tool (make deps GROUP=load)" >&2; exit 1; }; done
work=$(mktemp -d)
server=
container=
trap 'kill $server 2>/dev/null || true; [ -z "$container" ] || buildah rm "$container" >/dev/null; rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*" >&2
    exit 1
}

packaging/container/build.sh "$build"
config() { buildah inspect --type image localhost/attend | jq -c ".Docker.config$1"; }
[ "$(config .User)" = '"65534:65534"' ] || fail "the image runs as $(config .User)"

mkdir -m 755 "$work/models"
chmod 755 "$work"
install -m 644 tests/data/model-v1.safetensors "$work/models/xx-yy.safetensors"
container=$(buildah from localhost/attend)
mapfile -t entry < <(config '.Entrypoint[]' | jq -r .)
mapfile -t health < <(config '.Healthcheck.Test[1:][]' | jq -r .)
in_container() { buildah run --isolation chroot --volume "$work/models:/models:ro" "$container" -- "$@"; }

! in_container "${health[@]}" 2>/dev/null || fail "the health check passes without a server"
in_container "${entry[@]}" --model /models/xx-yy.safetensors 2>"$work/notes" &
server=$!
for _ in $(seq 100); do
    ! grep -q 'serving at' "$work/notes" || break
    sleep 0.1
done
said=$(curl -sS -m 20 -d 'q=a b c' -d model=xx-yy http://127.0.0.1:5000/translate)
[ "$said" = '{"translatedText":"c b a"}' ] || fail "the container says '$said': $(cat "$work/notes")"
in_container "${health[@]}" || fail "the health check fails with a server"
user=$(ps -eo user=,args= | awk '$2 == "/usr/bin/attend" && $3 == "serve" { print $1 }')
[ "$user" = nobody ] || fail "the server runs as '$user'"
! in_container touch /here 2>/dev/null || fail "the server can write to /"
buildah images localhost/attend
echo "the container translates, as nobody"
