#!/usr/bin/env bash
# Predicts sums on a cluster with one GPU per process: the program's MPI code in SimGrid's simulator
# of MPI (Debian: libsimgrid-dev), on a fat tree of 400 Gb/s per GPU
# (tests/bench/cluster_bench.cpp).
#   scripts/project_scaling.sh BUILD POINTS N PROCESSES SECONDS EACH...
# BUILD is a build folder with the library rankine_fmm; PROCESSES: 2, 8, 64, 512 or 4096.
# 4096 processes take ten minutes and 10 GB. docs/scaling.md has its results.
set -euo pipefail

build=$(realpath "${1:?usage: project_scaling.sh BUILD POINTS N PROCESSES SECONDS EACH...}")
points=$2 n=$3 processes=$4 seconds=$5
shift 5
[ -n "$(command -v smpicxx)" ] || { echo "SKIPPED: libsimgrid-dev is missing"; exit 77; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case $processes in
  2 | 8) topology="1;$processes;1;1" ;;
  64) topology="2;8,8;1,8;1,1" ;;
  512) topology="3;8,8,8;1,8,8;1,1,1" ;;
  4096) topology="3;16,16,16;1,16,16;1,1,1" ;;
  *) echo "project_scaling.sh: no fat tree for $processes processes" >&2; exit 2 ;;
esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/platform.xml" <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="cluster" prefix="gpu" suffix="" radical="0-$((processes - 1))" speed="1Gf" bw="50GBps"
  lat="0.3us" topology="FAT_TREE" topo_parameters="$topology"/>
</platform>
XML
seq -f "gpu%g" 0 $((processes - 1)) > "$folder/hosts"
smpicxx -std=c++20 -O2 -I "$build/include" -I . tests/bench/cluster_bench.cpp \
  fmm/distributed/mpi.cpp "$build/fmm/librankine_fmm.a" -o "$folder/cluster_bench"
# Only injected times count. Messages take their bytes over the bandwidth of the links. All-reduces
# halve and double [Rabenseifner 2004]; the collectives of the set-up have few messages.
OMP_NUM_THREADS=1 smpirun -no-privatize -np "$processes" -platform "$folder/platform.xml" \
  -hostfile "$folder/hosts" --log=root.thres:warning --cfg=smpi/simulate-computation:no \
  --cfg=smpi/host-speed:1Gf --cfg=smpi/cpu-threshold:1e-9 --cfg=smpi/send-is-detached-thresh:0 \
  --cfg=network/model:CM02 --cfg=network/TCP-gamma:0 --cfg=network/latency-factor:1 \
  --cfg=network/bandwidth-factor:1 --cfg=network/weight-S:0 --cfg=smpi/allreduce:rab_rdb \
  --cfg=smpi/alltoall:bruck --cfg=smpi/barrier:ompi_bruck \
  "$folder/cluster_bench" "$points" "$n" 100 13 "$seconds" 27e-6 50e9 "$@"
