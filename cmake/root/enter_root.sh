#!/bin/bash
# enter_root.sh ROOT SOURCE CACHE COMMAND...: runs a command in the private root, in the current
# folder, as the user who calls. The source tree, the current folder and the folders of files that the
# arguments name are seen there under their own paths.
set -euo pipefail

root=$1 source=$2 cache=$3
shift 3
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=cmake/dev/manifest.sh
. "$scripts/../dev/manifest.sh"
# As long as any program of the command runs, `./dev clean` leaves the root alone.
exec 7< "$root"
flock -sn 7 || true

# A folder of the base system stays the root's own.
is_system_folder() {
  case $1/ in
    // | /bin/* | /boot/* | /dev/* | /etc/* | /lib/* | /lib64/* | /opt/ | /proc/* | /run/* | \
      /sbin/* | /sys/* | /usr/* | /var/ | /var/lib/ | /var/lib/dpkg/* | /var/lib/apt/*) return 0 ;;
  esac
  return 1
}

home=/root
[ "$(id -u)" = 0 ] || home=/run/home
here=$PWD
folders=("$source")
if is_system_folder "$PWD" && [ "$PWD" != "$source" ]; then
  here=$home
else
  folders+=("$PWD")
fi
files=()
for argument in "$@"; do
  path=${argument#*=}
  if [ -f "$path" ]; then
    files+=("$path")
  fi
  # The second path is a link's target, which may lie elsewhere.
  for candidate in "$path" "$(readlink -f -- "$path" 2> /dev/null || true)"; do
    case $candidate in
      */*)
        if folder=$(cd -- "$(dirname -- "$candidate")" 2> /dev/null && pwd) &&
          ! is_system_folder "$folder"; then
          folders+=("$folder")
        fi
        ;;
    esac
  done
done
matrices=${TESSERA_MATRICES:-$source/../shared/matrices}
if [ -d "$matrices" ]; then
  matrices=$(cd "$matrices" && pwd)
  folders+=("$matrices")
fi
if [ -d "${Kokkos_THREADS_ROOT:-}" ]; then
  Kokkos_THREADS_ROOT=$(cd "$Kokkos_THREADS_ROOT" && pwd)
  folders+=("$Kokkos_THREADS_ROOT")
fi
# Parents first: a mount on a folder hides what was mounted below it.
mapfile -t folders < <(printf '%s\n' "${folders[@]}" | sort -u)

settings=("HOME=$home" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  LANG=C.UTF-8 "TERM=${TERM:-dumb}" CCACHE_DIR=/ccache
  # Clones of the repository share what was compiled: paths below each count as relative ones.
  "CCACHE_BASEDIR=$source" CCACHE_NOHASHDIR=1
  # Without these ccache takes no compilation that reads a precompiled header.
  CCACHE_SLOPPINESS=pch_defines,time_macros
  TESSERA_INSIDE_ROOT=1
  # Open MPI otherwise refuses to start for root; the programs are one process each.
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
for name in OMP_NUM_THREADS OMP_PROC_BIND OMP_PLACES TESSERA_JOBS TESSERA_CMAKE_ARGS TESSERA_MATRICES NO_COLOR \
  Kokkos_THREADS_ROOT; do
  if [ -n "${!name:-}" ]; then
    settings+=("$name=${!name}")
  fi
done

# Root may have made the cache folder, for a user who enters the private root in it.
for ccache in "$cache/ccache" "$cache/ccache-$(id -un)" "${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/tessera/ccache"; do
  if [ -w "$ccache" ]; then
    break
  elif [ ! -e "$ccache" ] && { [ ! -e "${ccache%/*}" ] || [ -w "${ccache%/*}" ]; }; then
    record "${ccache%/*}" "${ccache##*/}"
    mkdir -p "$ccache"
    break
  fi
done
if [ "$(id -u)" != 0 ]; then
  exec "$scripts/enter_as_user.sh" "$root" "$ccache" "$here" "${folders[@]}" -- "${settings[@]}" "$@"
fi
mkdir -p "$root/ccache"
cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2> /dev/null || true

if unshare -m mount --bind "$root" "$root" 2> /dev/null; then
  # In a mount namespace of its own: the mounts vanish with the command, however it ends.
  exec unshare -m --propagation private bash -euc '
    root=$1 ccache=$2 here=$3
    shift 3
    mount --bind "$root" "$root"
    for system in proc sys dev; do
      mount --rbind "/$system" "$root/$system"
    done
    mount --bind "$ccache" "$root/ccache"
    while [ "$1" != -- ]; do
      mkdir -p "$root$1"
      mount --bind "$1" "$root$1"
      shift
    done
    shift
    exec chroot "$root" env -i -C "$here" "$@"
  ' enter_root "$root" "$ccache" "$here" "${folders[@]}" -- "${settings[@]}" "$@"
fi

# Mounts are forbidden, as in a container without the right to: work on copies.
echo "dev: bind mounts are not allowed here; the private root works on copies of the files" >&2
mkdir -p "$root$source" "$root$here"
(cd "$root$source" && find . -path ./build -prune -o -type f -print) | while read -r file; do
  [ -e "$source/$file" ] || rm -f "$root$source/$file"
done
tar -C "$source" --exclude=./build -cf - . | tar -C "$root$source" -xf -
for file in ${files[@]+"${files[@]}"}; do
  path=$(cd -- "$(dirname -- "$file")" && pwd)/$(basename -- "$file")
  mkdir -p "$root$(dirname -- "$path")"
  cp -L -- "$path" "$root$path"
done
for folder in "${folders[@]}"; do
  mkdir -p "$root$folder"
done
if [ -d "$matrices" ]; then
  cp -RLu -- "$matrices/." "$root$matrices/"
fi
while read -r name minor; do
  [ -e "$root/dev/$name" ] || mknod -m 666 "$root/dev/$name" c 1 "$minor" || true
done << 'END'
null 3
zero 5
full 7
random 8
urandom 9
END
marker=$(mktemp "$root/tmp/marker.XXXXXX")
status=0
chroot "$root" env -i -C "$here" "${settings[@]}" "$@" || status=$?
for folder in "${folders[@]}"; do
  find "$root$folder" -maxdepth 1 -type f -newer "$marker" -exec cp -- {} "$folder/" \;
done
rm -f "$marker"
exit "$status"
