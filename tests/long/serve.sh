#!/usr/bin/env bash
# The server under load, on loopback: throughput and latency with 1 and with 64 connections, requests per second of
# processor time (what one core does, whatever else the machine does), and memory over many requests.
#     ATTEND=build/attend tests/long/serve.sh [MODEL SOURCE TARGET TEXT [REQUESTS [SECONDS]]]
# Without a model it trains one on the demo (a minute). TEXT is a file of sentences, one per request in turn. CORE=0 runs
# the server on that core alone, with one thread, and wrk on the others. Needs wrk and curl (make deps GROUP=load).
set -euo pipefail
: "${ATTEND:?the program}"
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
server=
trap 'kill -KILL $server 2>/dev/null || true; rm -rf "$work"' EXIT
for tool in wrk curl; do command -v $tool >/dev/null || { echo "there is no $tool (make deps GROUP=load)" >&2; exit 1; }; done

model=${1:-$work/hi-en} source=${2:-hi} target=${3:-en} text=${4:-$root/demo/test.hi} requests=${5:-100000} seconds=${6:-10}
[ -e "$model" ] || "$ATTEND" train --train-src "$root/demo/train.hi" --train-tgt "$root/demo/train.en" --model "$model" \
    --tokenizer spaces --emb 64 --hidden 128 --max-epochs 2 --source-lang hi --target-lang en 2>/dev/null

# Every connection sends one sentence after the other, each from another starting point.
{
    echo 'local lines = {'
    head -n 500 "$text" | sed 's/[\\"]/\\&/g; s/.*/"&",/'
    echo '}'
    cat <<'LUA'
local at, begun = 0, 0
function setup(thread) thread:set("begun", begun); begun = begun + 97 end
function request()
    at = at + 1
    local line = lines[(begun + at * 7) % #lines + 1]
    return wrk.format("POST", "/translate", {["Content-Type"] = "application/json"},
        '{"q":"' .. line:gsub('\\', '\\\\'):gsub('"', '\\"') .. '","source":"SOURCE","target":"TARGET"}')
end
function response(status) if status ~= 200 then bad = (bad or 0) + 1 end end
function done(summary, latency)
    print(string.format("%d requests in %.1f s: %.0f a second; p50 %.1f ms, p99 %.1f ms; %d errors",
        summary.requests, summary.duration / 1e6, summary.requests / (summary.duration / 1e6),
        latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
        summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status + summary.errors.timeout))
end
LUA
} | sed "s/SOURCE/$source/; s/TARGET/$target/" >"$work/ask.lua"

on=() client=() threads=()
if [ -n "${CORE:-}" ]; then
    others=$(seq 0 $(($(nproc --all) - 1)) | grep -vx "$CORE" | paste -sd,)
    on=(taskset -c "$CORE") client=(taskset -c "${others:-$CORE}") threads=(--threads 1)
fi
"${on[@]}" "$ATTEND" serve "${threads[@]}" --model "$model" --name "$source-$target" --port 0 --access-log /dev/null 2>"$work/notes" &
server=$!
until url=$(sed -n 's|.*serving at \(http://[^ ]*\)/$|\1|p' "$work/notes") && [ -n "$url" ]; do
    kill -0 $server 2>/dev/null || { cat "$work/notes" >&2; exit 1; }
    sleep 0.1
done
metric() { curl -sS "$url/metrics" | sed -n "s/^attend_$1 //p"; }
mean_batch() { awk -v a="$1" -v b="$2" -v c="$(metric batch_lines_sum)" -v d="$(metric batch_lines_count)" 'BEGIN { printf "%.1f", (d > b ? (c - a) / (d - b) : 0) }'; }
# Seconds of all cores that the server has used.
used() { awk -v hz="$(getconf CLK_TCK)" '{ print ($14 + $15) / hz }' "/proc/$server/stat"; }
load() { # CONNECTIONS SECONDS
    local lines batches before
    lines=$(metric batch_lines_sum) batches=$(metric batch_lines_count) before=$(used)
    "${client[@]}" wrk -t1 -c"$1" -d"$2s" --timeout 60s -s "$work/ask.lua" "$url" | grep '^[0-9].*errors$'
    echo "    $(mean_batch "$lines" "$batches") lines in a batch"
    awk -v l="$lines" -v m="$(metric batch_lines_sum)" -v a="$before" -v b="$(used)" \
        'BEGIN { printf "    %.0f sentences per second of one core\n", (m - l) / (b - a) }'
}

# Alternate, so that other load on the machine affects both.
for _ in 1 2 3; do
    for connections in 1 64; do
        echo "$connections connections:"
        load $connections "$seconds"
    done
done
echo "memory over $requests requests, 64 connections:"
begun=$(metric lines_total)
while [ "$(metric lines_total)" -lt $((begun + requests)) ]; do
    load 64 "$seconds"
    awk -v n="$(metric lines_total)" -v b="$(metric resident_memory_bytes)" 'BEGIN { printf "    %d lines so far, %.1f MB\n", n, b / 1e6 }'
done
kill -TERM $server
wait $server || { echo "the server exited with $?" >&2; exit 1; }
