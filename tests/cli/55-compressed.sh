#!/usr/bin/env bash
# Compressed text is recognized by its content, not its name. The files are byte sequences, because gzip and zstd may be missing.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

gzip='\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x4b\xe4\x4a\xe2\x02\x00\x97\x2a\x57\x18\x04\x00\x00\x00' # a b
zstd='\x28\xb5\x2f\xfd\x04\x58\x21\x00\x00\x61\x0a\x63\x0a\xbd\x35\x4a\x30'                             # a c
printf "%b" "$gzip" >"$work/hyp"
printf "%b" "$zstd" >"$work/ref"
equal "gzip against zstd" "$("$ATTEND" eval --hyp "$work/hyp" --ref "$work/ref" | sed "s,  .*,,")" "accuracy 50.00%"
equal "from a pipe" "$("$ATTEND" eval --ref "$work/ref" <"$work/hyp" | sed "s,  .*,,")" "accuracy 50.00%"

printf "%b" "$gzip$gzip" >"$work/hyp"
printf "%b" "$zstd$zstd" >"$work/ref"
equal "two members" "$("$ATTEND" eval --hyp "$work/hyp" --ref "$work/ref" | sed "s,  .*,,")" "accuracy 50.00%"

head -c 20 "$work/hyp" >"$work/short.gz"
refused 1 "short.gz: the gzip data is incomplete" "$ATTEND" eval --hyp "$work/short.gz" --ref "$work/ref"
head -c 15 "$work/ref" >"$work/short.zst"
refused 1 "short.zst: the zstd data is incomplete" "$ATTEND" eval --hyp "$work/short.zst" --ref "$work/ref"
printf "%b" "${zstd}text" >"$work/odd.zst"
refused 1 "odd.zst: the zstd data is damaged" "$ATTEND" eval --hyp "$work/odd.zst" --ref "$work/ref"
