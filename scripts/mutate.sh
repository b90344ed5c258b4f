#!/usr/bin/env bash
# Puts small errors ("mutants") into the code, one at a time, and says which of them the tests find.
#   scripts/mutate.sh [--jobs N] [--only REGEX] [--no-program] [--folder DIR]
#   scripts/mutate.sh [--only REGEX] --list | --check
#
#   --jobs N       build and test N mutants at once, each in its own copy of the sources
#   --only REGEX   only mutants whose "FOLDER/NAME FILE" matches
#   --no-program   only those that need neither Gmsh nor VTK (implied where none of them does)
#   --folder DIR   keep copies and builds in DIR, where the next call finds them
#   --list         name the mutants;  --check: only see that every edit applies exactly once
#
# The mutants are in scripts/mutants/*.txt (scripts/README.md says how they are written). Exit code 0: every mutant
# was killed, but those that their text explains; 1: one survived, did not apply or did not build; 2: wrong usage.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
. "$root/scripts/mutants/mutants.sh"
export LC_ALL=C OMP_WAIT_POLICY=passive

mode=run only=. with_program=yes folder=
jobs=$(((jobs + 1) / 2))
while [ $# -gt 0 ]; do
  case $1 in
    --jobs | --only | --folder)
      [ $# -gt 1 ] || { echo "error: $1 needs a value" >&2; exit 2; }
      case $1 in --jobs) jobs=$2 ;; --only) only=$2 ;; --folder) folder=$2 ;; esac
      shift ;;
    --no-program) with_program=no ;;
    --list) mode=list ;;
    --check) mode=check ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
  esac
  shift
done
[[ $jobs =~ ^[1-9][0-9]*$ ]] || { echo "error: --jobs $jobs: give 1 or more" >&2; exit 2; }

read_mutants
[ ${#names[@]} -gt 0 ] || { echo "error: no mutant matches '$only'" >&2; exit 2; }
if [ $mode = list ]; then
  for i in "${!names[@]}"; do printf '%-56s %-36s %s\n' "${names[i]}" "${files[i]}" "${tests[i]}"; done
  exit
fi
check_mutants "$root" || fail "bring the edits above up to date: a mutant's old text must stand in its file exactly once"
[ $mode = run ] || { say "${#names[@]} mutants apply"; exit; }

cores=$(nproc)
[ "$jobs" -le ${#names[@]} ] || jobs=${#names[@]}
threads=$((cores / jobs > 2 ? cores / jobs : 2))
mapfile -t targets < <(printf '%s\n' "${tests[@]%% *}" | sort -u)
program=OFF
for target in "${targets[@]}"; do ! needs_program "$target" || program=ON; done

if [ -n "$folder" ]; then
  mkdir -p "$folder"
  folder=$(cd "$folder" && pwd)
else
  folder=$(mktemp -d "${TMPDIR:-/tmp}/rankine-mutants.XXXXXX")
  trap 'rm -rf "$folder"' EXIT
fi
trap 'kill $(jobs -p) 2>/dev/null; exit 130' INT TERM
rm -rf "$folder/claimed" "$folder/verdict"
mkdir -p "$folder/claimed" "$folder/verdict"

say "Building ${targets[*]} $jobs times in $folder"
copies=()
for ((copy = 1; copy <= jobs; ++copy)); do
  make_copy "$folder/$copy" &
  copies+=($!)
done
for copy in "${copies[@]}"; do wait "$copy" || exit 1; done

say "Testing without a mutant"
limit=()
for t in "${!targets[@]}"; do
  begin=$SECONDS
  run_tests "$folder/1" "${targets[t]}" "$(all_filters "${targets[t]}")" 3600 ||
    fail "${targets[t]} fails without a mutant; its output is in $folder/1/test.log"
  limit[t]=$((60 + 5 * (SECONDS - begin)))
  say "${targets[t]}: $((SECONDS - begin)) s"
done
check_filters "$folder/1"

say "${#names[@]} mutants"
for ((copy = 1; copy <= jobs; ++copy)); do work "$folder/$copy" & done
wait
summarise
