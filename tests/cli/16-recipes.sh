#!/usr/bin/env bash
# The recipes of CONTRIBUTING.md, followed in a copy of the source: an attention, a cell, a placement, an optimizer, a metric, a
# route, an option of the library and a flag, each as one file or field and one line. Everything else must follow by itself.
# Half a minute on two cores, without optimization.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"
if [ -n "${ATTEND_QUICK:-}" ]; then
    echo "skipped: it builds without sanitizers"
    exit 77
fi
for tool in cmake ninja git pkg-config; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
git -C "$ATTEND_SOURCE" rev-parse HEAD >/dev/null 2>&1 || { echo "skipped: not a clone"; exit 77; }
unset CFLAGS CXXFLAGS LDFLAGS MAKEFLAGS MAKELEVEL

clone=$work/clone
copy_source "$clone"
cd "$clone"

# ---- One line each ----

# list FILE NAME: add X(toy) at the end of the list
list() {
    awk -v start="#define $2(X)" 'index($0, start) { inside = 1 }
        inside && !/\\$/ { $0 = $0 " X(toy)"; inside = 0; done = 1 }
        { print } END { exit !done }' "$1" >"$work/new" || fail "$1 has no $2"
    mv "$work/new" "$1"
}
# row FILE PATTERN LINE: add a line behind the only one that matches
row() {
    equal "$1: $2" "$(grep -c -- "$2" "$1")" 1
    awk -v pattern="$2" -v line="$3" '{ print } $0 ~ pattern { print line }' "$1" >"$work/new"
    mv "$work/new" "$1"
}

list src/nn/attention.h ATTENTION_LIST
list src/nn/cell.h CELL_LIST
list src/model/placement.h PLACEMENT_LIST
list src/train/optimizer.h OPTIMIZER_LIST
list src/metric/metric.h METRIC_LIST
row src/serve/routes.h '^typedef void route_begin_fn' 'route_begin_fn toy_begin;'
row src/serve/routes.c '"/health", health_begin' '    GET("/toy", toy_begin, "A toy"),'
row include/attend/translate.h 'bool each_head;  .*head_attention' '    int toy;'
row src/settings/translator_rows.c '^const struct attend_setting search_rows' \
    '    INT(toy, "toy-option", "N", "3", 0, 9, "a toy of the library", ATTEND_PLAIN),'
row cli/flags.h 'bool products;' '    bool toy;'
row cli/flags.c '^const struct attend_setting lines_flags' '    FLAG(toy, "toy-flag", "a toy of the program", ATTEND_BASIC),'

# ---- One file each, from a neighbor ----

# e = s . k / G
sed -e 's/attention_scaled_dot/attention_toy/; s/"scaled_dot"/"toy"/; s/1 \/ sqrt(.*heads)/1.0 \/ dims->heads/; /math\.h/d' \
    src/nn/scaled_dot.c >src/nn/toy.c
# s = tanh(a) / 2
sed -e 's/fast_tanh(a\[h\])/& \/ 2/; s/(1 - a\[h\] \* a\[h\])/(1 - 4 * a[h] * a[h]) \/ 2/' \
    -e 's/cell_tanh/cell_toy/; s/"tanh"/"toy"/' src/nn/tanh.c >src/nn/toy_cell.c
# the context enters the top layer
sed -e 's/layer\[0\]\.context/layer[layers - 1].context/; s/placement_bahdanau/placement_toy/; s/"bahdanau"/"toy"/' \
    src/model/placement_bahdanau.c >src/model/placement_toy.c
# w = w - 2 lr v
sed -e 's/w\[i\] -= /&2 * /; s/optimizer_sgd/optimizer_toy/; s/"sgd"/"toy"/' src/train/sgd.c >src/train/toy.c
cat >src/serve/toy_route.c <<'END'
#include "serve/routes.h"

#include <string.h>

void toy_begin(struct exchange *e, const struct params *p)
{
    (void)p;
    exchange_json(e, 200, strdup("{\"toy\":true}"));
}
END
cat >src/metric/toy.c <<'END'
#include "base/strbuf.h"
#include "metric/metric.h"

#include <string.h>

static enum attend_status collect(const char *hypothesis, const char *const *reference,
                                  int references, const struct metric_settings *settings,
                                  double *sums, struct attend_error *err)
{
    (void)references, (void)settings, (void)err;
    sums[0] += strlen(hypothesis) == strlen(reference[0]);
    sums[1]++;
    return ATTEND_OK;
}

static double score(const double *sums, const struct metric_settings *settings)
{
    (void)settings;
    return sums[1] > 0 ? 100 * sums[0] / sums[1] : 0;
}

static void sign(const struct metric_settings *settings, struct strbuf *out)
{
    (void)settings;
    strbuf_adds(out, "case:mixed");
}

const struct metric_ops metric_toy = {
    .name = "toy",
    .label = "TOY",
    .unit = "%",
    .help = "lines as long as their reference",
    .sums = 2,
    .collect = collect,
    .score = score,
    .sign = sign,
};
END

# ---- The rest follows ----

run() { "$@" >"$work/log" 2>&1 || fail "$*: $(tail -n 20 "$work/log")"; }
run cmake -G Ninja -B build -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DATTEND_TESTS=ON -DATTEND_WERROR=ON -DATTEND_HARDEN=OFF
run ninja -C build -j 2 attend attend_manual metric_test placement_test cell_test_double attention_backward_test_double
for test in metric_test placement_test cell_test_double attention_backward_test_double; do
    run build/unit/$test
done

ATTEND=$clone/build/attend
for option in attention cell placement optimizer; do
    [[ " $(choices $option) " == *" toy "* ]] || fail "completion has no toy of --$option"
done
[[ " $(choices metric eval) " == *" toy "* ]] || fail "completion has no toy of --metric"
for option in toy-option toy-flag; do
    "$ATTEND" translate --help-all | matches -- "--$option" || fail "help has no --$option"
    grep -q -- "$option\|${option/-/\\\\-}" build/man/attend-translate.1 || fail "the manual page has no --$option"
done
refused 2 "toy-option takes" "$ATTEND" translate --toy-option 10

head -n 60 "$demo/train.hi" >"$work/hi"
head -n 60 "$demo/train.en" >"$work/en"
run "$ATTEND" train --train-src "$work/hi" --train-tgt "$work/en" --model "$work/m" --tokenizer spaces --attention toy --heads 2 \
    --cell toy --placement toy --optimizer toy --emb 4 --hidden 6 --max-updates 2 --threads 1
equal "what the model file has" "$("$ATTEND" info --model "$work/m" --config | grep -cE '^(attention|cell|placement): toy$')" 3
head -n 3 "$work/hi" | "$ATTEND" translate --model "$work/m" --toy-flag --toy-option 2 --beam 2 --threads 1 >"$work/out" 2>"$work/log" ||
    fail "$(cat "$work/log")"
equal "lines" "$(wc -l <"$work/out")" 3
"$ATTEND" eval --hyp "$work/en" --ref "$work/en" --metric toy | matches 'TOY.*100' || fail "attend eval has no toy"

if pkg-config --exists libmicrohttpd && command -v curl >/dev/null; then
    run ninja -C build -j 2 attend_serve
    # shellcheck source=serve.bash
    . "$ATTEND_SOURCE/tests/cli/serve.bash"
    serve --model "$work/m"
    equal "the route" "$(get /toy)" '{"toy":true}'
    [[ $(get /spec) == *'"/toy"'* ]] || fail "/spec has no /toy"
    [[ $(get /metrics) == *'/toy'* ]] || fail "/metrics has no /toy"
    stop
fi
