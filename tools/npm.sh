#!/usr/bin/env bash
# Builds the npm package, build/npm/attend-attend-VERSION.tgz: npm.sh. It consists of npm/, of the engine in web/ and of
# build/attend.wasm. npm only packs: it needs no network.
set -euo pipefail

cd "$(dirname "$0")/.."
package=build/npm/package
rm -rf build/npm
mkdir -p "$package"
cp npm/*.js npm/*.ts npm/package.json npm/README.md LICENSE "$package"
cp web/engine.js web/wasi.js web/remote.js web/worker.js build/attend.wasm "$package"
npm pack "./$package" --pack-destination build/npm --silent >/dev/null
printf '%s: %d bytes\n' build/npm/*.tgz "$(cat build/npm/*.tgz | wc -c)"
