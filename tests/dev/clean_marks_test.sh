#!/bin/bash
# clean_marks_test.sh SOURCE: `./dev clean` removes what is on the list of what `./dev` made, nothing else,
# and says what it left and why.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

clone "$1" "$folder/clone"
export TESSERA_CACHE=$folder/cache
# shellcheck source=cmake/dev/manifest.sh
. "$1/cmake/dev/manifest.sh"

# has PATH: it is there; gone PATH: it is not
has() { [ -e "$folder/$1" ] || [ -L "$folder/$1" ] || wrong "$case: $1 was removed"; }
gone() { { [ ! -e "$folder/$1" ] && [ ! -L "$folder/$1" ]; } || wrong "$case: $1 was left"; }
# clean CODE ARGUMENT...: sets `case`, for what is wrong after it
clean() {
  local code=$1 found=0
  shift
  case="clean $*"
  "$folder/clone/dev" clean "$@" > "$folder/out" 2>&1 || found=$?
  [ "$found" = "$code" ] || wrong "$case: returned $found, expected $code: $(cat "$folder/out")"
}
says() { grep -qF -e "$1" "$folder/out" || wrong "$case does not say '$1': $(cat "$folder/out")"; }
# make FOLDER NAME...: as ./dev does
make() {
  record "$@"
  local name
  for name in "${@:2}"; do
    mkdir -p "$1/$name"
    echo content > "$1/$name/file"
  done
}

# A cache and a build folder of its own: nothing is left.
make "$folder/cache" ccache root-1
touch "$folder/cache/lock"
echo lock >> "$folder/cache/$manifest_name"
make "$folder/clone/build" openmp
clean 0 --all --dry-run
says "would remove $folder/cache/root-1"
says "would remove $folder/clone/build/openmp"
has cache/root-1/file
has clone/build/openmp/file
clean 0
says "removed $folder/clone/build"
gone clone/build
has cache/root-1
clean 0 --all
gone cache
clean 0 --all

# TESSERA_CACHE names a folder that holds more, before and after ./dev came there.
mkdir -p "$folder/cache/ccache" "$folder/cache/documents"
echo mine > "$folder/cache/documents/letter"
clean 1 --all
says "$folder/cache: ./dev did not make it"
make "$folder/cache" ccache root-1
clean 0 --all
says "removed $folder/cache/root-1"
says "not made by ./dev: ccache documents"
has cache/ccache
has cache/documents/letter
gone cache/root-1
rm -rf "$folder/cache"

# A tree that somebody configured by hand in build/.
make "$folder/clone/build" host
mkdir "$folder/clone/build/mine"
clean 0
says "not made by ./dev: mine"
has clone/build/mine
gone clone/build/host
rmdir "$folder/clone/build/mine"
clean 0
gone clone/build

# Links, in place of what ./dev made and inside of it, and a list that points elsewhere.
make "$folder/cache" root-1 root-2
mkdir "$folder/elsewhere"
echo mine > "$folder/elsewhere/letter"
ln -s "$folder/elsewhere" "$folder/cache/root-1/link"
rm -r "$folder/cache/root-2"
ln -s "$folder/elsewhere" "$folder/cache/root-2"
printf '..\n../elsewhere\n' >> "$folder/cache/$manifest_name"
clean 1 --all
says "left $folder/cache/root-2: a link"
says "left $folder/cache/../elsewhere: no entry"
has elsewhere/letter
has cache/root-2
gone cache/root-1
rm -r "$folder/cache"

# What is mounted below is neither removed nor is anything around it. A file stands in for the kernel's table.
make "$folder/cache" "root 1" root-2
mkdir -p "$folder/cache/root 1/deep/tree"
printf '1 2 3:4 / %s rw - ext4 /dev/disk rw\n' / "$folder/cache/root\\0401/deep/tree" \
  "$folder/cache/root-22" > "$folder/mountinfo"
MOUNTINFO=$folder/mountinfo clean 1 --all
says "left $folder/cache/root 1: mounted there: $folder/cache/root 1/deep/tree"
has "cache/root 1/file"
gone cache/root-2
MOUNTINFO=$folder/none clean 1 --all
says "cannot be seen"
has "cache/root 1/file"
# The same with a mount of this kernel, where that is allowed.
if command -v mount > /dev/null && unshare -m true 2> /dev/null; then
  # shellcheck disable=SC2016
  unshare -m bash -euc '
    mount --bind "$1/elsewhere" "$1/cache/root 1/deep/tree"
    ! "$1/clone/dev" clean --all > "$1/out" 2>&1' mounted "$folder" || wrong "a mount: $(cat "$folder/out")"
fi
has elsewhere/letter
has "cache/root 1/file"
clean 0 --all
gone cache

# What another ./dev uses or makes.
make "$folder/clone/build" openmp
make "$folder/cache" root-1
touch "$folder/clone/build/openmp/.lock" "$folder/cache/lock"
exec 8> "$folder/clone/build/openmp/.lock"
exec 7< "$folder/cache/root-1"
flock 8
flock -s 7
clean 1 --all
says "left $folder/clone/build/openmp: another ./dev uses it"
says "left $folder/cache/root-1: another ./dev uses it"
has clone/build/openmp/file
has cache/root-1/file
exec 8>&- 7<&-
exec 9> "$folder/cache/lock"
flock 9
clean 1 --all
says "another ./dev makes the private root"
has cache/root-1/file
gone clone/build
exec 9>&-
exit $failed
