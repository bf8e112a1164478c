#!/bin/sh
# Runs inside the private root while it is made: puts Debian's Kokkos, which has OpenMP, under
# /opt/kokkos-openmp. Installed as packages it would clash with the Kokkos inside Trilinos, which
# owns the same paths.
set -eu

prefix=/opt/kokkos-openmp
debs=$(mktemp -d)
cd "$debs"
libraries=$(apt-cache depends libkokkos-dev | sed -n 's/^ *Depends: \(libkokkos[0-9][^ ]*\)$/\1/p')
# shellcheck disable=SC2086
apt-get download libkokkos-dev $libraries
rm -rf "$prefix"
for deb in *.deb; do
  dpkg -x "$deb" "$prefix"
  dpkg-deb --show --showformat '${Package}=${Version}\n' "$deb" >> "$prefix/packages" # dpkg does not know them
done
rm -rf "$debs"

# The CMake files name the include folder by its absolute path, ...
cmake_files=$(dirname "$(find "$prefix" -name KokkosTargets.cmake)")
sed -i 's|"/usr/include/kokkos"|"${_IMPORT_PREFIX}/include/kokkos"|' "$cmake_files"/KokkosTargets.cmake
# ... and static libraries of header-only parts, which the package leaves out.
for name in libkokkosalgorithms.a libkokkossimd.a; do
  if ! [ -e "$cmake_files/../../$name" ]; then
    ar crs "$cmake_files/../../$name"
  fi
done
