# `./dev check`: what looks at Tessera harder than its tests do. To be sourced by ./dev.
# shellcheck shell=bash disable=SC2154

check_parts=(warnings without_mpi sanitizers threads tidy coverage fuzz faults mutants)

check_usage() {
  cat << 'END'
./dev check [--quick] [PART…]

All parts in this order, or those that are named; ends with `N passed, N failed, N skipped`, and says of each part how
many minutes it took. All of them take hours on two cores: docs/notebook/checks.md says of each how long, on which machine.
With --quick, less of each: on two cores 2 minutes for without_mpi, where ccache has its objects, 2 minutes for tidy,
4 or 5 for fuzz, 3 for sanitizers after it, which have the same tree, and 3 for threads, where ccache has a part of
their objects; without, twice as long and more:

  warnings      everything compiles without warnings; quick: libraries and command
  without_mpi   the solver over processes is compiled where MPI is not to be used, and its tests pass on one
                process by itself
  sanitizers    the tests under AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer;
                quick: readers, parameters, operators, solvers on threads
  threads       tests with threads of their own under ThreadSanitizer, OpenMP having one; all tests where
                Kokkos_THREADS_ROOT names a Kokkos with Threads that was compiled with -fsanitize=thread, which the
                private root cannot make: it has Debian's two, without Threads, and no sources of Kokkos
  tidy          clang-tidy on each source; quick: on those that the last commits changed
  coverage      lines of kernels and src that tests on hosts run: at least 93 %; quick: left out
  fuzz          readers of matrices, parameters in JSON and the command line get damaged input for a minute each;
                5000 random systems are solved with random settings; quick: ten seconds of each; both with sanitizers
  faults        each request for memory of setups, solves and commands is refused in turn, of which `./dev test` has a
                sample; quick: left out
  mutants       seeded mistakes (checks/mutants): each makes a test fail; quick: the list fits the sources

A part whose tools are missing is skipped, and says which; 77 is returned where none ran.
END
}

# The trees of checks: double and float in all formats, half; nothing for Debian packages or docs.
configure_check() {
  local name=$1
  shift
  local place=()
  [ "$environment" = host ] || place=(-DKokkos_ROOT=/opt/kokkos-openmp/usr)
  configure "check-$name" ${place[@]+"${place[@]}"} -DTESSERA_ALL_STORAGE_SCALARS=OFF -DTESSERA_BUILD_PERF_TESTS=OFF \
    -DTESSERA_BUILD_EXAMPLES=OFF "$@"
}

# sanitize_flags NAMES: line numbers without the rest of what a debugger wants, which doubles the size.
sanitize_flags() { echo "-DCMAKE_CXX_FLAGS=-fsanitize=$1 -fno-omit-frame-pointer -O1 -g1 -Wno-tsan"; }

# ctest_of TREE ARGUMENT...: unit tests alone; others start commands, compilers or mpirun.
ctest_of() { ctest --test-dir "$1" -L unit --parallel "$jobs" --output-on-failure --no-tests=error "${@:2}"; }

# The programs of unit tests by name.
test_targets() { printf 'tessera_test_%s\n' "$@"; }

quick_tests=(io parameters core smoother concurrent_solvers)

check_warnings() {
  local targets=(tessera)
  [ "$quick" = 1 ] || targets=()
  configure_check warnings -DTESSERA_WERROR=ON -DTESSERA_BUILD_EXAMPLES=ON -DTESSERA_BUILD_PERF_TESTS=ON &&
    build_target ${targets[@]+"${targets[@]}"}
}

# With the scalars of the main configuration, whose objects of kernels and src these are.
check_without_mpi() {
  configure_check without_mpi -DTESSERA_ENABLE_MPI=OFF -DTESSERA_ENABLE_PETSC=OFF -DTESSERA_ALL_STORAGE_SCALARS=ON &&
    build_target tessera_test_distributed || return 1
  # As the tests of several processes are run.
  OMP_NUM_THREADS=1 OMP_PROC_BIND=false "$tree/test/tessera_test_distributed" --gtest_brief=1
}

