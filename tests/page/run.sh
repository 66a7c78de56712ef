#!/usr/bin/env bash
# Make the sample pages and drive them in Chromium, then the page of attend serve and the clients of others. ATTEND is the
# program, beside which page_samples lies; ATTEND_SERVE_URL a running server, without which a stand-in is driven.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/samples"
"$(dirname "$ATTEND")/page_samples" "$work/samples"

skip() {
    echo "skipped: $*"
    exit 77
}
[ -z "${ATTEND_QUICK:-}" ] || skip "a browser tells nothing about our memory"
CHROMIUM=$(command -v chromium || command -v chromium-browser) || skip "there is no chromium (make deps GROUP=browser installs it)"
command -v node >/dev/null || skip "there is no node (make deps GROUP=browser installs it)"
[ -d "$here/node_modules/anylang" ] || skip "npm's packages are not all there (make test-page installs them)"
ATTEND=$(realpath "$ATTEND")
export ATTEND CHROMIUM SAMPLES=$work/samples
cd "$here"
node --test modules.test.mjs page.test.mjs app.test.mjs app_trouble.test.mjs app_known.test.mjs app_frames.test.mjs access.test.mjs export.test.mjs npm.test.mjs playground.test.mjs clients.mjs
