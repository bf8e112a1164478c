#!/bin/bash
# clean_test.sh SOURCE: `./dev clean` removes what it says, and nothing where it is not understood.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"
# shellcheck source=cmake/dev/manifest.sh
. "$1/cmake/dev/manifest.sh"

clone "$1" "$folder"
export TESSERA_CACHE=$folder/cache

# expect CODE LEFT ARGUMENT...: `./dev clean ARGUMENT...` returns CODE and leaves the folders LEFT.
expect() {
  local code=$1 left=$2 found=0 there
  shift 2
  record "$folder/build" openmp
  record "$folder/cache" ccache
  mkdir -p "$folder/build/openmp" "$folder/cache/ccache"
  "$folder/dev" clean "$@" > "$folder/out" 2> "$folder/err" || found=$?
  there=$(cd "$folder" && ls -d build cache 2> /dev/null | paste -sd' ' || true)
  equal "clean $*" "returned $found, left '$there'" "returned $code, left '$left'"
}

expect 0 "cache"
expect 0 "" --all
expect 0 "build cache" --help
grep -q 'clean \[--all\]' "$folder/out" || wrong "clean --help explains nothing"
expect 64 "build cache" --al
expect 64 "build cache" openmp
expect 64 "build cache" --all openmp
expect 64 "build cache" ""
exit $failed
