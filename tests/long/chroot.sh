#!/usr/bin/env bash
# Installs the packages in a clean Debian, lets the installed program and Python pronounce, train and translate, builds
# programs against the library, removes everything and checks that nothing is left: chroot.sh [PACKAGES [FOLDER]].
# PACKAGES is a folder of .deb files (build/deb, which `make deb` fills), FOLDER is where the clean Debian goes
# (build/chroot); it stays there as an archive for the next time. Needs root, and debootstrap (make deps GROUP=chroot).
# Takes five minutes, most of them for packages of the mirror that this machine's apt uses.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo "chroot.sh: only root can make a chroot" >&2; exit 1; }
tools/setup.sh --check chroot
# shellcheck source=apt.bash
. tests/long/apt.bash

# Mounts are in a namespace of their own and vanish with it, however this ends.
[ -n "${ATTEND_UNSHARED:-}" ] || ATTEND_UNSHARED=1 exec unshare --mount "$0" "$@"

packages=$(realpath "${1:-build/deb}")
folder=${2:-build/chroot}
mkdir -p "$folder"
folder=$(realpath "$folder")
root=$folder/root
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

fail() {
    echo "FAILED: $*" >&2
    exit 1
}
say() { printf '\n==== %s\n' "$*"; }
enter=(chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive)
inside() { "${enter[@]}" "$@"; }
install() { inside apt-get install -y -qq -o Dpkg::Use-Pty=0 "$@" >"$folder/apt.log" 2>&1 || fail "apt-get install $*: $(tail -n 20 "$folder/apt.log")"; }
remove() {
    inside apt-get purge -y -qq "$@" >"$folder/apt.log" 2>&1 || fail "apt-get purge $*: $(tail -n 20 "$folder/apt.log")"
    inside apt-get autoremove --purge -y -qq >"$folder/apt.log" 2>&1 || fail "apt-get autoremove: $(tail -n 20 "$folder/apt.log")"
}

# ---- A clean Debian, and its files ----

mirror=$(debian_mirror)
[ -n "$mirror" ] || fail "apt has no mirror of Debian's $VERSION_CODENAME"
if [ ! -e "$folder/clean.tar" ]; then
    say "debootstrap $VERSION_CODENAME"
    rm -rf --one-file-system "$root"
    debootstrap --variant=minbase "$VERSION_CODENAME" "$root" "$mirror" >"$folder/debootstrap.log" || fail "$(tail -n 5 "$folder/debootstrap.log")"
    tar -C "$root" -cf "$folder/clean.tar.new" .
    mv "$folder/clean.tar.new" "$folder/clean.tar"
fi
rm -rf --one-file-system "$root"
mkdir "$root"
tar -C "$root" -xf "$folder/clean.tar"
mount -t proc proc "$root/proc"
cp /etc/resolv.conf "$root/etc/resolv.conf"
inside apt-get update -qq

