#!/usr/bin/env bash
# The examples of docs/administration.md for nginx and Caddy, without their certificates, in front of a server.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
# shellcheck source=serve.bash
. "$(dirname "$0")/serve.bash"
command -v nginx >/dev/null || command -v caddy >/dev/null || { echo "skipped: no nginx, no caddy (make deps GROUP=service)"; exit 77; }

example() { # NAME: the indented block after its mark
    awk -v mark="<!-- $1 -->" '$0 == mark { on = 1; next } on && /^    /{ print substr($0, 5); next } on { exit }' \
        "$ATTEND_SOURCE/docs/administration.md"
}
free_port() {
    local port
    for port in $(shuf -i 20000-30000 -n 50); do
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
    done
}

serve --model "$ATTEND_SOURCE/tests/data/model-v1.safetensors" --name xx-yy --behind-proxy --allow-host translate.example.org --rate 50
backend=$port

# through NAME: what a client gets through the proxy at $front.
through() {
    local name=$1 to=(-sS -m 20 --connect-to "translate.example.org:$front:127.0.0.1:$front") at=http://translate.example.org:$front
    equal "$name: a translation" "$(curl "${to[@]}" --data-urlencode 'q=a b c' -d model=xx-yy "$at/translate")" '{"translatedText":"c b a"}'
    equal "$name: many on one connection" "$(curl "${to[@]}" "$at/ready" "$at/health")" '{"status":"ready"}{"status":"ok"}'
    equal "$name: its page" "$(curl "${to[@]}" -o "$work/page" -w '%{http_code}' "$at/")" 200
    equal "$name: another name" "$(curl -sS -m 20 -o /dev/null -w '%{http_code}' -H 'Host: elsewhere.example.org' "http://127.0.0.1:$front/translate" -d q=a || true)" "$2"
    # A client cannot pass for another one.
    curl "${to[@]}" -H 'X-Forwarded-For: 6.6.6.6' -d q=a "$at/$name" >/dev/null
    waited "$name: nothing in the log" grep -q "\"path\":\"/$name\"" "$work/access"
    equal "$name: the client in the log" "$(sed -n "s|.*\"client\":\"\([^\"]*\)\".*\"path\":\"/$name\".*|\1|p" "$work/access")" 127.0.0.1
    head -c 2000000 /dev/zero | tr '\0' a >"$work/large"
    # Caddy answers 413 when it notices first, and 502 when the connection to the server breaks first.
    curl "${to[@]}" -o /dev/null -w '%{http_code}\n' --data-binary "@$work/large" "$at/translate" >"$work/code" || true
    grep -qxE '413|502' "$work/code" || fail "$name: a large body gives $(cat "$work/code")"
    # A file's address is that of the proxy.
    printf 'a b\n' >"$work/file.txt"
    curl "${to[@]}" -F "file=@$work/file.txt" -F source=xx -F target=yy "$at/translate_file" >"$work/answer"
    grep -q '"translatedFileUrl":"http://translate.example.org' "$work/answer" || fail "$name: a file is at $(cat "$work/answer")"
}
started() { curl -sS -m 5 -o /dev/null "http://127.0.0.1:$front/" 2>/dev/null; }

if command -v nginx >/dev/null; then
    front=$(free_port)
    {
        # One process: a worker would outlive a master that is killed.
        echo "daemon off; master_process off; pid $work/nginx.pid; error_log $work/nginx.log;"
        [ "$(id -u)" != 0 ] || echo "user root;"
        echo "events {}"
        echo "http { access_log off;"
        for kind in client_body proxy fastcgi uwsgi scgi; do echo "${kind}_temp_path $work/$kind;"; done
        example nginx | sed "/ssl_certificate/d; s/listen 443 ssl;/listen 127.0.0.1:$front;/; s/127.0.0.1:5000/127.0.0.1:$backend/"
        echo "}"
    } >"$work/nginx.conf"
    grep -q proxy_pass "$work/nginx.conf" || fail "no example for nginx"
    : >"$work/nginx.said"
    nginx -e "$work/nginx.log" -p "$work" -c "$work/nginx.conf" >"$work/nginx.said" 2>&1 &
    servers+=($!)
    waited "nginx does not begin: $(cat "$work/nginx.said")" started
    through nginx 403
fi

if command -v caddy >/dev/null; then
    front=$(free_port)
    {
        printf '{\n\tadmin off\n}\n'
        example caddy | sed "s|^translate.example.org|http://:$front|; s/127.0.0.1:5000/127.0.0.1:$backend/" |
            sed "s|^http.*{|&\n\tbind 127.0.0.1|"
    } >"$work/Caddyfile"
    grep -q reverse_proxy "$work/Caddyfile" || fail "no example for Caddy"
    : >"$work/caddy.log"
    HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work caddy run --adapter caddyfile --config "$work/Caddyfile" >"$work/caddy.log" 2>&1 &
    servers+=($!)
    waited "Caddy does not begin: $(tail -n 3 "$work/caddy.log")" started
    through caddy 403
fi
stop