check_sanitizers() {
  configure_check sanitizers "$(sanitize_flags address,undefined) -fno-sanitize-recover=undefined" \
    -DCMAKE_BUILD_TYPE=None -DTESSERA_BUILD_FUZZERS=ON || return 1
  export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1
  if [ "$quick" = 1 ]; then
    local targets
    mapfile -t targets < <(test_targets "${quick_tests[@]}")
    build_target "${targets[@]}" && ctest_of "$tree" -R "^($(IFS='|' && echo "${quick_tests[*]}"))\$"
  else
    build_target && ctest_of "$tree" --timeout 3600
  fi
}

check_threads() {
  local targets=() kokkos=() name
  export OMP_NUM_THREADS=1 OMP_PROC_BIND=false
  export TSAN_OPTIONS="halt_on_error=1:second_deadlock_stack=1:suppressions=$source_dir/cmake/dev/thread_sanitizer.supp"
  if [ -n "${Kokkos_THREADS_ROOT:-}" ]; then
    if [ ! -d "$Kokkos_THREADS_ROOT" ]; then
      say "Kokkos_THREADS_ROOT is '$Kokkos_THREADS_ROOT', which is no folder; it names one where a Kokkos with Threads is installed"
      return 1
    fi
    kokkos=(-DKokkos_ROOT="$Kokkos_THREADS_ROOT")
    # Without hwloc there would be one thread, where nobody says how many.
    export KOKKOS_NUM_THREADS=2
  else
    mapfile -t targets < <(test_targets io concurrent_solvers)
  fi
  configure_check threads "$(sanitize_flags thread)" -DCMAKE_BUILD_TYPE=None ${kokkos[@]+"${kokkos[@]}"} &&
    build_target ${targets[@]+"${targets[@]}"} || return 1
  if [ ${#targets[@]} = 0 ]; then
    ctest_of "$tree" --timeout 3600
    return
  fi
  # Not by ctest, which gives OpenMP two threads: ThreadSanitizer does not know GCC's.
  for name in "${targets[@]}"; do
    "$tree/test/$name" --gtest_brief=1 || return 1
  done
}

check_tidy() {
  if ! command -v clang-tidy > /dev/null; then
    say "there is no clang-tidy"
    return 77
  fi
  local sources=(kernels/**/*.cpp src/**/*.cpp packages/{app,distributed,parameters}/**/*.cpp) changed
  if [ "$quick" = 1 ]; then
    if ! changed=$(git log -n 20 --name-only --format= -- 'kernels/*.cpp' 'src/*.cpp' \
      'packages/app/*.cpp' 'packages/distributed/*.cpp'); then
      say "git does not say which sources the last commits changed"
      return 77
    fi
    mapfile -t sources < <(awk '!seen[$0]++' <<< "$changed" | grep -v '/cuda/\|/hip/\|/mpi/' |
      while read -r file; do [ ! -f "$file" ] || echo "$file"; done | head -n 12)
    if [ ${#sources[@]} = 0 ]; then
      say "the last 20 commits changed none of the sources"
      return 77
    fi
  fi
  configure_check tidy -DCMAKE_UNITY_BUILD=OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON && build_target tessera_commit || return 1
  # clang takes no header of OpenMP from GCC unless it is by itself.
  mkdir -p "$tree/openmp"
  ln -sf "$(c++ -print-file-name=include/omp.h)" "$tree/openmp/omp.h"
  printf '%s\n' "${sources[@]}" | grep -v '/cuda/\|/hip/\|/mpi/' | grep . |
    xargs -r -P "$jobs" -n 1 clang-tidy -p "$tree" --quiet --warnings-as-errors='*' --extra-arg="-isystem$tree/openmp" \
      --extra-arg=-Wno-unknown-warning-option
}

# The floor: the last whole figure in docs/notebook/checks.md less one.
check_coverage() {
  configure_check coverage -DCMAKE_BUILD_TYPE=None "-DCMAKE_CXX_FLAGS=--coverage -fprofile-update=atomic -O1" || return 1
  find "$tree" -name '*.gcda' -delete
  build_target && ctest_of "$tree" --timeout 3600 || return 1
  python3 "$source_dir/cmake/dev/coverage.py" --source "$source_dir" --build "$tree" --jobs "$jobs" --floor 93
}

check_fuzz() {
  local seconds=60 status=0 name corpus=$source_dir/checks/fuzz solves=(--runs 5000)
  [ "$quick" != 1 ] || seconds=10 solves=(--seconds 10)
  configure_check sanitizers "$(sanitize_flags address,undefined) -fno-sanitize-recover=undefined" \
    -DCMAKE_BUILD_TYPE=None -DTESSERA_BUILD_FUZZERS=ON || return 1
  build_target tessera_fuzz_matrix_market tessera_fuzz_binary tessera_fuzz_json tessera_fuzz_solves tessera ||
    return 1
  local -A corpus_of=([matrix_market]=corpus [binary]=corpus_binary [json]=corpus_json)
  for name in "${!corpus_of[@]}"; do
    (cd "$tree" && "fuzz/tessera_fuzz_$name" --seconds $seconds "$corpus/${corpus_of[$name]}") || status=1
  done
  python3 "$corpus/command_lines.py" "$tree/bin/tessera" --seconds $seconds || status=1
  "$tree/fuzz/tessera_fuzz_solves" "${solves[@]}" --limit 600 || status=1 # ten times as long as without sanitizers
  return $status
}

check_faults() {
  local status=0
  configure_named "$(main_configuration)" &&
    build_target tessera_test_allocation_faults tessera_test_refusing_command || return 1
  TESSERA_TEST_EVERY_ALLOCATION=1 "$tree/test/tessera_test_allocation_faults" --gtest_brief=1 || status=1
  POINTS=2900 "$source_dir/tests/dev/out_of_memory_test.sh" "$tree/test/tessera_test_refusing_command" || status=1
  return $status
}

check_mutants() {
  local program=("$source_dir/cmake/dev/mutants.py" --source "$source_dir")
  if [ "$quick" = 1 ]; then
    python3 "${program[@]}" --check
    return
  fi
  configure_check mutants -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O1 -DCMAKE_UNITY_BUILD=OFF \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON || return 1
  python3 "${program[@]}" --build "$tree" --jobs "$jobs"
}

# check_part NAME: one more case.
check_part() {
  local started=$SECONDS status=0
  echo "== $1"
  ("check_$1") || status=$?
  local minutes=$(((SECONDS - started + 59) / 60))
  case $status in
    0) passed=$((passed + 1)) && echo "$1: passed, $minutes min" ;;
    77) skipped=$((skipped + 1)) && echo "$1: skipped" ;;
    *) failed=$((failed + 1)) && echo "$1: failed, $minutes min" ;;
  esac
}

run_checks() {
  local quick=0 parts=() argument
  passed=0 failed=0 skipped=0
  for argument in "$@"; do
    case $argument in
      --quick) quick=1 ;;
      --help | -h)
        check_usage
        return
        ;;
      *)
        [[ " ${check_parts[*]} " == *" $argument "* ]] || fail "check has no part '$argument'; there are: ${check_parts[*]}"
        parts+=("$argument")
        ;;
    esac
  done
  [ ${#parts[@]} -gt 0 ] || parts=("${check_parts[@]}")
  shopt -s globstar
  cd "$source_dir" || return 1
  for argument in "${parts[@]}"; do
    if [ $quick = 1 ] && [[ $argument =~ ^(coverage|faults)$ ]]; then
      continue
    fi
    check_part "$argument"
  done
  echo
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ] || return 1
  [ "$passed" != 0 ] || return 77
}
