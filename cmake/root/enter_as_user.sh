#!/bin/bash
# enter_as_user.sh ROOT CCACHE HERE FOLDER... -- SETTING... COMMAND...: what enter_root.sh does for an
# ordinary user. In a user namespace the caller may mount; over the private root, which is not the caller's,
# lies a layer in memory, gone with the command. The command runs in a second user namespace, under the
# caller's own number, so that what it writes in the folders is the caller's.
set -euo pipefail

if ! said=$(unshare --user --map-root-user --mount mount -t tmpfs tmpfs "$1/srv" 2>&1); then
  echo "dev: the private root needs user namespaces, or root rights, and these are not allowed here:" \
    "${said:-unshare fails} (see ./dev --help)" >&2
  exit 1
fi

exec unshare --user --map-root-user --mount --propagation private bash -euc '
  root=$1 ccache=$2 here=$3 uid=$4 gid=$5 name=$6
  shift 6
  # Names relative to the root: in the options of a mount, commas and colons have a meaning. In the Debian
  # tree /srv is empty.
  cd -- "$root"
  mount -t tmpfs -o mode=755 tmpfs srv
  place=srv
  new=$root/$place/tree
  mkdir -p srv/upper/etc srv/upper/ccache srv/upper/run/home srv/work srv/tree
  cp -L /etc/resolv.conf srv/upper/etc/resolv.conf 2> /dev/null || true
  { cat etc/passwd; echo "$name:x:$uid:$gid::/run/home:/bin/bash"; } > srv/upper/etc/passwd
  # Below a folder of the layer the caller can make others, below one of the root not.
  for folder in "$@"; do
    [ "$folder" != -- ] || break
    mkdir -p "srv/upper$folder"
  done
  mount -t overlay overlay -o lowerdir=.,upperdir=srv/upper,workdir=srv/work "$new"
  for system in proc sys dev; do
    mount --rbind "/$system" "$new/$system"
  done
  if [ -w tmp ]; then
    mount --bind tmp "$new/tmp"
  fi
  mount --rbind "$ccache" "$new/ccache"
  while [ "$1" != -- ]; do
    mkdir -p "$new$1"
    mount --rbind "$1" "$new$1"
    shift
  done
  shift
  if unshare --user --map-user="$uid" --map-group="$gid" true 2> /dev/null; then
    exec unshare --user --map-user="$uid" --map-group="$gid" --root="$new" --wd="$here" /usr/bin/env -i "$@"
  fi
  # An old unshare: the command takes itself for root; its files are the caller'"'"'s all the same.
  exec chroot "$new" env -i -C "$here" "$@"
' enter_as_user "$1" "$2" "$3" "$(id -u)" "$(id -g)" "$(id -un)" "${@:4}"
