#!/bin/bash
# enter_root_test.sh ENTER_ROOT: where mounts are forbidden, the private root has copies of the sources
# and of the matrices, and no empty folder in place of matrices that are not there.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

mkdir -p "$folder"/{cache,source,matrices,root/etc,root/tmp,root/dev}
echo source > "$folder/source/a.cpp"
echo entries > "$folder/matrices/a.mtx.xz"
tool unshare <<< 'exit 1'
# Shows the root instead of going there.
tool chroot <<< 'cd "$1$FOLDER" && find . -type f -o -type d -empty | sort | paste -sd" "'
tool mknod < /dev/null
# Copies are root's: an ordinary user mounts in a user namespace (enter_as_user_test.sh).
tool id <<< 'echo 0'

# expect ENTER_ROOT MATRICES FILES: what the root holds where TESSERA_MATRICES is MATRICES.
expect() {
  local there
  there=$(cd "$folder/source" && FOLDER=$folder TESSERA_MATRICES=$2 PATH=$folder/tools:$PATH \
    "$1" "$folder/root" "$folder/source" "$folder/cache" true 2> "$folder/err") || failed=1
  equal "the root with the matrices in $2 $(cat "$folder/err")" "$there" "$3"
}

expect "$1" "$folder/none" "./source/a.cpp"
expect "$1" "$folder/matrices" "./matrices/a.mtx.xz ./source/a.cpp"
exit $failed
