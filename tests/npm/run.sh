#!/usr/bin/env bash
# Installs the npm package into an empty project and tests it there: run.sh PACKAGE.tgz. The example of its README runs as it
# is printed. Types are checked if npm's packages for this folder are there (make test-wasm installs them).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
package=$(realpath "$1")
export ATTEND_MODELS=$here/../../models
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

npm init --yes --silent >/dev/null
npm pkg set type=module
npm install --silent --no-audit --no-fund --offline "$package"
cp "$here/package.test.mjs" .
node --test .

# block LANGUAGE: the text of the README in fences that begin so.
block() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" node_modules/@attend/attend/README.md | grep -v '^`'; }
block js >example.mjs
[ "$(wc -l <example.mjs)" -le 20 ] || { echo "the example has more than 20 lines" >&2 && exit 1; }
node example.mjs >said
grep -qx "c a d" said || { echo "the example said: $(cat said)" >&2 && exit 1; }
block text | diff - said || { echo "the README says otherwise" >&2 && exit 1; }

tsc=$here/node_modules/typescript/bin/tsc
if [ -e "$tsc" ]; then
    cp "$here/types.ts" .
    node "$tsc" --noEmit --strict --target es2022 --module nodenext --moduleResolution nodenext --lib es2022,dom types.ts
    echo "types: ok"
else
    echo "types: not checked, there is no $tsc"
fi
