#!/usr/bin/env bash
# The systemd unit: systemd can read it, it exposes little, and its example of a configuration is right.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=serve.bash
. "$(dirname "$0")/serve.bash"
[ -e "$(dirname "$ATTEND")/attend-yaml.so" ] || { echo "skipped: built without libyaml"; exit 77; }

unit=$(dirname "$ATTEND")/attend.service
[ -e "$unit" ] || fail "no unit beside the program"

# The example names only options that exist, also where they are commented out.
sed -E 's/^# ([a-z-]+:)/\1/; s|/var/lib/attend/.*|'"$ATTEND_SOURCE/tests/data/model-v1.safetensors"'|' "$ATTEND_SOURCE/packaging/serve.yaml" |
    grep -vE '^(api-keys|glossary|port):' >"$work/serve.yaml"
grep -q memory-limit "$work/serve.yaml" || fail "the example has no commented options"
serve --config "$work/serve.yaml"
equal "a server from the example" "$(get /models | sed 's/.*"name":"\([^"]*\)".*/\1/')" en-de
stop

command -v systemd-analyze >/dev/null || { echo "skipped: no systemd (make deps GROUP=service)"; exit 77; }
# The path of the program is that of the installation, where nothing is yet.
sed "s|^ExecStart=[^ ]*|ExecStart=$(realpath "$ATTEND")|" "$unit" >"$work/attend.service"
said=$(systemd-analyze verify --man=no "$work/attend.service" 2>&1) || fail "systemd-analyze verify: $said"
equal "warnings of systemd-analyze verify" "$said" ""
# In tenths; --threshold makes systemd fail for more.
systemd-analyze security --offline=yes --threshold=15 --no-pager "$work/attend.service" >"$work/security" ||
    fail "the service is exposed: $(grep '✗' "$work/security")"
grep 'Overall exposure' "$work/security"

# The unit allows every system call that the server makes.
[ -z "${ATTEND_QUICK:-}" ] || exit 0 # strace and the leak sanitizer exclude each other
command -v strace >/dev/null || { echo "the system calls are not checked: no strace"; exit 0; }
expand() { # the calls of a set, and of the sets in it
    local name
    systemd-analyze syscall-filter "$1" | sed '1d; s/#.*//' | tr -d ' ' | while read -r name; do
        case $name in @*) expand "$name" ;; ?*) echo "$name" ;; esac
    done
}
{ expand @privileged; expand @resources; } | sort -u >"$work/denied"
expand @system-service | sort -u | comm -23 - "$work/denied" >"$work/allowed"
strace -f -qq -o "$work/trace" "$ATTEND" serve --port 0 --threads 2 --config "$work/serve.yaml" --memory-limit 10M 2>"$work/notes" &
for _ in $(seq 200); do
    url=http://127.0.0.1:$(sed -n 's|.*serving at http://127.0.0.1:\([0-9]*\)/.*|\1|p' "$work/notes")
    [ "$url" = http://127.0.0.1: ] || break
    sleep 0.05
done
tracer=$!
get /ready >/dev/null
curl -sS -o "$work/out" -d 'q=a b' -d model=en-de "$url/translate"
curl -sS -o "$work/out" -d 'q=a b' -d model=en-de "$url/explain"
get /metrics >/dev/null
traced=$(tr -d ' ' <"/proc/$tracer/task/$tracer/children")
kill -HUP "$traced"
reloaded() { matches 'models reloaded' "$work/notes"; }
waited "no reload" reloaded
kill -TERM "$traced"
wait "$tracer" || fail "the traced server failed: $(cat "$work/notes")"
sed -nE 's/^[0-9]+ +([a-z_0-9]+)\(.*/\1/p' "$work/trace" | sort -u >"$work/used"
grep -q '^accept4*$' "$work/used" || fail "strace saw no server: $(cat "$work/used")"
equal "system calls that the unit denies" "$(comm -23 "$work/used" "$work/allowed" | paste -sd' ')" ""
