#!/usr/bin/env bash
# Checks the layout of every source file (clang-format) and, given a configured build folder, host code (clang-tidy).
#   scripts/check_style.sh [--fix] [BUILD]          for instance: scripts/check_style.sh build/dev
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
  [ -f "$1/compile_commands.json" ] || fail "no $1/compile_commands.json: configure first (cmake --preset dev)"
  git ls-files -z -- '*.cpp' | xargs -0 -n 1 -P "$jobs" clang-tidy -p "$1" --quiet
fi
