#!/usr/bin/env bash
# Installs what is missing, builds for this machine and runs every test, then those of the Python
# package (test_python.sh). Further arguments go to ctest, and Python is left out.
#   scripts/test.sh [--cuda] [ctest arguments]     for instance: scripts/test.sh -R Panels
# The CUDA code is built if there is a GPU and a CUDA compiler; --cuda builds it in any case.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

answer_help "$@"
choose_preset "${1:-}"
[ "${1:-}" != --cuda ] || shift
install_missing_packages packages.txt test_packages.txt
build_for_this_machine all -DBUILD_TESTING=ON

say "Testing"
ctest --test-dir "$build" --parallel "$jobs" --output-on-failure "$@"
[ $# -gt 0 ] || "$root/scripts/test_python.sh"
