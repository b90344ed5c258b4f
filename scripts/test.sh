#!/usr/bin/env bash
# Installs what is missing, builds for this machine and runs every test. Arguments go to ctest.
#   scripts/test.sh [ctest arguments]     for instance: scripts/test.sh -R Panels
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

answer_help "$@"
install_missing_packages
build_for_this_machine all

say "Testing"
ctest --test-dir "$build" --parallel "$jobs" --output-on-failure "$@"
