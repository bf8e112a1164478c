#!/bin/bash
# summary_test.sh SOURCE: the last lines of `./dev test` and of `.ci/run` count every case, those that
# a passing GoogleTest program skipped too, say why they were, and name those that failed. ctest is
# a stand-in that prints a record.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

clone "$1" "$folder"
mkdir "$folder/.ci"
cp "$1/cmake/test_summary.awk" "$folder/cmake/"
cp "$1/.ci/run" "$folder/.ci/run"

tool cmake < /dev/null
tool ctest << 'END'
cat "$RECORD/output"
[ ! -e "$RECORD/log" ] || { mkdir -p "$2/Testing/Temporary"; cp "$RECORD/log" "$2/Testing/Temporary/LastTest.log"; }
[ ! -e "$RECORD/fails" ]
END

# record NAME: begins a record; ran TEST RESULT: a test of it, with its output from stdin.
record() {
  record=$folder/$1
  number=0
  mkdir -p "$record"
  : > "$record/output"
  printf 'Start testing: Nov 21 13:52 UTC\n%s\n' "$rule" > "$record/log"
}
rule=----------------------------------------------------------
ran() {
  number=$((number + 1))
  printf '%2d/9 Test %3s: %s ........%s   0.01 sec\n' $number "#$number" "$1" "$2" >> "$record/output"
  {
    printf '%d/9 Testing: %s\n%d/9 Test: %s\nCommand: "program"\nDirectory: /build\n' \
      $number "$1" $number "$1"
    printf '"%s" start time: Nov 21 13:52 UTC\nOutput:\n%s\n' "$1" "$rule"
    cat
    printf '<end of output>\nTest time =   0.01 sec\n%s\nTest Passed.\n%s\n\n' "$rule" "$rule"
  } >> "$record/log"
}
ended() { printf '\n100%% tests passed, %s tests failed out of %s\n' "$1" "$number" >> "$record/output"; }

# expect CODE LAST-LINES COMMAND...
expect() {
  local code=$1 lines=$2
  shift 2
  PATH=$folder/tools:$PATH RECORD=$record Kokkos_CUDA_ROOT=$folder/none TESSERA_CI_MINUTES=0 gives "$code" "$lines" "$@"
}
shown() { tail -n "$(wc -l <<< "$1")"; }
host=(env -u TESSERA_INSIDE_ROOT TESSERA_ENVIRONMENT=host)
root=(env TESSERA_INSIDE_ROOT=1)

