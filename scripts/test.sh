#!/usr/bin/env bash
# Builds everything and runs every test: C++ with warnings as errors, the same under the sanitizers,
# Python, the command line, format and lint. All parts run; the exit code is 0 only if all passed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
source scripts/lib.sh
exec </dev/null

[ $# -eq 0 ] || fail 2 "test.sh takes no arguments, found: $*"

failed=()

# part NAME COMMAND...: runs it, shows and keeps its output, notes a failure and goes on.
part() {
  local name=$1
  shift
  say "$name"
  "$@" 2>&1 | tee "build/logs/$name.log"
  [ "${PIPESTATUS[0]}" -eq 0 ] || failed+=("$name")
}

make_locales() {
  local locale
  for locale in de_DE fr_FR; do
    locale -a | grep -qi "^$locale.utf-\?8$" ||
      as_root localedef -i "$locale" -f UTF-8 "$locale.UTF-8" || return 1
  done
}

run_ctest() {
  ctest --test-dir "build/$1" --output-on-failure --no-tests=error --timeout 900 "${@:2}"
}

run_pytest() {
  REDUX_BUILD_DIR=$PWD/build/dev REDUX_BENCH=$PWD/build/dev/redux-bench \
    REDUX_BENCH_HOOKS=$PWD/build/dev/redux-bench-hooks \
    .venv/bin/python -m pytest -p no:cacheprovider
}

mkdir -p build/logs
# shellcheck disable=SC2086
(need_packages $PACKAGES_TO_BUILD $PACKAGES_TO_TEST $PACKAGES_OF_CLANG) || fail 6 "packages are missing"
need_python_environment || fail 6 "the Python environment .venv could not be made"
find_compilers

part locales make_locales
part build-dev build dev
part ctest-dev run_ctest dev -LE simt
part ctest-dev-simt run_ctest dev -L simt --parallel 2
part build-asan build asan -- redux-unit-tests redux-contract-tests redux-simt-tests redux-simt-mutant
part ctest-asan run_ctest asan -L 'unit|contract'
part ctest-simt run_ctest asan -L simt --parallel 2
part mutants .venv/bin/python tests/simt/mutants/run.py build/asan
part build-tsan build tsan -- redux-unit-tests redux-contract-tests redux-planted-race
part ctest-tsan run_ctest tsan
part fuzz scripts/fuzz.sh 30
part pytest run_pytest

echo
for name in "${failed[@]}"; do echo "FAILED: $name (build/logs/$name.log)"; done
for run in dev dev-simt asan simt tsan; do
  echo "ctest, $run:"
  grep -h 'tests passed' "build/logs/ctest-$run.log" || echo "no test was run"
  sed -n '/^The following tests did not run/,/^$/p' "build/logs/ctest-$run.log"
done
grep -hE '^=+ .* in [0-9.]+s.* =+$' build/logs/pytest.log | tail -n 1
[ ${#failed[@]} -eq 0 ]
