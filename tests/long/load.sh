#!/usr/bin/env bash
# The server under load: many requests to all routes, each compared with the program's own output. Some clients are slow
# and some leave, while models are reloaded and the server is restarted.
#     ATTEND=build/attend [REQUESTS=1000000] [CONNECTIONS=1000] tests/long/load.sh
# MODEL is a Hindi-English model, instead of one trained on the demo (a minute); `none` uses only the tests' own model.
# RELOADS (10) and RESTARTS (2, at most 3) set how often that happens. After each tenth, when nothing is in flight, the
# script waits REST (1) seconds and reads the memory. The mean of the last three tenths may exceed that of the three
# before by GROWTH (5) percent; this is not checked with sanitizers, which keep freed memory. LIMIT (7200) is the time
# limit in seconds. KEEP=1 keeps the files.
# It listens on loopback only. tests/cli/84-serve-load.sh runs it with few requests. Needs curl and jq (make deps
# GROUP=load).
set -euo pipefail
: "${ATTEND:?the program}"
root=$(cd "$(dirname "$0")/../.." && pwd)
requests=${REQUESTS:-1000000} connections=${CONNECTIONS:-1000} reloads=${RELOADS:-10} restarts=${RESTARTS:-2}
trained=${MODEL:-} growth=${GROWTH:-5} limit=${LIMIT:-7200} rest_between=${REST:-1}
golden=$root/tests/data/model-v1.safetensors client=$(dirname "$ATTEND")/serve_load
work=$(mktemp -d)
server='' asking=''
trap 'kill -KILL $server $asking 2>/dev/null || true; [ -n "${KEEP:-}" ] || rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*" >&2
    exit 1
}
for tool in curl jq; do command -v $tool >/dev/null || fail "there is no $tool (make deps GROUP=load)"; done
ulimit -n $((2 * connections + 300)) 2>/dev/null || true
# shellcheck source=load_cases.bash
. "$(dirname "$0")/load_cases.bash"

# ---- The server ----

# start PORT: sets server, port and url.
start() {
    : >"$work/notes"
    "$ATTEND" serve "${models[@]}" --port "$1" --connections $((2 * connections + 100)) --queue 100000 --timeout 120 \
        --access-log /dev/null 2>"$work/notes" 8<&- 9>&- &
    server=$!
    for _ in $(seq 600); do
        port=$(sed -n 's|.*serving at http://127.0.0.1:\([0-9]*\)/.*|\1|p' "$work/notes")
        [ -z "$port" ] || break
        kill -0 "$server" 2>/dev/null || fail "the server ended: $(cat "$work/notes")"
        sleep 0.05
    done
    [ -n "$port" ] || fail "the server does not start: $(cat "$work/notes")"
    url=http://127.0.0.1:$port
}

stop() {
    local code=0
    kill -TERM "$server"
    wait "$server" || code=$?
    server=
    [ "$code" = 0 ] || fail "the server exited with $code: $(tail -n 40 "$work/notes")"
}

metric() { curl -sS -m 60 "$url/metrics" | sed -n "s/^attend_$1 //p"; }
descriptors() { find "/proc/$server/fd" -mindepth 1 2>/dev/null | wc -l; }
restart() {
    kill -USR1 "$asking"
    stop
    start "$port"
    kill -USR2 "$asking"
}

# ---- Requests ----
sanitized=$(ldd "$ATTEND" | grep -oE 'lib(asan|tsan)' || true)
told='' few=4
if [ "$trained" = none ]; then
    models=(--model "$golden" --name xx-yy)
else
    told=yes few=10
    if [ -z "$trained" ]; then
        trained=$work/hi-en
        "$ATTEND" train --train-src "$root/demo/train.hi" --train-tgt "$root/demo/train.en" --model "$trained" --tokenizer spaces \
            --emb 64 --hidden 128 --max-epochs 2 --source-lang hi --target-lang en 2>"$work/log" || fail "$(cat "$work/log")"
    fi
    models=(--model "$trained" --name hi-en --model "$golden" --name xx-yy)
fi
start 0
: >"$work/cases"
awk 'BEGIN { split("a b c d e f g h", w); for (i = 0; i < 60; i++) { s = w[i % 8 + 1]
    for (k = 0; k < i % 4; k++) s = s " " w[(i * (k + 3) + k) % 8 + 1]; print s } }' >"$work/letters"
model_cases "$golden" xx-yy xx yy "$work/letters"
if [ -n "$told" ]; then
    head -n 200 "$root/demo/test.hi" >"$work/hindi"
    model_cases "$trained" hi-en hi en "$work/hindi"
fi
reference_cases
echo "$(wc -l <"$work/cases") different requests of $(cut -f1 "$work/cases" | sort -u | wc -l) kinds"

# ---- One client, then all ----
alone=$((requests / 50 < 2000 ? requests / 50 : 2000))
"$client" "$port" "$work/cases" "$alone" 1 "$limit" </dev/null >"$work/alone" || fail "one client alone: $(tail -n 1 "$work/alone")"
first=$(descriptors)
mkfifo "$work/progress" "$work/go"
"$client" "$port" "$work/cases" "$requests" "$connections" "$limit" <"$work/go" >"$work/progress" &
asking=$!
exec 9>"$work/go" 8<"$work/progress"
memory=()
while read -r word rest <&8; do
    [ "$word" = tenth ] || { echo "$word $rest" >>"$work/all"; continue; }
    # Nothing is in flight except what clients left behind, which gets a moment to finish.
    sleep "$rest_between"
    memory[rest]=$(metric resident_memory_bytes)
    echo go >&9
    [ "$rest" -gt "$reloads" ] || kill -HUP "$server"
    # All restarts are done before memory is compared.
    [ $((rest % 2)) = 1 ] || [ "$rest" -gt $((2 * restarts)) ] || [ "$rest" -gt 6 ] || restart
done
code=0
wait "$asking" || code=$?
asking=

# ---- Results ----
printf '%-24s %9s %21s %21s\n' route requests "p50, p99 ms, loaded" "p50, p99 ms, alone"
awk '$1 == "route" && FNR == NR { p50[$2] = $4; p99[$2] = $5; next }
    $1 == "route" { printf "%-24s %9d %10.2f %10.2f %10.2f %10.2f\n", $2, $3, $4, $5, p50[$2], p99[$2] }' "$work/alone" "$work/all"
tail -n 1 "$work/all"
printf 'memory after each tenth, MB:'
for i in "${!memory[@]}"; do awk -v b="${memory[i]}" 'BEGIN { printf " %.1f", b / 1e6 }'; done
echo
[ "$code" = 0 ] || fail "an answer was wrong, or not all came within $limit s"
for _ in $(seq 100); do
    last=$(descriptors)
    ((last > first)) || break
    sleep 0.1
done
echo "descriptors: $first before, $last after"
((last <= first)) || fail "descriptors stay open"
grew=$(awk -v m="${memory[*]: -6}" 'BEGIN { split(m, x, " "); printf "%.2f", 100 * ((x[4] + x[5] + x[6]) / (x[1] + x[2] + x[3]) - 1) }')
echo "memory grew by $grew % from tenths 5 to 7 to tenths 8 to 10"
[ -n "$sanitized" ] || awk -v g="$grew" -v most="$growth" 'BEGIN { exit !(g < most) }' || fail "that is more than $growth %"
stop
