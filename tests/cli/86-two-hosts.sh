#!/usr/bin/env bash
# Training across two hosts: two network namespaces connected by a virtual cable, each with its own host name. All
# communication of the processes crosses the cable.
# shellcheck source=lib.bash
. "$(dirname "$0")/lib.bash"

skip() {
    echo "skipped: $*"
    exit 77
}
command -v mpirun >/dev/null || skip "no mpirun"
command -v ip >/dev/null || skip "no ip (iproute2)"
[ "$(id -u)" = 0 ] || skip "network namespaces need root"
[ -e "$(dirname "$ATTEND")/attend-mpi.so" ] || skip "built without MPI"
[ -z "${ATTEND_QUICK:-}" ] || skip "MPI itself does not pass the sanitizers"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

a=attend-a-$$ b=attend-b-$$
trap 'ip netns del $a 2>/dev/null; ip netns del $b 2>/dev/null; rm -rf "$work"' EXIT
if ! ip netns add $a 2>/dev/null || ! ip netns add $b; then skip "this machine makes no network namespaces"; fi
ip netns exec $a unshare --uts true 2>/dev/null || skip "no command runs in a network namespace here"
ip link add va netns $a type veth peer name vb netns $b || skip "this machine makes no network cables"
ip -n $a addr add 10.77.0.1/24 dev va
ip -n $b addr add 10.77.0.2/24 dev vb
for end in "$a va" "$b vb"; do
    read -r host device <<<"$end"
    ip -n "$host" link set "$device" up
    ip -n "$host" link set lo up
done

# mpirun uses this instead of ssh: HOST COMMAND...
cat >"$work/agent" <<AGENT
#!/bin/bash
shift
exec ip netns exec $b unshare --uts bash -c "hostname $b; \$*"
AGENT
chmod +x "$work/agent"

train=("$ATTEND" train --train-src "$demo/train.hi" --train-tgt "$demo/train.en" --valid-src "$demo/valid.hi"
    --valid-tgt "$demo/valid.en" --emb 16 --hidden 24 --batch-tokens 300 --threads 1 --max-updates 20)
# shellcheck disable=SC2016
timeout 120 ip netns exec $a unshare --uts bash -c 'hostname "$0"; shift 0; exec mpirun "$@"' $a \
    --mca plm_rsh_agent "$work/agent" --mca btl tcp,self --mca btl_tcp_if_include 10.77.0.0/24 \
    --mca oob_tcp_if_include 10.77.0.0/24 --host 10.77.0.1,10.77.0.2 -n 2 \
    bash -c 'hostname; exec "$@"' _ "${train[@]}" --model "$work/two" --log "$work/two.log" >"$work/out" 2>"$work/log" ||
    fail "$(cat "$work/log")"
equal "hosts" "$(sort "$work/out" | tr '\n' ' ')" "$a $b "
"${train[@]}" --model "$work/one" --log "$work/one.log" 2>/dev/null
loss() { sed -n 's/.*"validation".*,"loss":\([^,]*\),.*/\1/p' "$1"; }
awk -v a="$(loss "$work/one.log")" -v b="$(loss "$work/two.log")" 'BEGIN { d = a - b; exit !(d * d < 1e-6 && a > 0) }' ||
    fail "two hosts have another loss than one: $(loss "$work/one.log"), $(loss "$work/two.log")"
