#!/usr/bin/env bash
# Packages are installed by make demo, make test and make deps. Every other verb only says what is missing.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
command -v make >/dev/null || { echo "skipped: there is no make"; exit 77; }
unset MAKEFLAGS MAKELEVEL
cd "$ATTEND_SOURCE"

# A machine on which nothing is installed, with a package manager that records its calls.
mkdir "$work/bin"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/dpkg-query"
printf '#!/bin/sh\necho "$@" >>"%s/installed"\n' "$work" >"$work/bin/apt-get"
printf '#!/bin/sh\nexec "$@"\n' >"$work/bin/sudo"
chmod +x "$work"/bin/*
PATH=$work/bin:$PATH

# The verbs that make help lists.
verbs() { make -s help | awk '{ print $1 }'; }
[ "$(verbs | wc -l)" -gt 20 ] || fail "make help lists too few verbs: $(verbs)"
for verb in $(verbs); do
    case $verb in
    demo | test | deps) wanted=installs ;;
    *) wanted=checks ;;
    esac
    while read -r call; do
        case $call in
        *"setup.sh --check "*) equal "make $verb, $call" checks "$wanted" ;;
        *) equal "make $verb, $call" installs "$wanted" ;;
        esac
    done < <(make -n "$verb" | grep '^ *tools/setup\.sh' || true)
done

code=0
make -s setup-format 2>"$work/stderr" || code=$?
[ $code -ne 0 ] || fail "make goes on without what it needs"
grep -qx 'missing packages: clang-format; install them with: make deps GROUP=format' "$work/stderr" ||
    fail "it says: $(cat "$work/stderr")"
[ ! -e "$work/installed" ] || fail "it installed $(cat "$work/installed")"
make -s deps GROUP=format 2>/dev/null || fail "make deps fails"
grep -q 'install .*clang-format' "$work/installed" || fail "make deps does not install clang-format"