# Whatever a package may leave behind. Logs, caches and apt's own lists are nobody's.
files() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./tmp -o -path ./root -o -path ./var/cache -o -path ./var/log -o \
        -path ./var/lib/apt -o -path ./var/lib/dpkg \) -prune -o -print | sort)
}
files >"$folder/before"
mkdir "$root/tmp/packages"
cp "$packages"/*.deb "$root/tmp/packages"
cp -r debian examples tests "$root/tmp"

# ---- The packages that users install ----

named() { # PATTERN...: the packages, as paths inside
    (cd "$root/tmp/packages" && for name; do ls "$name"_*.deb 2>/dev/null || true; done) | sed 's,^,/tmp/packages/,'
}
names() { printf '%s\n' "$@" | sed 's,.*/,,; s/_.*//'; }
mapfile -t run < <(named attend libattend0)
mapfile -t ready < <(named attend-models python3-attend)
mapfile -t develop < <(named libattend-dev attend-doc)
[ "${#run[@]} ${#ready[@]} ${#develop[@]}" = "2 2 2" ] || fail "$packages does not have the six packages"
say "packages"
for package in "$packages"/*.deb; do
    printf '%-44s %8d bytes, installed %6d kB\n' "$(basename "$package")" "$(stat -c %s "$package")" \
        "$(dpkg-deb -f "$package" Installed-Size)"
done

# Without what is only recommended, the program still does everything that needs no module.
used() { du -sxk --exclude=./proc --exclude=./tmp --exclude=./var "$root" | cut -f 1; }
clean=$(used)
install --no-install-recommends "${run[@]}"
printf 'with what they need, they take %d MB\n' $((($(used) - clean) / 1024))
reverse() { inside sh -c 'cd /tmp && mkdir -p work && AUTOPKGTEST_TMP=/tmp/work debian/tests/reverse' || fail "it does not train and translate"; }
reverse
said=$(inside sh -c 'attend plot --model /tmp/work/reverse.safetensors --output /tmp/map.png "a b" 2>&1' || true)
[[ $said == *"attend-paint.so"* ]] || fail "without pango it says: $said"
# shellcheck disable=SC2046 # a list; apt does not add what an installed package recommends, so they are installed anew.
remove $(names "${run[@]}")

# The command of the README, where the packages are.
printed=$(sed -n 's|^ *sudo \(apt-get install\) \(\./\)build/deb/\(.*\)|\1 \2\3|p' README.md)
[[ $printed == *attend*libattend0*attend-models*python3-attend* ]] || fail "the README says '$printed'"
say "$printed"
inside bash -c "cd /tmp/packages && ${printed/install/install -y -q}" >"$folder/apt.log" 2>&1 || fail "$(tail -n 20 "$folder/apt.log")"
printf 'with what they recommend, they take %d MB\n' $((($(used) - clean) / 1024))
shown() { # EXPECTED COMMAND...
    local expected=$1 said
    shift
    printf '$'
    printf ' %q' "$@"
    echo
    said=$(inside "$@") || fail "it exits with $?"
    echo "$said"
    [ "$said" = "$expected" ] || fail "not '$expected'"
}
shown $'G R AE K T\nHH EH L OW' attend translate --model english-pronunciation gracht hello
shown "<class 'numpy.ndarray'> float32 (6, 7)" python3 -c "import attend; a = attend.load('english-pronunciation').translate('gracht').attention; print(type(a), a.dtype, a.shape)"
inside attend plot --model /tmp/work/reverse.safetensors --output /tmp/map.png "a b" || fail "it does not paint"
reverse
inside sh -c 'cd /tmp && AUTOPKGTEST_TMP=/tmp/work debian/tests/python' >"$folder/python.log" 2>&1 || fail "debian/tests/python: $(tail "$folder/python.log")"

# ---- How long the program takes to start, and the memory it takes ----

say "start and memory"
model=/tmp/tests/data/model-v1.safetensors
milliseconds() { # COMMAND...: the best of twenty
    local best=1000000 start took i
    for ((i = 0; i < 20; i++)); do
        start=$(date +%s%N)
        "$@" >/dev/null </dev/null
        took=$((($(date +%s%N) - start) / 10000))
        [ $took -ge $best ] || best=$took
    done
    printf '%d.%02d' $((best / 100)) $((best % 100))
}
printf 'attend --version: %s ms; a process that does nothing: %s ms\n' "$(milliseconds inside attend --version)" "$(milliseconds inside true)"
printf 'attend translate, one line: %s ms; one word with english-pronunciation: %s ms\n' \
    "$(milliseconds inside attend translate --model $model "a b c")" \
    "$(milliseconds inside attend translate --model english-pronunciation hello)"
mkfifo "$folder/lines.$$"
# Not by the function, whose process would be the shell's.
"${enter[@]}" attend translate --model $model <"$folder/lines.$$" >"$folder/answers" &
process=$!
exec 3>"$folder/lines.$$"
rm "$folder/lines.$$"
echo "a b c" >&3
for ((i = 0; i < 100; i++)); do
    [ ! -s "$folder/answers" ] || break
    sleep 0.1
done
[ "$(cat "$folder/answers")" = "c b a" ] || fail "it does not answer in a pipe"
printf 'attend translate, peak memory after one line: %s\n' "$(sed -n 's/^VmHWM:[ \t]*//p' "/proc/$process/status")"
exec 3>&-
wait "$process"

# ---- Programs that use the library ----

say "programs"
read -ra tools <<<"$(sed -n '/^Tests: programs/,$s/^Depends: //p' debian/tests/control | tr -d ,)"
mapfile -t tools < <(printf '%s\n' "${tools[@]}" | grep -v attend)
install --no-install-recommends "${develop[@]}" "${tools[@]}"
inside sh -c 'mkdir /tmp/programs && cd /tmp && AUTOPKGTEST_TMP=/tmp/programs debian/tests/programs' >"$folder/programs.log" 2>&1 ||
    fail "debian/tests/programs: $(tail -n 20 "$folder/programs.log")"
grep works "$folder/programs.log"

# ---- Everything goes again ----

say "purge"
# shellcheck disable=SC2046 # a list
remove $(names "${run[@]}" "${ready[@]}" "${develop[@]}") "${tools[@]}"
# shellcheck disable=SC2016 # fields of dpkg
! inside dpkg-query -W -f '${Package} ${db:Status-Abbrev}\n' "*attend*" 2>/dev/null | grep -v '^[^ ]* un' || fail "dpkg still knows our packages"
files >"$folder/after"
left=$(comm -13 "$folder/before" "$folder/after")
[[ $left != *attend* ]] || fail "files are left: $(grep attend <<<"$left")"
! grep -q attend "$root/etc/passwd" "$root/etc/group" || fail "an account is left"
[ -z "$left" ] && echo "nothing is left" || echo "nothing of ours is left; $(wc -l <<<"$left") files of Debian's packages stay"
umount "$root/proc"
rm -rf --one-file-system "$root"
