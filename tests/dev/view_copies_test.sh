#!/bin/bash
# view_copies_test.sh SOURCE CXX: whether configuring refuses a Kokkos whose Views g++ 12 miscompiles, and nothing
# else. The compiler says that it is g++ 12.2; the Kokkos is a header whose View counts copies of nothing or ends
# the program, as that of 4.6.99 does.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

source_dir=$1
compiler=$2
if ! "$compiler" -dM -E -x c++ /dev/null | grep -q __GNUC_MINOR__ || "$compiler" --version | grep -q clang; then
  echo "Skipped: $compiler is not g++"
  exit 77
fi

mkdir -p "$folder/kokkos"
cat > "$folder/kokkos/KokkosConfig.cmake" << 'END'
set(Kokkos_VERSION 4.6.99)
add_library(Kokkos::kokkos INTERFACE IMPORTED)
set_target_properties(Kokkos::kokkos PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${CMAKE_CURRENT_LIST_DIR}")
END
# kokkos DEVICES COPY: what a copy of a View does
kokkos() {
  sed -i '/Kokkos_DEVICES/d' "$folder/kokkos/KokkosConfig.cmake"
  echo "set(Kokkos_DEVICES $1)" >> "$folder/kokkos/KokkosConfig.cmake"
  cat > "$folder/kokkos/Kokkos_Core.hpp" << END
namespace Kokkos {
struct HostSpace {};
template <class T, class Space> struct View {
  View() {}
  View(const View&) { $2; }
  int extent(int) const { return 0; }
};
}
END
}
# compiler_of MAJOR MINOR
compiler_of() {
  tool g++ << END
exec $compiler -U__GNUC__ -D__GNUC__=$1 -U__GNUC_MINOR__ -D__GNUC_MINOR__=$2 "\$@"
END
}
# says: why Tessera's configuration and the probe of ./dev refuse
says() {
  rm -rf "$folder/tree"
  mkdir "$folder/tree"
  cat > "$folder/tree/CMakeLists.txt" << END
cmake_minimum_required(VERSION 3.23)
project(views CXX)
find_package(Kokkos REQUIRED CONFIG)
include($source_dir/cmake/TesseraViewCopies.cmake)
tessera_check_view_copies(why Kokkos::kokkos)
message(" why: \${why}")
tessera_check_view_copies(why Kokkos::kokkos)
message(" why: \${why}")
END
  CXX=$folder/tools/g++ cmake -S "$folder/tree" -B "$folder/tree/build" -DKokkos_ROOT="$folder/kokkos" 2>&1 |
    sed -n 's/^ why: \(.*\): a program that copies.*/\1/p; s/^ why: $/nothing/p; s/^.*CMake Error.*/&/p'
}
miscompiled="g++ 12.2.0 miscompiles the Views of the Kokkos 4.6.99 in $folder/kokkos"

compiler_of 12 2
kokkos OPENMP '__builtin_trap()'
gives 0 "$miscompiled
$miscompiled" says
kokkos OPENMP ''
gives 0 'nothing
nothing' says
kokkos 'CUDA OPENMP' '__builtin_trap()'
gives 0 'nothing
nothing' says
compiler_of 13 1
kokkos OPENMP '__builtin_trap()'
gives 0 'nothing
nothing' says

# `./dev` looks for another way than the host's libraries then.
compiler_of 12 2
CXX=$folder/tools/g++ cmake -S "$source_dir/cmake/root/probe" -B "$folder/probe" -DKokkos_ROOT="$folder/kokkos" \
  > "$folder/out" 2>&1 && wrong "the probe accepts it"
grep -q "^ *tessera: $miscompiled: .*g++ 13 or newer" "$folder/out" || wrong "the probe says:" "$(cat "$folder/out")"
exit $failed
