#!/usr/bin/env bash
# Installs what is missing, builds for this machine, solves the given cases and says what to open.
#   scripts/run.sh [CASE.toml ...]        default: cases/sphere/sphere.toml
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ $# -gt 0 ] || set -- "$root/cases/sphere/sphere.toml"
for case_file in "$@"; do
  [ -f "$case_file" ] || fail "no case file '$case_file'; examples are in $root/cases"
done

install_missing_packages
build_for_this_machine

for case_file in "$@"; do
  say "Solving $case_file"
  started=$(mktemp)
  "$build/cases/rankine" solve "$case_file"
  surface=$(find "$(dirname "$case_file")" -name surface.vtp -newer "$started" -print -quit)
  rm -f "$started"
  if [ -n "$surface" ]; then
    say "Open $surface in ParaView and colour it by Cp"
    say "or make a picture: xvfb-run -a pvpython $(dirname "$surface")/view.py"
  fi
done
