#!/usr/bin/env bash
# fuzz.sh SECONDS [TARGET...]: builds the fuzz targets and runs each for that long. A finding fails;
# the input that shows it is kept in build/fuzz/findings and is given to the target to see it again.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
source scripts/lib.sh
exec </dev/null

[[ "${1:-}" =~ ^[1-9][0-9]{0,5}$ ]] || fail 2 "usage: fuzz.sh SECONDS [TARGET...], found: $*"
seconds=$1
shift

# shellcheck disable=SC2086
(need_packages $PACKAGES_TO_BUILD $PACKAGES_OF_CLANG) || fail 6 "packages are missing"
python=$(find_python) || fail 6 "no Python 3.11 or later"
find_compilers
build fuzz -- redux-fuzz || fail 4 "the fuzz targets could not be built"

all=()
for source in tests/fuzz/*.cpp; do all+=("$(basename "$source" .cpp)"); done
targets=("${@:-${all[@]}}")
for target in "${targets[@]}"; do
  [ -f "tests/fuzz/$target.cpp" ] || fail 2 "no fuzz target '$target'; there are: ${all[*]}"
done

folder=build/fuzz
mkdir -p "$folder/findings" "$folder/logs"
"$python" tests/fuzz/make_seeds.py "$folder/seeds" || fail 4 "the seeds could not be made"
# The sanitizers' own limits: a message and an exit code of ours in place of the kernel's killer.
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0
export UBSAN_OPTIONS=print_stacktrace=1
export OMP_NUM_THREADS=1
failed=()
for target in "${targets[@]}"; do
  say "fuzzing $target for $seconds s"
  mkdir -p "$folder/corpus/$target"
  words=()
  [ ! -f "tests/fuzz/$target.dict" ] || words+=(-dict="tests/fuzz/$target.dict")
  log="$folder/logs/$target.log"
  "$folder/redux-fuzz-$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
    -malloc_limit_mb=1024 -max_len=8192 -print_final_stats=1 \
    -artifact_prefix="$folder/findings/$target-" "${words[@]}" \
    "$folder/corpus/$target" "$folder/seeds/$target" >"$log" 2>&1
  code=$?
  grep -E 'DONE|stat::(number_of_executed_units|average_exec_per_sec|peak_rss_mb)' "$log"
  if [ $code -ne 0 ]; then
    tail -n 60 "$log"
    failed+=("$target")
  fi
done
echo
if [ ${#failed[@]} -ne 0 ]; then
  fail 1 "findings in: ${failed[*]}; the inputs are in $folder/findings"
fi
echo "no finding in ${targets[*]}"
