#!/usr/bin/env bash
# Fuzzes the readers of meshes, of particles and of the case file under the address and
# undefined-behaviour sanitizers.
#   scripts/fuzz.sh [SECONDS] [TARGET ...]      default: 60 s of every target, one after the other
# tests/fuzz/targets.hpp describes the targets. Findings are left in build/fuzz/findings; after
# minimising one (fuzz_TARGET -minimize_crash=1 FILE), add it to tests/fuzz/corpus/TARGET.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

seconds=60
if [[ "${1:-}" =~ ^[0-9]+$ ]]; then
  seconds=$1
  shift
fi
all=(answer arrays case bodies vortices bodies_vtp checkpoint obj off ply mesh su2 gdf dat pnl
  vspgeom stl unv msh vtk vtp vtu geo step brep iges)
targets=("${@:-${all[@]}}")
[ $# -gt 0 ] || targets=("${all[@]}")
for target in "${targets[@]}"; do
  [[ " ${all[*]} " == *" $target "* ]] || fail "no target '$target'; there are ${all[*]}"
done

compiler=
for candidate in clang++ clang++-{19,18,17,16,15,14}; do
  command -v "$candidate" >/dev/null || continue
  echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
    "$candidate" -x c++ -fsanitize=fuzzer,address,undefined - -o /dev/null 2>/dev/null || continue
  compiler=$candidate
  break
done
[ -n "$compiler" ] || fail "no clang with libFuzzer: install clang-14 and libclang-rt-14-dev"

build=$root/build/fuzz
say "Building with $compiler ($build)"
quietly "$build/configure.log" cmake -S "$root" -B "$build" -G Ninja \
  -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1" \
  -DRANKINE_SANITIZE=address,undefined -DRANKINE_FUZZ=ON
quietly "$build/build.log" cmake --build "$build" --parallel "$jobs" \
  --target "${targets[@]/#/fuzz_}"

. "$root/tests/fuzz/run_targets.sh"
run_targets "$build/tests/fuzz" "$root/tests/fuzz" "$build" "$seconds" 1 "${targets[@]}"
