#!/bin/bash
# build_test.sh SOURCE: what `./dev` says of a build: what it will do, one line of progress, warnings and
# errors whole, and why it failed. CMake, Ninja and make are stand-ins that print records.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

source_dir=$1
build=$source_dir/cmake/dev/build.sh
tree=$folder/tree
mkdir -p "$tree"
# cmake --build TREE ... -- -n shows what would be done, without -n what is done.
tool cmake << 'END'
for argument in "$@"; do [ "$argument" != -n ] || { cat "$TREE/plan"; exit; }; done
echo "$@" > "$TREE/arguments"
cat "$TREE/output"
exit "$(cat "$TREE/status")"
END
tool df << 'END'
echo "Filesystem 1048576-blocks Used Available Capacity Mounted"
echo "/dev/disk 100000 1 ${FREE_MB:-90000} 1% /"
END
tool nproc <<< 'echo 2'
export TREE=$tree PATH=$folder/tools:$PATH

# record STATUS: the output of a build from stdin, which ends so.
record() {
  echo "$1" > "$tree/status"
  cat > "$tree/output"
}
# expect CODE LINES [TARGET...]: what the build says, and what it returns; it may say nothing else.
expect() {
  local code=$1 lines=$2 found=0 there
  shift 2
  there=$("$build" "$tree" "${jobs:-2}" "$@" 2>&1) || found=$?
  # Times and memory are this machine's.
  there=$(sed -E 's/about [0-9]+:[0-9]+ left/about TIME left/; s/[0-9.]+ GiB available/MEMORY available/;
    s/about [0-9]+ (seconds|minutes)/about TIME/' <<< "$there")
  equal "the build $*" "returned $found
$there" "returned $code
$lines"
}

# Nothing to do: not a word, even though the commit is recorded in every build.
printf '[1/2] Recording the commit\n[2/2] Building CXX object kernels/CMakeFiles/k.dir/generated/version.cpp.o\n' \
  > "$tree/plan"
record 0 <<< '[1/1] Recording the commit'
expect 0 ''

# Three files, with a warning.
for name in a b c; do
  echo "[1/4] Building CXX object kernels/CMakeFiles/k.dir/tessera/kernels/spmv/$name.cpp.o"
done > "$tree/plan"
echo '[4/4] Linking CXX executable bin/tessera' >> "$tree/plan"
{
  echo '[0/20] Re-checking globbed directories...'
  for number in {1..19}; do
    printf '[%d/20] Building CXX object kernels/CMakeFiles/k.dir/tessera/kernels/spmv/a%d.cpp.o\n' "$number" "$number"
    [ "$number" != 3 ] || printf 'a3.cpp:1:2: warning: unused\n    1 | int a;\n'
  done
  echo '[20/20] Linking CXX executable bin/tessera'
} | record 0
plan="dev: compiling 3 files in $tree, 2 at a time: about TIME; 63 MB on the disk, 90000 MB free"
expect 0 "$plan
[ 2/20] 10 %, about TIME left: compiled kernels/spmv/a2.cpp
a3.cpp:1:2: warning: unused
    1 | int a;
$(for number in 4 6 8 10 12 14 16 18; do
    printf '[%2d/20] %d0 %%, about TIME left: compiled kernels/spmv/a%d.cpp\n' "$number" $((number / 2)) "$number"
  done)
[20/20] 100 %, about TIME left: linked tessera" tessera
[ "$(cat "$tree/arguments")" = "--build $tree --parallel 2 --target tessera" ] ||
  wrong "cmake was called with $(cat "$tree/arguments")"
cmp -s "$tree/output" "$tree/build.log" || wrong "build.log is not what the build said"

# on_terminal COMMAND...: by whichever tool there is that makes one.
on_terminal() {
  if command -v script > /dev/null; then
    script -qec "$*" /dev/null
  else
    python3 -c 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' "$@"
  fi < /dev/null
}

# On a terminal the line is written again and again, and is gone at the end.
on_terminal "$build" "$tree" 2 > "$folder/terminal" || wrong "the build fails on a terminal"
tail -n +2 "$folder/terminal" | tr -d '\n' | grep -q $'\r\033\\[K\\[ 1/20\\] 5 %.*a1.cpp\r\033\\[K\\[ 2/20\\] 10 %' ||
  wrong "on a terminal: $(od -c "$folder/terminal" | head -n 20)"
[ "$(grep -c 'left: ' "$folder/terminal")" -le 3 ] || wrong "progress on a terminal takes more than its line"
[ "$(tail -c 4 "$folder/terminal")" = $'\r\033[K' ] || wrong "the last line of progress stays on the terminal"

# make counts in percent.
record 0 << 'END'
Scanning dependencies of target k
[  4%] Building CXX object src/CMakeFiles/k.dir/a.cpp.o
[ 25%] Building CXX object src/CMakeFiles/k.dir/b.cpp.o
[100%] Built target k
END
expect 0 "$plan
25 %, about TIME left: compiled src/b.cpp"

# An error is shown whole, without the command line.
record 1 << 'END'
[1/4] Building CXX object src/CMakeFiles/k.dir/a.cpp.o
FAILED: [code=1] src/CMakeFiles/k.dir/b.cpp.o
/usr/bin/c++ -O3 -I/many/folders -c b.cpp
b.cpp:1:2: error: 'x' was not declared
    1 |   x = "out of memory";
ninja: build stopped: subcommand failed.
END
expect 1 "$plan
FAILED: [code=1] src/CMakeFiles/k.dir/b.cpp.o
b.cpp:1:2: error: 'x' was not declared
    1 |   x = \"out of memory\";
ninja: build stopped: subcommand failed.
dev: the build failed (all of the output: $tree/build.log)"

# A compiler without memory is named as such, in the words of each.
while read -r message; do
  record 1 <<< "$message"
  expect 1 "$plan
$message
dev: the compiler ran out of memory (2 jobs at a time, MEMORY available now); run again with TESSERA_JOBS=1"
done << 'END'
c++: fatal error: Killed signal terminated program cc1plus
c++: internal compiler error: Killed (program cc1plus)
cc1plus: out of memory allocating 65536 bytes after a total of 1232896 bytes
virtual memory exhausted: Cannot allocate memory
collect2: fatal error: ld terminated with signal 9 [Killed]
nvcc error   : 'cicc' died due to signal 9 (Kill signal)
LLVM ERROR: out of memory
as: fork: Cannot allocate memory
END
jobs=1
expect 1 "${plan/2 at a time/1 at a time}
as: fork: Cannot allocate memory
dev: the compiler ran out of memory (1 job at a time, MEMORY available now); one compilation takes up to 2.0 GiB: close other programs, or add swap space"
jobs=2

# No disk, known before and found out later.
record 0 <<< '[1/1] Linking CXX executable bin/tessera'
FREE_MB=62 expect 1 "${plan/90000/62}
dev: no disk: $tree has 62 MB free, the build needs 63 MB"
record 1 <<< 'a.s: fatal error: No space left on device'
expect 1 "$plan
a.s: fatal error: No space left on device
dev: no disk: 90000 MB are free (all of the output: $tree/build.log)"

# With ccache some of it may be there already.
echo 'TESSERA_CCACHE:FILEPATH=/usr/bin/ccache' > "$tree/CMakeCache.txt"
record 0 < /dev/null
expect 0 "${plan/TIME;/TIME, less for what ccache has;}"

# Ninja is asked by another name of its plan, for it stops where that is to be rewritten.
echo 'rule a' > "$tree/build.ninja"
tool ninja << 'END'
echo "$@" > "$TREE/ninja_arguments"
cat "$TREE/plan"
END
expect 0 "${plan/TIME;/TIME, less for what ccache has;}" tessera
[ "$(cat "$tree/ninja_arguments")" = "-C $tree -f plan.ninja -n tessera" ] ||
  wrong "ninja was called with $(cat "$tree/ninja_arguments")"
[ "$(cat "$tree/plan.ninja")" = 'rule a' ] || wrong "plan.ninja is not the tree's plan"

# The first run of a command says what it will do; a later one does not. Jobs are a number.
clone "$source_dir" "$folder/clone"
# run_dev CODE LINE...: what `./dev bench none` says of these.
run_dev() {
  local code=$1 found=0 line
  shift
  env -u TESSERA_INSIDE_ROOT TESSERA_ENVIRONMENT=host "$folder/clone/dev" bench none > "$folder/dev.log" 2>&1 ||
    found=$?
  [ "$found" = "$code" ] || wrong "dev bench: returned $found, expected $code: $(cat "$folder/dev.log")"
  for line in "$@"; do
    grep -qxE "$line" "$folder/dev.log" || wrong "dev bench does not say '$line': $(cat "$folder/dev.log")"
  done
}
record 0 < /dev/null
: > "$tree/plan"
# The same machine has more to do where fewer files are compiled at a time.
read -r _ seconds _ < <(grep '^command:bench ' "$source_dir/cmake/dev/compile_seconds.txt")
TESSERA_JOBS=1 run_dev 1 'dev: first run: .* private root .*' \
  "dev: compiling takes about $(((seconds + 30) / 60)) minutes with 1 at a time and [0-9]+ MB of the disk; 90000 MB are free"
touch "$folder/clone/build/host/CMakeCache.txt"
run_dev 1
! grep -q 'first run' "$folder/dev.log" || wrong "a later run says 'first run'"
TESSERA_JOBS=two run_dev 1 "dev: TESSERA_JOBS is 'two'; expected a number of at least 1"

# shellcheck source=cmake/dev/machine.sh
. "$source_dir/cmake/dev/machine.sh"
# shellcheck source=cmake/dev/progress.sh
. "$source_dir/cmake/dev/progress.sh"

# Jobs: one a core, 2 GiB each; where the system does not tell, one a core; never none.
equal 'jobs of 8 cores and 5 GiB' "$(default_jobs 8 5242880)" 2
equal 'jobs of 8 cores and 64 GiB' "$(default_jobs 8 67108864)" 8
equal 'jobs of 8 cores and no word of the memory' "$(default_jobs 8 '')" 8
equal 'jobs of 8 cores and 1 GiB' "$(default_jobs 8 1048576)" 1
printf 'MemTotal: 9000000 kB\nMemAvailable: 8000000 kB\n' > "$folder/meminfo"
equal 'the memory' "$(available_kib "$folder/meminfo" "$folder/none")" 8000000
mkdir "$folder/cgroup"
echo max > "$folder/cgroup/memory.max"
echo 1024 > "$folder/cgroup/memory.current"
equal 'the memory without a limit' "$(available_kib "$folder/meminfo" "$folder/cgroup")" 8000000
echo $((4000001 * 1024)) > "$folder/cgroup/memory.max"
equal 'the memory of a container' "$(available_kib "$folder/meminfo" "$folder/cgroup")" 4000000

# At first what was expected, then what was measured: half of it in 100 s leaves some 100 s.
equal 'time left at first' "$(seconds_left 400 0 0 100)" 400
equal 'time left of a slow build' "$(seconds_left 100 200 50 100)" $((50 * (200 + 11) / 61))
equal 'time left at the end' "$(seconds_left 400 30 100 100)" 0
equal 'a time' "$(clock 130)" 2:10
exit $failed
