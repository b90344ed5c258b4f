#!/usr/bin/env bash
# Times the operator over sizes, methods and backends: one JSON object a line, for plot_bench.py.
#   scripts/bench_sweep.sh RANKINE OUT.jsonl "cpu cuda"
set -euo pipefail

rankine=${1:?usage: bench_sweep.sh RANKINE OUT.jsonl \"BACKENDS\"}
out=${2:?usage: bench_sweep.sh RANKINE OUT.jsonl \"BACKENDS\"}
backends=${3:-cpu}

# The problem of Yokota & Barba 2011: points in a cube, potential and gradient, four digits.
common=(--points cube --gradient --tolerance 1e-4 --precision double --breakdown --samples 1000
  --json -)

: > "$out"
for backend in $backends; do
  for n in 1000 3000 10000 30000 100000 300000 1000000 3000000 10000000; do
    for method in direct treecode fmm; do
      # A CPU sums about 1e10 pairs a second, a large GPU 1e12: leave out what takes minutes.
      case $backend-$method in
        cpu-direct) [ "$n" -gt 100000 ] && continue ;;
        cuda-direct) [ "$n" -gt 1000000 ] && continue ;;
      esac
      repeat=5
      [ "$backend" = cpu ] && [ "$n" -gt 300000 ] && repeat=1
      echo "$backend $method $n" >&2
      "$rankine" bench --backend "$backend" --method "$method" --n "$n" --repeat "$repeat" \
        "${common[@]}" >> "$out"
    done
  done
done
