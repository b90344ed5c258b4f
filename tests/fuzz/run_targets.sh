# Runs fuzz targets and says what they found. Sourced by scripts/fuzz.sh.

# run_one PROGRAMS SOURCES WORK SECONDS TARGET: a corpus that grows in WORK/corpus, findings in
# WORK/findings.
run_one() {
  local programs=$1 sources=$2 work=$3 seconds=$4 target=$5 temporary
  local sanitizer=allocator_may_return_null=1:quarantine_size_mb=16
  sanitizer+=:max_allocation_size_mb=2000:detect_leaks=0
  mkdir -p "$work/corpus/$target" "$work/findings" "$work/logs"
  temporary=$(mktemp -d "$work/tmp.XXXXXX")
  # A child that a library crashed is no finding; its report is kept out of the log.
  TMPDIR=$temporary OMP_NUM_THREADS=1 \
  ASAN_OPTIONS=$sanitizer:symbolize=${SYMBOLIZE:-1} \
  UBSAN_OPTIONS=print_stacktrace=1 \
    "$programs/fuzz_$target" -max_total_time="$seconds" -timeout=60 \
    -rss_limit_mb=4000 -malloc_limit_mb=1000000 -max_len=4096 -print_final_stats=1 \
    -dict="$sources/words.dict" -artifact_prefix="$work/findings/$target-" \
    "$work/corpus/$target" "$sources/corpus/$target" >"$work/logs/$target.log" 2>&1
  local code=$?
  rm -rf "$temporary"
  local executed
  executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/logs/$target.log")
  if [ $code -eq 0 ]; then
    echo "$target: nothing found in ${executed:-?} inputs ($seconds s)"
  else
    echo "$target: FOUND SOMETHING (exit code $code) after ${executed:-?} inputs;" \
      "see $work/logs/$target.log"
  fi
  return $code
}

# run_targets PROGRAMS SOURCES WORK SECONDS AT_ONCE TARGET ...: the exit code is 0 where none found
# anything.
run_targets() {
  local programs=$1 sources=$2 work=$3 seconds=$4 at_once=$5 code=0 target
  shift 5
  for target in "$@"; do
    while [ "$(jobs -rp | wc -l)" -ge "$at_once" ]; do wait -n || code=1; done
    run_one "$programs" "$sources" "$work" "$seconds" "$target" &
  done
  while [ "$(jobs -rp | wc -l)" -gt 0 ]; do wait -n || code=1; done
  return $code
}
