#!/usr/bin/env bash
# From a fresh clone to a table of times: installs what is missing (Debian 12 or 13), builds, runs
# configs/quick.json. Takes minutes to build and about one to measure; a GPU is used where there is one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/lib.sh

[ $# -eq 0 ] || fail 2 "quickstart.sh takes no arguments, found: $*"

# shellcheck disable=SC2086
need_packages $PACKAGES_TO_BUILD
# The table needs no Python; only the scripts that read results do.
need_python_environment || say "No .venv, so scripts/compare.py will not run; going on without it"
find_compilers
say "Building build/release/redux-bench"
build release -DREDUX_TESTS=OFF -- redux-bench

if ! command -v nvcc >/dev/null; then
  say "No nvcc here: this build has no CUDA, and the host variants are measured."
elif ! have_gpu; then
  say "No GPU here: the host variants are measured."
fi
mkdir -p out
build/release/redux-bench --config configs/quick.json --output out/quick.jsonl \
  --markdown out/quick.md
say "Results: out/quick.jsonl, out/quick.md. Measure again and compare:"
echo "   build/release/redux-bench --config configs/quick.json --output out/again.jsonl"
echo "   scripts/compare.py out/quick.jsonl out/again.jsonl"
