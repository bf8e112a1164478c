#!/bin/bash
# package_test.sh PACKED [SOURCE]: what `./dev package` has made, in a clean Debian root that has a compiler
# and CMake and neither Kokkos nor anything else of Tessera's. There the tarball's command solves, its libraries
# find what they need in it, and an example builds against it; then the Debian packages are installed, the command solves, every example
# builds and runs, removal leaves nothing, and lintian finds no error. It takes some 5 minutes, a Debian
# mirror and root rights. Returns 77 where it cannot run here, and says why.
set -euo pipefail

packed=$(cd "$1" && pwd)
source_dir=$(cd "${2:-$(dirname "${BASH_SOURCE[0]}")/../..}" && pwd)
cache=${TESSERA_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/tessera}

cannot() {
  echo "package_test: $*" >&2
  exit 77
}
fail() {
  echo "package_test: $*" >&2
  exit 1
}
step() { echo "-- $*"; }

packages=("$packed"/*.deb)
tarballs=("$packed"/*.tar.gz)
[ "${#packages[@]}:${#tarballs[@]}" = 3:1 ] && [ -e "${packages[0]}" ] && [ -e "${tarballs[0]}" ] ||
  fail "expected three Debian packages and a tarball in $packed: $(ls "$packed")"
[ "$(id -u)" = 0 ] || cannot "a clean root needs root rights"
command -v mmdebstrap > /dev/null || cannot "there is no mmdebstrap"
unshare -m true 2> /dev/null || cannot "mounts are not allowed here"
# The mirror that the private root was made from.
mirror=${TESSERA_DEBIAN_MIRROR:-$(cat "$cache"/root-*/etc/apt/sources.list 2> /dev/null |
  awk '$1 == "deb" { print $2; exit }')}
[ -n "$mirror" ] || cannot "there is no private root that names a mirror (TESSERA_DEBIAN_MIRROR names one)"

folder=$(mktemp -d)
trap 'rm -rf --one-file-system "$folder"' EXIT
chmod 755 "$folder"
root=$folder/root

step "a clean root from $mirror"
if ! mmdebstrap --variant=apt --mode=root --aptopt='Acquire::Check-Valid-Until "false"' \
  --aptopt='Acquire::Retries "3"' --dpkgopt='path-exclude=/usr/share/locale/*' \
  --include=g++,cmake,ninja-build sid "$root" "deb $mirror sid main" > "$folder/log" 2>&1; then
  tail -n 20 "$folder/log" >&2
  fail "the clean root was not made"
fi
mkdir "$root/source" "$root/packed"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"

# inside COMMAND...: in the clean root, which sees the sources and the packages and changes neither.
inside() {
  unshare -m --propagation private bash -euc '
    root=$1 source=$2 packed=$3
    shift 3
    for system in proc dev; do mount --rbind "/$system" "$root/$system"; done
    mount --bind -o ro "$source" "$root/source"
    mount --bind -o ro "$packed" "$root/packed"
    exec chroot "$root" env -i -C / HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      PATH=/usr/sbin:/usr/bin:/sbin:/bin OMP_NUM_THREADS=2 OMP_PROC_BIND=false "$@"
  ' inside "$root" "$source_dir" "$packed" "$@"
}
# configure FOLDER ARGUMENT...: the project of an embedder who knows the package alone.
configure() {
  inside cmake -G Ninja -S /source/tests/install/consumer -B "$1" -DCMAKE_BUILD_TYPE=Release \
    -DFORBIDDEN_INCLUDE=/source -DEXAMPLES=/source/examples \
    -DCHECK_OUTPUT=/source/cmake/check_output.cmake "${@:2}"
}
solves() {
  inside "$1" solve --problem poisson3d --n 20 | tee "$folder/solve" | grep -q '^converged' ||
    fail "$1 does not solve: $(cat "$folder/solve")"
}

step "the tarball: its command solves, nothing comes from outside but glibc, an example builds against it"
inside tar -C /opt -xf "/packed/${tarballs[0]##*/}"
unpacked=$(cd "$root" && ls -d opt/tessera-*)
solves "/$unpacked/bin/tessera"
inside /source/tests/dev/tarball_libraries.sh "/$unpacked"
configure /tarball -DCMAKE_PREFIX_PATH="/$unpacked"
inside cmake --build /tarball --target version example_01_poisson
inside ctest --test-dir /tarball --output-on-failure --no-tests=error -R '^(version|01_poisson)$'
rm -rf "${root:?}/$unpacked" "$root/tarball"

step "the Debian packages: the command solves, every example builds against them"
mapfile -t files < <(printf '/packed/%s\n' "${packages[@]##*/}")
inside apt-get -q update
inside apt-get -qy install --no-install-recommends "${files[@]}"
solves tessera
inside tessera --version
configure /packages
inside cmake --build /packages
inside ctest --test-dir /packages --output-on-failure --no-tests=error

step "removed, they leave nothing"
inside apt-get -qy purge tessera libtessera-dev libtessera0
left=$(inside find /usr /etc /opt -iname '*tessera*')
[ -z "$left" ] || fail "the packages leave behind: $left"

step "lintian"
inside apt-get -qy install --no-install-recommends lintian > "$folder/log" 2>&1 ||
  fail "lintian was not installed: $(tail -n 5 "$folder/log")"
inside lintian --allow-root --fail-on error "${files[@]}"
echo "the packages pass"