# What `.ci/run` says of the parts that it has nothing or no time for.
# Some come before the packages, the others at the end.
{ read -ra early && read -ra late; } < <(sed -n 's/^for part in \(.*\); do$/\1/p' "$1/.ci/run")
num_checks=$((${#early[@]} + ${#late[@]}))
no_time_for() {
  local part
  for part in "$@"; do
    printf '\n== check --quick %s\n0 minutes are over: not run to its end\ncheck --quick %s: skipped\n' "$part" "$part"
  done
}
not_here="
== warnings
warnings: none
$(no_time_for "${early[@]}")

== packages (in a clean root)
Debian packages are made in the private root (TESSERA_ENVIRONMENT is 'host')
packages: skipped

== cuda (compiled only)
there is no Kokkos with CUDA (Kokkos_CUDA_ROOT names one)
cuda: skipped

== check --quick without_mpi
0 minutes are over: not run to its end
check --quick without_mpi: skipped

== performance programs
0 minutes are over: not run to its end
performance programs: skipped
$(no_time_for "${late[@]}")

== cuda tarball
the CUDA configuration is not compiled
cuda tarball: skipped

== cuda tests (compiled only)
the CUDA configuration is not compiled
cuda tests: skipped"

# As a clone without the matrices gives it.
record without_matrices
ran real_matrices '   Passed' << 'END'
[ RUN      ] RealMatrices/AnyMatrix.Ends/pores_1
/tests/nonsymmetric_test.cpp:26: Skipped
the matrices are not there; TESSERA_MATRICES names their folder

[  SKIPPED ] RealMatrices/AnyMatrix.Ends/pores_1 (0 ms)
[ RUN      ] RealMatrices/AnyMatrix.Ends/west0479
/tests/nonsymmetric_test.cpp:26: Skipped
the matrices are not there; TESSERA_MATRICES names their folder

[  SKIPPED ] RealMatrices/AnyMatrix.Ends/west0479 (0 ms)
[==========] 2 tests from 1 test suite ran. (0 ms total)
[  PASSED  ] 0 tests.
[  SKIPPED ] 2 tests, listed below:
[  SKIPPED ] RealMatrices/AnyMatrix.Ends/pores_1
[  SKIPPED ] RealMatrices/AnyMatrix.Ends/west0479
END
ran io '   Passed' << 'END'
[ RUN      ] Write.Holds
a line of its own without an end[       OK ] Write.Holds (3 ms)
[ RUN      ] Write.FullDisk
/tests/write_test.cpp:211: Skipped
no /dev/full
on this system

[  SKIPPED ] Write.FullDisk (0 ms)
[ RUN      ] Write.Typed/0
[       OK ] Write.Typed/0 (3 ms)
[----------] 3 tests from Write (6 ms total)
END
ran format '***Skipped' <<< 'skipped: there is no clang-format 21'
ran quotes '   Passed' <<< 'all hold'
ended 0
openmp_skips='2 cases skipped in real_matrices: the matrices are not there; TESSERA_MATRICES names their folder
1 case skipped in io: no /dev/full on this system
format skipped: there is no clang-format 21'
expect 0 "
$(sed 's/^/host: /' <<< "$openmp_skips")
3 passed, 0 failed, 4 skipped" "${host[@]}" "$folder/dev" test
expect 0 "
$(sed 's/^/openmp: /' <<< "$openmp_skips")
$(sed 's/^/trilinos: /' <<< "$openmp_skips")
6 passed, 0 failed, 8 skipped" "${root[@]}" "$folder/dev" test
expect 0 "$not_here

4 passed, 0 failed, $((10 + num_checks)) skipped" "${host[@]}" "$folder/.ci/run"

record with_failures
ran amg '***Failed' << 'END'
[ RUN      ] Amg/0.Converges
amg_test.cpp:3: Failure
[  FAILED  ] Amg/0.Converges, where TypeParam = double (0 ms)
[ RUN      ] Amg/0.Holds
[       OK ] Amg/0.Holds (0 ms)
[  FAILED  ] 1 test, listed below:
[  FAILED  ] Amg/0.Converges, where TypeParam = double
END
ran solver '***Exception: SegFault' << 'END'
[ RUN      ] Solver.Holds
[       OK ] Solver.Holds (0 ms)
[ RUN      ] Solver.Crashes
END
ran examples '***Timeout' <<< 'it waits'
ended 3
touch "$record/fails"
failures='amg failed: Amg/0.Converges
solver failed
examples failed'
expect 1 "
$(sed 's/^/host: /' <<< "$failures")
2 passed, 3 failed, 0 skipped" "${host[@]}" "$folder/dev" test
expect 1 "
$(sed 's/^/host: /' <<< "$failures")
2 passed, 3 failed, 0 skipped
$not_here

3 passed, 3 failed, $((6 + num_checks)) skipped" "${host[@]}" "$folder/.ci/run"

# All is skipped: nothing was tested.
record only_skips
ran format '***Skipped' <<< 'skipped: there is no clang-format 21'
ended 0
expect 1 "
host: format skipped: there is no clang-format 21
0 passed, 0 failed, 1 skipped" "${host[@]}" "$folder/dev" test

# A ctest that stops early, and a log that lacks a test, are failures and not fewer cases.
record stopped
ran amg '   Passed' <<< '[       OK ] Amg.Holds (0 ms)'
expect 1 "
0 passed, 1 failed, 0 skipped" "${host[@]}" "$folder/dev" test
number=2
ended 0
expect 1 "
0 passed, 1 failed, 0 skipped" "${host[@]}" "$folder/dev" test
rm "$record/log"
expect 1 "
0 passed, 1 failed, 0 skipped" "${host[@]}" "$folder/dev" test

# `.ci/run` where there is time: what `./dev` returns is what becomes of a part. It is a stand-in.
mkdir -p "$folder/stand_in/.ci"
cp "$1/.ci/run" "$folder/stand_in/.ci/run"
cat > "$folder/stand_in/dev" << 'END'
#!/bin/bash
case $* in
  test)
    mkdir -p build/host
    echo "$BUILD_LOG" > build/host/build.log
    echo '5 passed, 0 failed, 1 skipped'
    ;;
  'check --quick tidy')
    echo 'there is no clang-tidy'
    exit 77
    ;;
  'check --quick mutants') exit "$MUTANTS" ;;
esac
END
chmod +x "$folder/stand_in/dev"
for code in 0 1; do
  gives $code "$(
    for part in "${early[@]}"; do
      printf '== check --quick %s\n' "$part"
      case $part:$code in
        tidy:*) printf 'there is no clang-tidy\ncheck --quick %s: skipped\n\n' "$part" ;;
        mutants:1) printf 'check --quick %s: failed\n\n' "$part" ;;
        *) printf 'check --quick %s: passed\n\n' "$part" ;;
      esac
    done
  )

== packages (in a clean root)
Debian packages are made in the private root (TESSERA_ENVIRONMENT is 'host')
packages: skipped

== cuda (compiled only)
there is no Kokkos with CUDA (Kokkos_CUDA_ROOT names one)
cuda: skipped

== check --quick without_mpi
check --quick without_mpi: passed

== performance programs
performance programs: compiled
$(for part in "${late[@]}"; do printf '\n== check --quick %s\ncheck --quick %s: passed\n' "$part" "$part"; done)

== cuda tarball
the CUDA configuration is not compiled
cuda tarball: skipped

== cuda tests (compiled only)
the CUDA configuration is not compiled
cuda tests: skipped

$((7 + num_checks - code)) passed, $code failed, 6 skipped" \
    env TESSERA_ENVIRONMENT=host "Kokkos_CUDA_ROOT=$folder/none" TESSERA_CI_MINUTES=9 "MUTANTS=$code" \
    'BUILD_LOG=parameters.hpp:7: warning: Doxygen has a test of its own' "$folder/stand_in/.ci/run"
done

# A compiler's warning is a failure, whatever else holds.
shown() { sed -n '/^== warnings/,/^$/p'; }
for warning in '../../src/a.cpp:7:3: warning: unused variable [-Wunused-variable]' \
  $'src/a.hpp:7:3: \e[01;35m\e[Kwarning: \e[m\e[Kunused'; do
  gives 1 "== warnings
$warning
warnings: failed" \
    env TESSERA_ENVIRONMENT=host "Kokkos_CUDA_ROOT=$folder/none" TESSERA_CI_MINUTES=0 MUTANTS=0 \
    "BUILD_LOG=$warning" "$folder/stand_in/.ci/run"
done
exit $failed
