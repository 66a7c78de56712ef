# What the tests of `attend serve` share, behind lib.bash.
[ -e "$(dirname "$ATTEND")/attend-serve.so" ] || { echo "skipped: built without libmicrohttpd"; exit 77; }
command -v curl >/dev/null || { echo "skipped: no curl"; exit 77; }
client=$(dirname "$ATTEND")/serve_client
servers=()
end_servers() {
    for child in "${servers[@]}"; do
        kill -KILL "$child" && wait "$child"
    done 2>/dev/null || true
    rm -rf "$work"
}
trap end_servers EXIT

# serve OPTION...: a server at a free port; sets server (its process), port and url. What it says goes to $work/notes, its
# access log to $work/access.
serve() {
    : >"$work/notes"
    "$ATTEND" serve --port 0 --threads 2 --access-log "$work/access" "$@" 2>"$work/notes" &
    server=$!
    servers+=("$server")
    for _ in $(seq 200); do
        port=$(sed -n 's|.*serving at http://127.0.0.1:\([0-9]*\)/.*|\1|p' "$work/notes")
        [ -z "$port" ] || break
        kill -0 "$server" 2>/dev/null || fail "the server ended: $(cat "$work/notes")"
        sleep 0.05
    done
    [ -n "$port" ] || fail "the server does not begin: $(cat "$work/notes")"
    url=http://127.0.0.1:$port
}

# stop_by SIGNAL: the server ends, with 0.
stop_by() {
    local code=0
    kill "-$1" "$server"
    wait "$server" || code=$?
    [ "$code" = 0 ] || fail "the server exited with $code: $(tail -n 30 "$work/notes")"
}

stop() { stop_by TERM; }

# waited WHAT COMMAND...: the command succeeds within ten seconds.
waited() {
    local what=$1
    shift
    for _ in $(seq 100); do
        ! "$@" || return 0
        sleep 0.1
    done
    fail "$what: $(cat "$work/notes")"
}

get() { curl -sS -m 60 "$url$1"; }
# post PATH JSON [CURL OPTION...]: prints the body; post_code prints the code.
post() { curl -sS -m 60 -H 'Content-Type: application/json' --data-binary "$2" "${@:3}" "$url$1"; }
post_code() { curl -sS -m 60 -o /dev/null -w '%{http_code}' -H 'Content-Type: application/json' --data-binary "$2" "${@:3}" "$url$1"; }

# refuses CODE BODY PATH JSON [CURL OPTION...]
refuses() {
    local got
    got=$(post "$3" "$4" -w ' %{http_code}' "${@:5}")
    equal "POST $3 ${4:0:100}" "$got" "$2 $1"
}
