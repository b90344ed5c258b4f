#!/usr/bin/env bash
# Checks the layout of every source file (clang-format) and, given a configured build folder, host
# code (clang-tidy).
#   scripts/check_style.sh [--fix] [BUILD]          for instance: scripts/check_style.sh build/dev
# A build with CUDA needs clang-tidy 16 or newer:
#   CLANG_TIDY=clang-tidy-16 scripts/check_style.sh build/cuda
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"

mode=(--dry-run --Werror)
if [ "${1:-}" = --fix ]; then
  mode=(-i)
  shift
fi
git ls-files -z -- '*.hpp' '*.cpp' '*.cuh' '*.cu' | xargs -0 clang-format "${mode[@]}"

if [ $# -gt 0 ]; then
  [ -f "$1/compile_commands.json" ] ||
    fail "no $1/compile_commands.json: configure first (cmake --preset dev)"
  # What this build does not compile (device code, examples) cannot be read without its options.
  git ls-files -- '*.cpp' | while IFS= read -r file; do
    ! grep -qF "\"file\": \"$root/$file\"" "$1/compile_commands.json" || printf '%s\0' "$file"
  done | xargs -0 -n 1 -P "$jobs" "${CLANG_TIDY:-clang-tidy}" -p "$1" --quiet
fi
