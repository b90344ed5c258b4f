# Shared by run.sh and test.sh: the missing Debian packages, and a Release build for this machine.
# Sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc)

say() { printf '== %s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# answer_help "$@": prints the head of the calling script if the first argument asks for help.
answer_help() {
  case ${1:-} in
    -h | --help) sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; exit 0 ;;
  esac
}

# Runs a command whose output matters only when it fails: quietly LOG COMMAND...
quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 || { tail -n 60 "$log" >&2; fail "'$*' failed; the whole log is in $log"; }
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# install_missing_packages LIST ...: files of this folder.
install_missing_packages() {
  local package missing=()
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "Not a Debian system: going on with what is installed (needed: $* in $root/scripts)"
    return
  fi
  while read -r package; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      missing+=("$package")
  done < <(cd "$root/scripts" && grep -hv '^#' "$@")
  [ ${#missing[@]} -gt 0 ] || return 0

  [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
    fail "missing packages (${missing[*]}) and neither root nor sudo; ask an administrator for them"
  say "Installing ${missing[*]} (minutes the first time)"
  quietly "$root/build/apt.log" as_root apt-get -q update
  quietly "$root/build/apt.log" as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y --no-install-recommends install "${missing[@]}"
}

# moved_from BUILD: prints where a build folder or its sources were when it was configured. Fails if
# they are still there.
moved_from() {
  local cache=$1/CMakeCache.txt key was
  [ -f "$cache" ] || return 1
  for key in CMAKE_CACHEFILE_DIR CMAKE_HOME_DIRECTORY; do
    was=$(sed -n "s/^$key:INTERNAL=//p" "$cache")
    [ $key = CMAKE_HOME_DIRECTORY ] && set -- "$root"
    [ "$was" -ef "$1" ] || { printf '%s\n' "$was"; return 0; }
  done
  return 1
}

# choose_preset [--cuda]: sets `preset`, `build` and `cuda_options`. The preset is `cuda` if there
# is a GPU and a CUDA compiler, or if it is asked for.
choose_preset() {
  PATH=$PATH:/usr/local/cuda/bin
  preset=cpu
  cuda_options=()
  if command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q GPU; then
    ! command -v nvcc >/dev/null || preset=cuda
    cuda_options+=(-DCMAKE_CUDA_ARCHITECTURES=native)
  fi
  if [ "$1" = --cuda ]; then
    command -v nvcc >/dev/null ||
      fail "no CUDA compiler (nvcc); install the CUDA toolkit, or call without --cuda"
    preset=cuda
  fi
  build=$root/build/$preset
}

# build_for_this_machine TARGET [CMAKE-OPTION ...]: configures and builds the chosen preset.
build_for_this_machine() {
  local target=$1 options=(-DRANKINE_SETS=host "${@:2}") before
  # Few processors: more sources at a time, in less processor time.
  [ "$jobs" -gt 4 ] || options+=(-DRANKINE_TOGETHER=72)
  [ "$preset" = cpu ] || options+=("${cuda_options[@]}")
  if before=$(moved_from "$build"); then
    say "$build was configured for $before, from where it was moved: configuring anew"
    options+=(--fresh)
  fi
  [ -f "$build/build.ninja" ] || say "Configuring and building (preset $preset, $build)"
  quietly "$root/build/configure-$preset.log" \
    cmake -S "$root" --preset "$preset" "${options[@]}"
  cmake --build "$build" --parallel "$jobs" --target "$target"
}
