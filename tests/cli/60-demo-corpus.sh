#!/usr/bin/env bash
# The demo corpus is the output of its generator and has the properties that its README promises.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
"$(dirname "$ATTEND")/make_corpus" "$work"
for split in train valid test; do
    for side in hi en gold; do
        cmp "$work/$split.$side" "$demo/$split.$side" || fail "$split.$side is not what the generator makes"
    done
done
bash "$demo/check.sh" "$demo"
