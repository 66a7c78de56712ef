#!/usr/bin/env bash
# attend export: a page with models inside. tests/page opens it in a browser; here is what a shell can see.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
model=$work/model.safetensors
page=$work/page.html
tiny_model "$model"
"$ATTEND" convert --int8 --model "$model" --output "$work/small.safetensors"
printf '\0asm\1\0\0\0 and the rest' >"$work/engine.wasm" # is not run here
export ATTEND_WASM=$work/engine.wasm
export_page() { "$ATTEND" export --html "$page" "$@" 2>"$work/stderr" || fail "$(cat "$work/stderr")"; }

# parts PAGE FOLDER: what a browser would find in it: the parts as files, and what the policy says of script and style.
parts() {
    mkdir -p "$2"
    python3 - "$1" "$2" <<'END'
import base64, hashlib, json, re, sys, zlib
page, folder = open(sys.argv[1], encoding="utf-8").read(), sys.argv[2]
for name, text in re.findall(r'<script type="text/plain" id="([a-z0-9.-]+)">([A-Za-z0-9+/=]+)</script>', page):
    open(f"{folder}/{name}", "wb").write(zlib.decompress(base64.b64decode(text)))
policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
for directive, tag in (("script-src", '<script type="module">'), ("style-src", "<style>")):
    text = page.split(tag)[1].split("</")[0] if directive == "style-src" else page.split(tag)[1].split("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    assert f"{directive} 'sha256-{digest}'" in policy, f"{directive} is not that of the page: {policy}"
assert policy.startswith("default-src 'none'; "), policy
assert not re.search(r'''\b(src|href)=["'](?!data:,)''', re.sub(r"<script.*?</script>", "", page, flags=re.S)), "loads a file"
print(re.search(r'<title>(.*?)</title>', page)[1])
print(json.dumps(json.loads(re.search(r'id="given">(.*?)</script>', page)[1])))
END
}

# ---- What is in the page ----

export_page --model "$model"
[ ! -s "$work/stderr" ] || fail "export said $(cat "$work/stderr")"
parts "$page" "$work/parts" >"$work/said"
equal "title and models" "$(cat "$work/said")" 'model · attend
{"models": [{"name": "model", "part": "model-1"}]}'
cmp "$work/parts/attend.wasm" "$ATTEND_WASM" || fail "another engine"
cmp "$work/parts/model-1" "$work/small.safetensors" || fail "the model is not the one in int8"
cp "$page" "$work/first.html"
export_page --model "$work/small.safetensors" --name model
cmp "$page" "$work/first.html" || fail "an int8 model, or a second time, gives other bytes"
export_page --model "$model" --float
parts "$page" "$work/floats" >/dev/null
cmp "$work/floats/model-1" "$model" || fail "--float changed the model"
export_page --model "$model" --model "$work/small.safetensors" --name 'a & <b>' --title '</title><script>alert(1)</script>'
parts "$page" "$work/both" >"$work/said"
equal "title and models" "$(cat "$work/said")" '&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;
{"models": [{"name": "a & <b>", "part": "model-1"}, {"name": "small", "part": "model-2"}]}'
cmp "$work/both/model-2" "$work/small.safetensors" || fail "the second model is another one"
equal "files beside the page" "$(find "$work" -maxdepth 1 -name 'page.html*' | wc -l)" 1
"$ATTEND" export --html /dev/stdout --model "$model" | cmp - "$work/first.html" || fail "a pipe gets another page"
"$ATTEND" export --html "$page" --model dates || fail "a ready model"

# ---- What is refused leaves the old page ----

cp "$work/first.html" "$page"
refused 2 "\-\-model is needed" "$ATTEND" export --html "$page"
refused 2 "\-\-html is needed" "$ATTEND" export --model "$model"
refused 1 "missing: cannot be opened" "$ATTEND" export --html "$page" --model "$work/missing"
refused 1 "no model 'date'; did you mean 'dates'" "$ATTEND" export --html "$page" --model date
refused 1 "none/page.html: cannot be written" "$ATTEND" export --html "$work/none/page.html" --model "$model"
refused 2 "is the same file as --html" "$ATTEND" export --html "$model" --model "$model"
refused 2 "two models are called model; give them different names" "$ATTEND" export --html "$page" --model "$model" --model "$model"
refused 2 "--name is given more often than --model" "$ATTEND" export --html "$page" --model "$model" --name a --name b
head -c 200 "$model" >"$work/cut.safetensors"
refused 1 "cut.safetensors: is truncated" "$ATTEND" export --html "$page" --model "$work/cut.safetensors"
ATTEND_WASM=$work/none.wasm refused 1 "none.wasm is not there, .*\`make wasm\`.* ATTEND_WASM" "$ATTEND" export --html "$page" --model "$model"
ATTEND_WASM=$model refused 1 "model.safetensors: is not WebAssembly" "$ATTEND" export --html "$page" --model "$model"
cmp "$page" "$work/first.html" || fail "a refused export changed the page"
mkdir "$work/closed"
chmod a-w "$work/closed"
[ -w "$work/closed" ] || refused 1 "closed/page.html: cannot be written" "$ATTEND" export --html "$work/closed/page.html" --model "$model"
equal "files left" "$(find "$work" -name '*.html*' | wc -l)" 2
