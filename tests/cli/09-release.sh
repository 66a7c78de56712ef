#!/usr/bin/env bash
# make release: the archive holds every file of the commit and nothing else, the same commit gives the same bytes, and
# nothing is released whose files disagree about the version.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
for tool in git make xz sha256sum; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
git -C "$ATTEND_SOURCE" rev-parse HEAD >/dev/null 2>&1 || { echo "skipped: not a clone"; exit 77; }
unset MAKEFLAGS MAKELEVEL

# The files as they are now, as a commit.
clone=$work/clone
copy_source "$clone"
cd "$clone"
commit() {
    git add -A
    git -c user.name=a -c user.email=a@b -c gc.auto=0 commit -q -m "all" --date "2026-01-31T00:00:00Z"
}
export GIT_COMMITTER_DATE=2026-01-31T00:00:00Z
git init -q
commit

version=$(tools/check_version.sh) || fail "the versions differ"
make -s release >/dev/null
archive=attend-$version.tar.xz
mv build/release "$work/first"
(umask 077 && TZ=Pacific/Apia XZ_DEFAULTS=--threads=2 make -s release >/dev/null)
cmp "$work/first/$archive" "build/release/$archive" || fail "the same commit gives two archives"
(cd "$work/first" && sha256sum --quiet --check "$archive.sha256") || fail "the checksum is wrong"

mkdir "$work/unpacked"
tar -C "$work/unpacked" -xf "$work/first/$archive"
(cd "$work/unpacked/attend-$version" && find . -type f -printf '%P\n' | LC_ALL=C sort) >"$work/has"
git ls-files | LC_ALL=C sort | diff - "$work/has" || fail "the archive does not hold the commit"
"$work/unpacked/attend-$version/tools/list_files.sh" | tr '\0' '\n' | LC_ALL=C sort | diff - "$work/has" ||
    fail "an unpacked archive does not know its files"

echo "/* changed */" >>src/exports.map
refused 1 "changes that are not committed" tools/release.sh build/release
git checkout -q src/exports.map
sed -i '1s/(.*)/(9.9.9)/' debian/changelog
commit
refused 1 "debian/changelog says version '9.9.9', CMakeLists.txt says '$version'" tools/release.sh build/release
