# shellcheck shell=bash disable=SC2154 # run.sh sets what is not set here
# The server under faults, for run.sh: first while it starts, then one process that is armed again for each request.

requests=(
    'translate {"q":["mai ghar ja raha hoon","vah"],"source":"hi","target":"en","alternatives":2}'
    'translate {"q":"<b>mai</b> ghar","source":"auto","target":"en","format":"html","api_key":""}'
    'attention {"q":"mai ghar ja raha hoon"}'
    'explain {"q":"mai ghar"}'
    'picture {"matrix":{"source":["a","b"],"target":["x"],"attention":[[0.25,0.75]]},"title":"T"}'
    'detect {"q":"mai ghar ja raha hoon"}'
    'translator/translate [{"src":"mai ghar","id":2}]'
)

# Starts a server under the injector and sets server and url; false if it exited instead.
start_server() {
    : >../stderr # clear the output of the last server
    env LD_PRELOAD="$injector" FAULTS="$work/faults" "$ATTEND" serve --port 0 --threads 2 --model hi-en --model subwords \
        --access-log access 2>../stderr >../stdout </dev/null &
    server=$!
    for _ in $(seq 1000); do
        url=$(sed -n 's|.*serving at \(http://127.0.0.1:[0-9]*\)/.*|\1|p' ../stderr)
        [ -z "$url" ] || return 0
        kill -0 "$server" 2>/dev/null || return 1
        sleep 0.02
    done
    return 1
}

# Waits for the server to exit, by itself or by SIGTERM; its exit code goes to $code.
stop_server() {
    code=0
    [ "${1:-}" = ended ] || kill -TERM "$server"
    wait "$server" || code=$?
    server=
}

# ask REQUEST FILE: write the body of the answer to FILE, without the time that it took, and print its status; 000 if
# there was no answer
ask() {
    curl -sS -m 20 -o "$2.raw" -w '%{http_code}' -H 'Content-Type: application/json' --data-binary "${1#* }" \
        "$url/${1%% *}" 2>/dev/null
    touch "$2.raw"
    sed -E 's/"(milliseconds|pred_time)":[0-9.e-]+/"\1":0/g' "$2.raw" >"$2"
    rm "$2.raw"
}

# The answer to the armed request must be the usual one, a clean refusal, or, if the connection itself failed, none.
check_answer() { # KIND STATUS
    case $2 in
    200) cmp -s "$work/got" "$work/usual" || echo "it answered 200 with something else: $(head -c 200 "$work/got")" ;;
    5??) grep -qE '^\{"error":.*[a-z ]{8}' "$work/got" || echo "it answered $2 without a reason: $(head -c 200 "$work/got")" ;;
    000) case $1 in socket | interrupt | short-* | memory) ;; *) echo "it did not answer" ;; esac ;;
    *) echo "it answered $2: $(head -c 200 "$work/got")" ;;
    esac
}

is_usual() { [ "$1" = 200 ] && cmp -s "$work/got" "$work/usual"; }

fail_request() { # REQUEST KIND N
    local status wrong
    "$arm" "$work/faults" "$2" "$3"
    status=$(ask "$1" "$work/got")
    "$arm" "$work/faults" hit >"$work/hit"
    wrong=$(check_answer "$2" "$status" | head -n 1)
    tried=$((tried + 1))
    "$arm" "$work/faults" "$2" 0
    if ! kill -0 "$server" 2>/dev/null; then
        stop_server ended
        problem "serve ${1%% *}" "$2" "$3" "the server ended with $code: $(cat "$work/hit")"
        start_server || { problem serve "$2" "$3" "it does not start again"; return 1; }
        return
    fi
    [ -z "$wrong" ] || problem "serve ${1%% *}" "$2" "$3" "$wrong: $(cat "$work/hit")"
    status=$(ask "$1" "$work/got")
    is_usual "$status" || problem "serve ${1%% *}" "$2" "$3" "the next request got $status: $(head -c 200 "$work/got") after $(cat "$work/hit")"
}

fail_requests() { # REQUEST
    local before=$bad status
    ask "$1" "$work/usual" >/dev/null
    "$arm" "$work/faults" trace
    status=$(ask "$1" "$work/usual")
    [ "$status" = 200 ] || { problem "serve ${1%% *}" none 0 "it answers $status"; return; }
    plan >"$work/plan"
    while read -r kind number <&3; do
        fail_request "$1" "$kind" "$number" || break
    done 3<"$work/plan"
    echo "serve ${1%% *}: $(wc -l <"$work/plan") failed in turn, $((bad - before)) wrongly"
}

# A server that cannot start prints an error and exits with 1; otherwise it answers.
fail_start() { # KIND N
    local status
    rm -f access
    "$arm" "$work/faults" "$1" "$2"
    tried=$((tried + 1))
    if ! start_server; then
        stop_server ended
        "$arm" "$work/faults" hit >"$work/hit"
        status=$(if [ "$code" = 1 ]; then check_message; else echo "exit code $code"; fi)
        [ -z "$status" ] || problem "serve start" "$1" "$2" "$status"
        return
    fi
    status=$(ask "${requests[0]}" "$work/got")
    is_usual "$status" || problem "serve start" "$1" "$2" "it started, but answers $status: $(head -c 200 "$work/got")"
    stop_server
    [ "$code" = 0 ] || problem "serve start" "$1" "$2" "it started, and stopped with $code"
}

run_server() {
    local before=$bad request
    if [ ! -e "$build/attend-serve.so" ] || ! command -v curl >/dev/null; then
        echo "serve: skipped"
        return
    fi
    begin serve
    mv model hi-en
    "$arm" "$work/faults" trace
    start_server || { problem serve none 0 "it does not start"; return; }
    plan | grep -v ^write >"$work/plan.start" # at the start it writes only the address, which the test needs
    for request in "${requests[@]}"; do
        fail_requests "$request"
    done
    ask "${requests[0]}" "$work/usual" >/dev/null
    stop_server
    [ "$code" = 0 ] || problem serve none 0 "the server stopped with $code"
    ! grep -E 'internal error|Sanitizer|runtime error' ../stderr || problem serve none 0 "a bug"
    while read -r kind number <&3; do
        fail_start "$kind" "$number"
    done 3<"$work/plan.start"
    echo "serve start: $(wc -l <"$work/plan.start") failed in turn; $((bad - before)) wrongly in all of serve"
}
