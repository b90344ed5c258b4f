#!/usr/bin/env bash
# Makes the pictures of the documentation again: those of the examples by the commands in their
# READMEs, those of docs/explanation by draw_method.py. All of it takes half an hour on two cores.
#   scripts/gallery.sh [EXAMPLE ...]                  for instance: scripts/gallery.sh torus hull
#   scripts/gallery.sh python                         those of python/examples alone
# Needs Debian's python3-vtk9, python3-matplotlib and xvfb, and the program in build/cpu; `python`
# needs the environment of scripts/test_python.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [ "${1-}" = python ]; then
  cd python/examples
  for program in *.py; do
    MPLBACKEND=agg ../../build/python-environment/bin/python "$program"
  done
  exit
fi
PATH=$PWD/build/cpu/cases:/usr/bin:$PATH
[ $# -gt 0 ] || scripts/draw_method.py "$PWD/build/cpu/cases/rankine"
for name in "${@:-*}"; do
  for page in cases/$name/README.md; do
    sed -n '/^```$/,/^```$/{/^rankine solve/p; /^xvfb-run/p; /^python3 scripts/p}' "$page" |
      bash -euxo pipefail
  done
done
