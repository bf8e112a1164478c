# shellcheck shell=bash disable=SC2034
# Sourced by the tests beside it: strict, in a folder of their own, and on they go where something is wrong.
set -euo pipefail
folder=$(cd -P "$(mktemp -d)" && pwd)
trap 'rm -rf --one-file-system "$folder"' EXIT

failed=0
wrong() {
  printf '%s\n' "$@"
  failed=1
}
# clone SOURCE FOLDER: `./dev` with its parts, in a folder of its own
clone() {
  mkdir -p "$2/cmake"
  cp "$1/dev" "$2/dev"
  cp -r "$1/cmake/dev" "$2/cmake/dev"
}
# tool NAME: a program for bash from stdin, in $folder/tools
tool() {
  mkdir -p "$folder/tools"
  { echo '#!/bin/bash' && cat; } > "$folder/tools/$1"
  chmod +x "$folder/tools/$1"
}
# equal WHAT FOUND EXPECTED
equal() { [ "$2" = "$3" ] || wrong "$1:" "$2" "expected:" "$3"; }
# gives CODE LINES COMMAND...: what the command returns and prints, errors too; `shown` picks lines of it.
gives() {
  local code=$1 lines=$2 found=0 there
  shift 2
  there=$("$@" 2>&1) || found=$?
  there=$(shown "$lines" <<< "$there")
  equal "$* ($found)" "returned $found
$there" "returned $code
$lines"
}
shown() { cat; }
# has LINE: $folder/out has this line
has() { grep -qxF -e "$1" "$folder/out" || wrong "there is no line: $1"; }
