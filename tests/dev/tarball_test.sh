#!/bin/bash
# tarball_test.sh BUILD|TARBALL [SOURCE [ARGUMENT...]]: the tarball of `cpack -G TGZ`, by itself. BUILD is a build tree with
# TESSERA_PACKAGING=ON, which is built and packed; a folder that is none yet becomes one by the preset
# cuda-hopper-bundle (Kokkos_ROOT names a shared Kokkos with CUDA, each ARGUMENT goes to cmake). TARBALL was packed before.
# Unpacked into an empty folder, it has each library that a file of it needs, or its README.txt names that as the
# machine's own; the command loads, and four programs, one in C, build against it by find_package(Tessera). With
# CUDA, command and programs run where there is a GPU; where there is none, the last line says so. Needs the compiler,
# with CUDA its toolkit, CMake and no network. Returns 77 where it cannot run here, and says why.
set -euo pipefail

cannot() {
  echo "tarball_test: $*" >&2
  exit 77
}
fail() {
  echo "tarball_test: $*" >&2
  exit 1
}
step() { echo "-- $*"; }

[ $# -gt 0 ] || fail "a build tree or a tarball is needed"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
what=$(realpath -m -- "$1")
source_dir=$(cd "${2:-$here/../..}" && pwd)
arguments=("${@:3}")
jobs=${TESSERA_JOBS:-$(nproc)}
command -v cmake > /dev/null || cannot "there is no cmake"
command -v nvcc > /dev/null || PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
# A new tree's generator; an old one keeps its own.
new=()
! command -v ninja > /dev/null || new=(-G Ninja)

folder=$(cd -P "$(mktemp -d)" && pwd)
trap 'rm -rf --one-file-system "$folder"' EXIT
mkdir "$folder/packed" "$folder/unpacked"

if [ -f "$what" ]; then
  tarball=$what
else
  if [ ! -e "$what/CPackConfig.cmake" ]; then
    if [ -e "$what/CMakeCache.txt" ] && ! grep -q '^TESSERA_PACKAGING:BOOL=ON' "$what/CMakeCache.txt"; then
      fail "$what has no TESSERA_PACKAGING=ON"
    fi
    command -v nvcc > /dev/null || cannot "there is no nvcc"
    step "configures $what"
    (cd "$source_dir" && cmake --preset cuda-hopper-bundle -B "$what" "${new[@]}" -DTESSERA_BUILD_TESTS=OFF \
      -DTESSERA_BUILD_EXAMPLES=OFF -DTESSERA_BUILD_PERF_TESTS=OFF ${arguments[@]+"${arguments[@]}"})
  fi
  step "builds and packs it"
  cmake --build "$what" --parallel "$jobs"
  cpack --config "$what/CPackConfig.cmake" -G TGZ -B "$folder/packed"
  tarballs=("$folder"/packed/*.tar.gz)
  [ "${#tarballs[@]}" = 1 ] && [ -e "${tarballs[0]}" ] || fail "expected one tarball, found: ${tarballs[*]}"
  tarball=${tarballs[0]}
fi
# Nothing but the tarball: neither the Kokkos that it was built with nor what lies beside that.
unset Kokkos_ROOT Kokkos_DIR Tessera_ROOT Tessera_DIR CMAKE_PREFIX_PATH LD_PRELOAD

tar -C "$folder/unpacked" -xf "$tarball"
prefixes=("$folder"/unpacked/*)
[ "${#prefixes[@]}" = 1 ] || fail "expected one folder in the tarball: ${prefixes[*]}"
prefix=${prefixes[0]}
tessera=$prefix/bin/tessera
readme=$prefix/README.txt
[ -x "$tessera" ] && [ -s "$readme" ] || fail "no command, or no README.txt: $(ls "$prefix")"
devices=$(find "$prefix" -name KokkosConfigCommon.cmake -exec sed -n 's/^set(Kokkos_DEVICES \(.*\))$/\1/p' {} +)
[ -n "$devices" ] || fail "the tarball has no Kokkos"
cuda=0
[[ ";$devices;" != *";CUDA;"* ]] || cuda=1

step "what its files need: a file beside them, glibc, or what README.txt names"
mapfile -t files < <(find "$prefix" \( -path "$tessera" -o -name 'lib*.so*' \) ! -type l ! -name 'libtessera_petsc.so*')
# Below that line README.txt lists what the tarball took along.
mapfile -t of_the_machine < <(sed -n '/^LICENSE is/q; s/^    \(lib[^ ]*\)$/\1/p' "$readme")
missing=0
for file in "${files[@]}"; do
  while read -r name; do
    if ! [[ $name =~ ^(ld-linux|lib(c|m|mvec|dl|rt|pthread|resolv|util)\.so) ]] &&
      [ -z "$(find "$prefix" -name "$name")" ] && [[ " ${of_the_machine[*]} " != *" $name "* ]]; then
      echo "${file#"$prefix"/}: $name is not in the tarball"
      missing=1
    fi
  done < <(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p')
done
[ $missing = 0 ] || fail "the tarball is not whole"
echo "${#files[@]} files; of the machine's own: ${of_the_machine[*]:-none}"
"$here/tarball_libraries.sh" "$prefix" || fail "the loader finds other files than those of the tarball"

gpu=0
if [ $cuda = 1 ]; then
  command -v nvcc > /dev/null || cannot "there is no nvcc"
  # The machine's own libraries of CUDA, where the loader does not know them.
  toolkit=$(dirname "$(dirname "$(realpath "$(command -v nvcc)")")")
  if ldd "$tessera" | grep -v 'libcuda\.so' | grep 'not found' > /dev/null; then
    echo "the loader does not know CUDA's libraries: LD_LIBRARY_PATH=$toolkit/lib64"
    export LD_LIBRARY_PATH=$toolkit/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  fi
  if nvidia-smi -L 2> /dev/null | grep '^GPU'; then
    gpu=1
  elif ldd "$tessera" | grep 'libcuda\.so.* not found' > /dev/null; then
    [ -e "$toolkit/lib64/stubs/libcuda.so" ] || cannot "there is neither NVIDIA's driver nor the toolkit's stub of it"
    echo "there is no NVIDIA driver: the toolkit's stub stands in for it"
    mkdir "$folder/stub"
    ln -s "$toolkit/lib64/stubs/libcuda.so" "$folder/stub/libcuda.so.1"
    export LD_LIBRARY_PATH=$folder/stub${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  fi
fi

step "the command loads"
"$tessera" --version | tee "$folder/version"
grep -q '^Kokkos .*execution spaces: ' "$folder/version" || fail "tessera --version says something else"
[ $cuda = 0 ] || grep -qi 'execution spaces: .*cuda' "$folder/version" || fail "the command is not for CUDA"
"$tessera" --help | grep solve > /dev/null || fail "tessera --help says something else"

# configure PROJECT ARGUMENT...: in $folder/PROJECT
configure() {
  cmake "${new[@]}" -S "$source_dir/tests/install/$1" -B "$folder/$1" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PREFIX_PATH="$prefix" -DFORBIDDEN_INCLUDE="$source_dir/(src|kernels|packages)" \
    -DEXAMPLES="$source_dir/examples" -DCHECK_OUTPUT="$source_dir/cmake/check_output.cmake" "${@:2}"
}
step "programs build against it"
configure consumer
# Kokkos' launcher and nvcc_wrapper too, where it looks for them.
outside=$(grep -E '^(Tessera_DIR|Kokkos_DIR|Kokkos_COMPILE_LAUNCHER|Kokkos_NVCC_WRAPPER):' "$folder/consumer/CMakeCache.txt" |
  grep -vF "=$prefix/" || true)
[ -z "$outside" ] || fail "what CMake found is not the tarball's: $outside"
programs=(version example_01_poisson example_10_parameters_by_name)
cmake --build "$folder/consumer" --parallel "$jobs" --target "${programs[@]}"
configure c_consumer -DTessera_ROOT="$prefix"
cmake --build "$folder/c_consumer"
for program in "${programs[@]/#/"$folder/consumer/"}" "$folder/c_consumer/heat_equation"; do
  outside=$(ldd "$program" | grep -E '^\s*lib(tessera|kokkos)' | grep -vF "=> $prefix/" || true)
  [ -z "$outside" ] || fail "${program##*/} takes other libraries than the tarball's: $outside"
done

if [ $cuda = 1 ] && [ $gpu = 0 ]; then
  echo "the tarball is whole, and programs build against it. No GPU is here: NOTHING WAS RUN on one"
  exit 0
fi
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-2} OMP_PROC_BIND=${OMP_PROC_BIND:-false}
step "the command solves, the programs run"
status=0
"$tessera" solve --problem poisson3d --n 20 > "$folder/solve" || status=$?
[ $status = 0 ] && grep '^converged' "$folder/solve" || fail "the command returned $status: $(cat "$folder/solve")"
grep '^device ' "$folder/solve"
[ $cuda = 0 ] || grep -q '^device  *cuda ' "$folder/solve" || fail "the command did not solve on the GPU"
ctest --test-dir "$folder/consumer" --output-on-failure --no-tests=error -R '^(version|01_poisson|10_parameters_by_name)$'
ctest --test-dir "$folder/c_consumer" --output-on-failure --no-tests=error
echo "the tarball passes"
