# shellcheck shell=bash disable=SC2034
# Set-up shared by quickstart.sh and test.sh; sourced, with bash.

readonly PACKAGES_TO_BUILD="g++ cmake ninja-build libcli11-dev nlohmann-json3-dev libfmt-dev
  libboost-context-dev git
  ca-certificates python3-venv"
readonly PACKAGES_TO_TEST="libgtest-dev clang-tidy locales chromium"
readonly PACKAGES_OF_CLANG="clang libclang-rt-dev libomp-dev"

say() { printf '\n-- %s\n' "$*"; }

fail() {
  local code=$1
  shift
  printf 'error: %s\n' "$*" >&2
  exit "$code"
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Installs what is missing of the packages named; asks the network for nothing if all are there.
need_packages() {
  if ! command -v apt-get >/dev/null; then
    say "No apt-get here: these packages, or their like, have to be there: $*"
    return
  fi
  local missing=() package
  for package in "$@"; do
    installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then return; fi
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    fail 6 "missing packages, and neither root nor sudo; run: apt-get install ${missing[*]}"
  fi
  say "Installing with apt: ${missing[*]}"
  as_root apt-get update -q
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    "${missing[@]}"
}

# The system's Python first: a version manager's shim may be older or lack the venv module.
find_python() {
  local candidate
  for candidate in /usr/bin/python3 python3; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
      >/dev/null 2>&1; then
      printf '%s\n' "$candidate"
      return
    fi
  done
  return 1
}

# Makes .venv from scripts/requirements.txt; does nothing where it is up to date.
need_python_environment() {
  local python wanted have
  wanted=$(sha256sum scripts/requirements.txt | cut -d' ' -f1)
  have=$(cat .venv/requirements.sha256 2>/dev/null || true)
  if [ "$wanted" = "$have" ] && .venv/bin/python -c 'import numpy, rich, scipy' 2>/dev/null; then
    return
  fi
  python=$(find_python) || {
    echo "error: no Python 3.11 or later with the venv module" >&2
    return 1
  }
  say "Making .venv from scripts/requirements.txt"
  "$python" -m venv --clear .venv &&
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
      -r scripts/requirements.txt &&
    printf '%s\n' "$wanted" >.venv/requirements.sha256
}

# nvcc's usual home is often not on PATH; ccache is used where it is there.
find_compilers() {
  if ! command -v nvcc >/dev/null && [ -x /usr/local/cuda/bin/nvcc ]; then
    export PATH="/usr/local/cuda/bin:$PATH"
  fi
  if command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
    export CMAKE_CUDA_COMPILER_LAUNCHER=ccache
  fi
}

have_gpu() { command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q '^GPU '; }

# build PRESET [CMAKE OPTIONS] [-- TARGETS]
build() {
  local preset=$1 options=()
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  [ $# -eq 0 ] || shift
  cmake --preset "$preset" "${options[@]}" && cmake --build --preset "$preset" ${1:+--target "$@"}
}
