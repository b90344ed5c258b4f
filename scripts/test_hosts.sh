#!/usr/bin/env bash
# Solves a case in four processes on two hosts: network namespaces of this machine, connected by
# TCP. Compares the results with those of one process, then kills a process of the second host.
#   scripts/test_hosts.sh RANKINE
# Needs Open MPI, and root for the namespaces; otherwise it says so and ends with exit code 77.
set -euo pipefail

rankine=$(realpath "${1:?usage: test_hosts.sh RANKINE}")
case=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../cases/sphere/sphere.toml")
first=rankine-$$-a second=rankine-$$-b
folder=$(mktemp -d)
cleanup() {
  for host in "$first" "$second"; do ip netns delete "$host" 2> /dev/null || true; done
  rm -rf "$folder"
}
trap cleanup EXIT
skip() { echo "SKIPPED: two hosts: $1"; exit 77; }

[ -n "$(command -v ip)" ] || skip "the command ip is missing (package iproute2)"
mpirun --version 2> /dev/null | grep -q "Open MPI" || skip "Open MPI is missing"
{ ip netns add "$first" && ip netns add "$second" &&
  ip link add name wire netns "$first" type veth peer name wire netns "$second"
} 2> "$folder/why" || skip "no network namespaces: $(head -1 "$folder/why")"
number=0
for host in "$first" "$second"; do
  ip -n "$host" address add "10.83.0.$((++number))/24" dev wire
  ip -n "$host" link set lo up
  ip -n "$host" link set wire up
done

# Open MPI starts processes on the second host by this command, instead of ssh. Hosts have different
# names, since it takes those of one name for one machine.
cat > "$folder/start" <<SH
#!/bin/sh
shift
exec ip netns exec $second unshare --uts sh -c "hostname $second; \$*"
SH
chmod +x "$folder/start"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
on_hosts=(ip netns exec "$first" unshare --uts sh -c "hostname $first; exec \"\$@\"" sh
  mpirun --mca plm_rsh_agent "$folder/start" --mca pml ob1 --mca btl self,tcp
  --mca btl_tcp_if_include wire --mca oob_tcp_if_include wire
  --host 10.83.0.1:2,10.83.0.2:2 --oversubscribe -n 4)
solve=("$rankine" solve "$case" --backend cpu --threads 1 --quiet --set 'output.probe=[]')
small=(--set mesh.panels=1280 --set 'verify.max_error={potential_l2=1.0}')

"${solve[@]}" "${small[@]}" --output "$folder/one"
"${on_hosts[@]}" "${solve[@]}" "${small[@]}" --output "$folder/four"
sent=$(ip netns exec "$second" awk '/wire:/ { print $10 }' /proc/net/dev)
python3 - "$folder" "$sent" <<'PYTHON'
import json, pathlib, sys
one, four = (json.loads((pathlib.Path(sys.argv[1]) / name / "summary.json").read_text())
             for name in ("one", "four"))
assert four["host"]["processes"] == 4, four["host"]
assert int(sys.argv[2]) > 100_000, f"only {sys.argv[2]} bytes between the hosts"
for key, value in one["results"].items():
    for a, b in zip(*(v if isinstance(v, list) else [v] for v in (value, four["results"][key]))):
        # The tolerance of the solver, 1e-6, times the condition of the equations.
        if isinstance(a, (int, float)):
            assert abs(a - b) <= 2e-5 * max(1.0, abs(a)), (key, a, b)
print(f"two hosts: the results of one process; {int(sys.argv[2]) // 1000} kB sent by the second")
PYTHON

# If a process is killed, all end within ten seconds.
"${on_hosts[@]}" "${solve[@]}" --set mesh.panels=81920 --output "$folder/killed" \
  > "$folder/log" 2>&1 &
run=$!
victim=
for _ in $(seq 100); do
  sleep 0.1
  victim=$(ip netns pids "$second" | while read -r pid; do
    [ "$(cat "/proc/$pid/comm" 2> /dev/null)" != rankine ] || echo "$pid"; done | tail -1)
  [ -z "$victim" ] || break
done
sleep 1
kill -KILL "$victim"
start=$SECONDS
if wait "$run"; then echo "two hosts: the run outlived a killed process"; exit 1; fi
while [ -n "$(ip netns pids "$first")$(ip netns pids "$second")" ]; do
  [ $((SECONDS - start)) -le 10 ] || { echo "two hosts: processes are left after 10 s"; exit 1; }
  sleep 0.1
done
echo "two hosts: all processes ended with the one that was killed"
