#!/usr/bin/env bash
# attend playground: a page that trains. tests/page opens it in a browser; here is what a shell can see.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
page=$work/page.html
printf '\0asm\1\0\0\0 and the rest' >"$work/engine.wasm" # is not run here
export ATTEND_WASM=$work/engine.wasm

"$ATTEND" playground --output "$page" 2>"$work/stderr" || fail "$(cat "$work/stderr")"
[ ! -s "$work/stderr" ] || fail "playground said $(cat "$work/stderr")"

# Its form offers what attend train has, with the same words; the engine is inside; nothing else is needed.
python3 - "$page" >"$work/offered" <<'END'
import base64, json, re, sys, zlib
page = open(sys.argv[1], encoding="utf-8").read()
given = json.loads(re.search(r'id="given">(.*?)</script>', page)[1])
for row in given["attentions"] + given["cells"]:
    print(row["name"], row["help"].split(" ")[0])
packed = re.search(r'id="attend.wasm">([A-Za-z0-9+/=]+)</script>', page)[1]
assert zlib.decompress(base64.b64decode(packed)) == b"\0asm\1\0\0\0 and the rest"
shown = re.sub(r"<script.*?</script>", "", page, flags=re.S)
assert not re.search(r'''\b(src|href)=["'](?!data:,)''', shown), "loads a file"
assert "default-src 'none'" in shown and " style=" not in shown and not re.search(r"\son[a-z]+=", shown)
END
for option in attention cell; do
    "$ATTEND" train --help-all | sed -n "/^  --$option NAME/,/^  --[a-z]/p" | sed -n 's/^ \{29\}\([a-z_]\{1,\}\) \{1,\}\([^ ]*\).*/\1 \2/p'
done >"$work/train"
[ "$(wc -l <"$work/train")" -gt 10 ] || fail "the help of attend train looks different: $(cat "$work/train")"
equal "attentions and cells" "$(cat "$work/offered")" "$(cat "$work/train")"

# The same page again, byte for byte.
"$ATTEND" playground --output "$work/again.html"
cmp "$page" "$work/again.html" || fail "another page"

# ---- What cannot be ----

refused 2 "--output is needed" "$ATTEND" playground
refused 2 "no arguments" "$ATTEND" playground --output "$page" more
refused 1 "/nowhere/page.html" "$ATTEND" playground --output /nowhere/page.html
ATTEND_WASM=$work/none.wasm refused 1 "is not there, which runs models in pages: build it with .make wasm." \
    "$ATTEND" playground --output "$page"
echo "not it" >"$work/none.wasm"
ATTEND_WASM=$work/none.wasm refused 1 "is not WebAssembly" "$ATTEND" playground --output "$page"
