#!/usr/bin/env bash
# Checks that the injector can make every libc function fail that the program and its modules use, except those below,
# which cannot fail or whose failure does no harm: ATTEND=build/attend tests/faults/known.sh
set -euo pipefail
: "${ATTEND:?the program}"
build=$(dirname "$ATTEND")

# Pure functions, and functions that only the start of a program calls.
harmless='__(cxa_(atexit|finalize)|ctype_b_loc|ctype_tolower_loc|ctype_toupper_loc|errno_location|gmon_start__|libc_start_main|sched_cpucount|stack_chk_fail|tls_get_addr|once_proxy)
abort|exit|_exit|getenv|getpid|environ|stdin|stdout|stderr
__isoc99_sscanf|__(v?snprintf|mem(cpy|move|set)|st[pr]n?c(py|at))_chk|v?snprintf|str.*|mem.*|qsort|bsearch|gmtime_r|localtime_r
a?(sin|cos|tan)[hf]?|sincosf?|cbrtf?|exp[2m]?1?f?|log(1p|10|2)?f?|powf?|f(max|min|mod|abs)f?|l?l?r?(ound|int)f?|nearbyintf?|(ceil|floor|trunc|sqrt|hypot)f?|ldexpf?|frexpf?|erff?|tgamma|lgamma
free|mallopt|freeaddrinfo|globfree|munmap|ferror|feof|clearerr|fileno|dirfd|ungetc|setvbuf
clock_gettime|time|sleep|sysconf|sched_(getaffinity|yield)|get(rlimit|rusage)|setrlimit|isatty|fcntl|ioctl|dup2?
sig(action|emptyset|addset)|signal|pthread_sigmask|raise
pthread_(mutex|cond|condattr|once|join|self|attr|rwlock|key|getspecific|setspecific).*
madvise|dl(error|sym|close)|gai_strerror|inet_.*|hton.*|ntoh.*'
pattern=$(paste -sd'|' <<<"$harmless")

files=("$ATTEND")
for module in "$build"/attend-*.so; do
    [ ! -e "$module" ] || files+=("$module")
done
nm -D --defined-only "$build/attend_faults.so" | awk '{ print $3 }' | sort -u >"${TMPDIR:-/tmp}/known.$$"
trap 'rm -f "${TMPDIR:-/tmp}/known.$$"' EXIT
unknown=$(nm -D --undefined-only "${files[@]}" | awk '/@GLIBC_/ { sub(/@.*/, "", $2); print $2 }' | sort -u |
    grep -vxF -f "${TMPDIR:-/tmp}/known.$$" | grep -vxE "$pattern" || true)
[ -z "$unknown" ] || {
    echo "FAILED: the injector lacks $(paste -sd' ' <<<"$unknown"): add them to tests/faults/faults.c, or to the harmless functions in $0" >&2
    exit 1
}
