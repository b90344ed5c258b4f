#!/usr/bin/env bash
# Installs what is missing, builds for this machine, solves the given cases and says what to open.
#   scripts/run.sh [--cuda] [CASE.toml ...]        default: cases/sphere/sphere.toml
# The CUDA code is built if there is a GPU and a CUDA compiler; --cuda builds it in any case.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

answer_help "$@"
choose_preset "${1:-}"
[ "${1:-}" != --cuda ] || shift
[ $# -gt 0 ] || set -- "$root/cases/sphere/sphere.toml"
for case_file in "$@"; do
  case $case_file in -*) fail "no option '$case_file'; see scripts/run.sh --help" ;; esac
  [ -f "$case_file" ] || fail "no case file '$case_file'; examples are in $root/cases"
done

install_missing_packages packages.txt
# A build folder that has the tests keeps them.
options=()
[ -f "$build/CMakeCache.txt" ] || options+=(-DBUILD_TESTING=OFF)
build_for_this_machine rankine "${options[@]}"

for case_file in "$@"; do
  say "Solving $case_file"
  "$build/cases/rankine" solve "$case_file"
done
