# Mutants read, applied, built and tested; scripts/mutate.sh is the order of it. Sourced, not run.

# What the lists say, by number: name, file, "target filter", old and new text, and why a survivor is no fault.
names=() files=() tests=() old=() new=() why=()

# Reads scripts/mutants/*.txt, keeps those of $only and, without the program, those that do without it.
read_mutants() {
  local list line i=-1 wanted=
  for list in "$root"/scripts/mutants/*.txt; do
    while IFS= read -r line || [ -n "$line" ]; do
      case $line in
        'mutant '*)
          i=$((i + 1))
          names[i]=$(basename "$list" .txt)/${line#mutant } files[i]= tests[i]= old[i]= new[i]= why[i]= ;;
        'file '*) files[i]=${line#file } ;;
        'test '*) tests[i]=${line#test } ;;
        'survives '*) why[i]+=${why[i]:+ }${line#survives } ;;
        '- '*) old[i]+=${old[i]:+$'\n'}${line#- } ;;
        '+ '*) new[i]+=${new[i]:+$'\n'}${line#+ } ;;
        '+') ;;
        '' | '#'*) ;;
        *) fail "$list: '$line' begins with none of: mutant, file, test, survives, -, +, #" ;;
      esac
    done <"$list"
  done
  for i in "${!names[@]}"; do
    wanted=yes
    [[ "${names[i]} ${files[i]}" =~ $only ]] || wanted=no
    [ "$with_program" = yes ] || ! needs_program "${tests[i]%% *}" || wanted=no
    [ $wanted = yes ] || unset "names[i]" "files[i]" "tests[i]" "old[i]" "new[i]" "why[i]"
  done
}

needs_program() {
  case $1 in fmm_test | bem_test | particles_test | meshes_test | structure_test | c_interface_test) return 1 ;; esac
}

# Says of every mutant what keeps it from being tried in the sources $1.
check_mutants() {
  local i text rest count bad=0 twice
  twice=$(printf '%s\n' "${names[@]}" | sort | uniq -d)
  [ -z "$twice" ] || { echo "the same name twice: $twice" >&2; bad=1; }
  for i in "${!names[@]}"; do
    if [ -z "${old[i]}" ] || [ "${old[i]}" = "${new[i]}" ] || [ -z "${tests[i]}" ] || [ ! -f "$1/${files[i]}" ]; then
      echo "${names[i]}: needs a file, a test, and an old text that differs from the new one" >&2
      bad=1
      continue
    fi
    text=$(<"$1/${files[i]}") count=0 rest=$text
    while [[ $rest == *"${old[i]}"* ]]; do
      rest=${rest#*"${old[i]}"}
      count=$((count + 1))
    done
    [ $count -eq 1 ] || { echo "${names[i]}: its old text stands in ${files[i]} $count times" >&2; bad=1; }
  done
  return $bad
}

# Copies what is built into $1/source and builds the tests in $1/clean.
make_copy() {
  mkdir -p "$1/source"
  (cd "$root" && tar -cf - CMakeLists.txt cmake fmm bem meshes gpu cases tests examples docs scripts ./*.md LICENSE NOTICE \
    CITATION.cff) | tar -xf - -C "$1/source"
  local options=(-DCMAKE_BUILD_TYPE=Release -DRANKINE_CUDA=OFF
    -DRANKINE_NATIVE=ON -DRANKINE_INSTALL=OFF "-DRANKINE_PROGRAM=$program")
  ! command -v ninja >/dev/null || options+=(-G Ninja)
  ! command -v ccache >/dev/null || options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  # Always in $1/build, whose name the compiled files hold.
  rm -rf "$1/build"
  [ ! -d "$1/clean" ] || mv "$1/clean" "$1/build"
  quietly "$1/configure.log" cmake -S "$1/source" -B "$1/build" "${options[@]}"
  quietly "$1/build.log" build_in "$1" "${targets[@]}"
  mv "$1/build" "$1/clean"
  cp -a "$1/clean" "$1/build"
}

# build_in COPY TARGETS...
build_in() {
  CCACHE_BASEDIR=$1 CCACHE_NOHASHDIR=1 cmake --build "$1/build" --parallel "$threads" --target "${@:2}"
}

# run_tests COPY TARGET FILTER SECONDS: 0 passed, 124 or 137 out of time.
run_tests() {
  local program_file memory
  program_file=$(find "$1/build/tests" -type f -name "$2" -perm -u+x | head -n 1)
  # A mutant may ask for memory without end.
  memory=$(awk '/^MemTotal/ { print int($2 * 3 / 4) }' /proc/meminfo)
  { (
    ulimit -v "$((memory / jobs > 6000000 ? memory / jobs : 6000000))" -c 0
    OMP_NUM_THREADS=$threads timeout -k 10 "$4" "$program_file" --gtest_fail_fast --gtest_filter="$3"
  ) >"$1/test.log" 2>&1; } 2>/dev/null  # the shell's own word of a crash
}

# The tests that some mutant of target $1 asks for.
all_filters() {
  local i filters=()
  for i in "${!names[@]}"; do
    [ "${tests[i]%% *}" != "$1" ] || filters+=("$(filter_of "$i")")
  done
  printf '%s\n' "${filters[@]}" | sort -u | paste -sd :
}
filter_of() {
  if [[ ${tests[$1]} == *' '* ]]; then echo "${tests[$1]#* }"; else echo '*'; fi
}

# A filter that matches no test would let everything survive.
check_filters() {
  local i t program_file
  for i in "${!names[@]}"; do
    program_file=$(find "$1/build/tests" -type f -name "${tests[i]%% *}" -perm -u+x | head -n 1)
    [ -n "$("$program_file" --gtest_list_tests --gtest_filter="$(filter_of "$i")")" ] ||
      fail "${names[i]}: no test of ${tests[i]%% *} matches '$(filter_of "$i")'"
  done
}

# Tries in copy $1 every mutant that no other copy has begun.
work() {
  local i
  for i in "${!names[@]}"; do
    mkdir "$folder/claimed/$i" 2>/dev/null || continue
    try "$1" "$i"
  done
}

# try COPY MUTANT: the verdict, seconds and what found it go into $folder/verdict/MUTANT.
try() {
  local file=$1/source/${files[$2]} target=${tests[$2]%% *} begin=$SECONDS t code=0 verdict by=
  cp -p "$file" "$1/original"
  printf '%s\n' "$(mutated "$2" "$1/original")" >"$file"
  if ! build_in "$1" "$target" >"$folder/verdict/$2.log" 2>&1; then
    verdict='not built' by=$(grep -m 1 'error' "$folder/verdict/$2.log" || true)
  else
    for t in "${!targets[@]}"; do [ "${targets[t]}" != "$target" ] || break; done
    run_tests "$1" "$target" "$(filter_of "$2")" "${limit[t]}" || code=$?
    cp "$1/test.log" "$folder/verdict/$2.log"
    case $code in
      0) verdict=survived by=${why[$2]} ;;
      124 | 137) verdict=killed by="out of time (${limit[t]} s)" ;;
      *)
        verdict=killed
        by=$(grep -m 1 -o '^\[  FAILED  \] [^ ,]*' "$folder/verdict/$2.log" || true)
        by=${by#*] }
        by=${by:-exit code $code} ;;
    esac
    [ "$code" -ne 0 ] || [ -z "${why[$2]}" ] || verdict=explained
  fi
  # As if nothing had been built: no mutant meets the objects of another.
  cp -p "$1/original" "$file"
  rm -rf "$1/build"
  cp -a "$1/clean" "$1/build"
  printf '%s\n' "$verdict" "$((SECONDS - begin))" "$by" >"$folder/verdict/$2"
  printf '%-10s %-52s %4s s  %s\n' "$verdict" "${names[$2]}" "$((SECONDS - begin))" "$by"
}

# The text of file $2 with mutant $1.
mutated() {
  local text
  text=$(<"$2")
  printf '%s' "${text/"${old[$1]}"/"${new[$1]}"}"
}

# Totals per folder and the survivors once more; fails where one is not explained.
summarise() {
  local i part verdict bad=0 row
  declare -A count=()
  for i in "${!names[@]}"; do
    verdict=$(head -n 1 "$folder/verdict/$i" 2>/dev/null || echo 'not tried')
    part=${names[i]%%/*}
    count[$part/$verdict]=$((${count[$part/$verdict]:-0} + 1))
    count[all/$verdict]=$((${count[all/$verdict]:-0} + 1))
    count[$part]=$((${count[$part]:-0} + 1))
    case $verdict in killed | explained) ;; *) bad=1 ;; esac
  done
  count[all]=${#names[@]}
  printf '\n%-10s %8s %8s %10s %9s %10s\n' '' mutants killed explained survived 'not built'
  for part in $(printf '%s\n' "${names[@]%%/*}" | sort -u) all; do
    printf '%-10s %8d %8d %10d %9d %10d\n' "$part" "${count[$part]}" "${count[$part/killed]:-0}" \
      "${count[$part/explained]:-0}" "${count[$part/survived]:-0}" "${count[$part/not built]:-0}"
  done
  for i in "${!names[@]}"; do
    row=$(paste -sd ' ' "$folder/verdict/$i" 2>/dev/null || echo 'not tried')
    case $row in killed*) ;; *) printf '%s (%s): %s\n' "${names[i]}" "${files[i]}" "$row" ;; esac
  done
  return $bad
}
