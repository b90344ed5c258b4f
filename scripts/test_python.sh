#!/usr/bin/env bash
# Builds the Python package's wheel, installs it into a new virtual environment and runs its tests.
# The wheel has the libraries of build/cpu if there is such a build; otherwise it builds its own.
# Arguments go to pytest. What pip needs comes from the package index; where that cannot be reached,
# nothing is tested, and said.
#   scripts/test_python.sh [pytest arguments]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

answer_help "$@"
cd "$root"
environment=$root/build/python-environment
log=$root/build/python.log
say "Testing the Python package"
quietly "$log" python3 -m venv --clear "$environment"
pip=("$environment/bin/python" -m pip --quiet --disable-pip-version-check)
# Without --no-compile pip compiles every file of every package, of which the tests import a part.
install=("${pip[@]}" install --no-compile)
if ! "${install[@]}" --retries 1 --timeout 15 pytest >>"$log" 2>&1; then
  say "The Python package is not tested: its build tools cannot be had from a package index ($log)"
  exit 0
fi
rm -rf build/wheel
libraries=$root/build/cpu
if [ -f "$libraries/rankine-libraries.cmake" ] && ! moved_from "$libraries" >/dev/null; then
  quietly "$log" cmake --build "$libraries" --parallel "$jobs" --target rankine_bem rankine_gpu
else
  libraries=
fi
quietly "$log" "${pip[@]}" wheel . --no-deps --wheel-dir build/wheel \
  --config-settings=build-dir=build/python \
  --config-settings=cmake.define.RANKINE_LIBRARIES="$libraries"
wheel=(build/wheel/*.whl)
quietly "$log" "${install[@]}" "${wheel[0]}[test]"
say "Built ${wheel[0]}, $(($(stat -c %s "${wheel[0]}") / 1000)) kB"
for program in "$root"/build/{cpu,cuda}/cases/rankine; do
  [ ! -x "$program" ] || export RANKINE=$program
done
cd "$environment" # so that Python does not import from the sources
exec "$environment/bin/python" -m pytest -q "$root/python/tests" "$@"
