#!/bin/bash
# without_mpi_test.sh SOURCE CMAKE CTEST COMPILER GENERATOR KOKKOS_DIR: what is configured where MPI is not to be used. No
# source, definition or test of MPI's is left then, and the solver over processes is, for one.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

source=$1 cmake=$2 ctest=$3 compiler=$4 generator=$5 kokkos=$6
build=$folder/build
if ! "$cmake" -S "$source" -B "$build" -G "$generator" -DCMAKE_CXX_COMPILER="$compiler" -DKokkos_DIR="$kokkos" \
  -DTESSERA_ENABLE_MPI=OFF -DTESSERA_ENABLE_PETSC=OFF -DCMAKE_UNITY_BUILD=OFF > "$folder/log" 2>&1; then
  wrong "it is not configured:" "$(tail -n 30 "$folder/log")"
  exit 1
fi

commands=$build/compile_commands.json
grep -q 'distributed/communicator\.cpp' "$commands" || wrong "levels over processes are not built"
for unexpected in /distributed/mpi/ packages/app_mpi/ -DTESSERA_TEST_WITH_MPI -DTESSERA_PERF_WITH_MPI \
  compare_hypre_messages; do
  if grep -qF -e "$unexpected" "$commands"; then
    wrong "compiled without MPI:" "$(grep -F -e "$unexpected" "$commands" | head -n 2)"
  fi
done

"$ctest" --test-dir "$build" -N > "$folder/out"
grep -q ': distributed$' "$folder/out" || wrong "there is no test distributed"
if grep -E '_[0-9]+_processes|: app_mpi$|_dying_process' "$folder/out"; then
  wrong "tests of several processes"
fi
exit $failed
