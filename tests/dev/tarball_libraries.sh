#!/bin/bash
# tarball_libraries.sh PREFIX: whether the command and Tessera's libraries, in a tarball unpacked at PREFIX, find
# each shared library beside themselves that is neither glibc's nor the CUDA driver's or runtime's. Prints those that
# they do not, and returns 1.
#
# Of Tessera's own files alone: what the tarball takes along is as its maker linked it, without a path, and is found by
# the DT_RPATH of the library that wants it. `ldd` of such a file by itself misses its neighbours (libscotch its
# libscotcherr), and no program loads it so. The plug-in for PETSc has PETSc's libraries of the program that loads it.
set -euo pipefail

prefix=$(cd -P "$1" && pwd)
unset LD_LIBRARY_PATH LD_PRELOAD
mapfile -t files < <(find "$prefix" ! -type d \( -path '*/bin/tessera' -o -name 'libtessera*.so' \) ! -name libtessera_petsc.so)
[ "${#files[@]}" -ge 5 ] || {
  echo "tarball_libraries: expected the command and four libraries of Tessera's in $prefix, found: ${files[*]}" >&2
  exit 1
}
status=0
for file in "${files[@]}"; do
  listed=$(ldd "$file" 2>&1)
  if [[ $listed =~ version\ .(GLIBC_[0-9.]*).\ not\ found ]]; then
    echo "$file: there is no ${BASH_REMATCH[1]} here"
    status=1
  fi
  # Lines are `NAME => PATH (ADDRESS)` or `NAME => not found`; others are of the loader.
  while read -r name arrow path _; do
    [ "$arrow" = '=>' ] || continue
    [[ $name =~ ^(ld-linux|lib(c|m|mvec|dl|rt|pthread|resolv|util)\.so) ]] && continue
    [[ $name =~ ^lib(cuda|cudart|cublas|cublasLt|cusparse|cusolver|curand|cufft|nvJitLink|nvidia-ml|nvrtc)[.-] ]] && continue
    if [ "$path" = not ]; then
      echo "$file: $name is not found"
      status=1
    elif [[ $(realpath -- "$path") != "$prefix"/* ]]; then
      echo "$file: $name comes from $path, not from the tarball"
      status=1
    fi
  done <<< "$listed"
done
exit $status
