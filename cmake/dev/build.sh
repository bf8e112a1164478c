#!/bin/bash
# build.sh TREE JOBS [TARGET...]: builds in a configured tree. It says first how much there is to compile,
# how long that will take and what it needs on the disk, then shows one line of progress with the time
# left, and whole whatever the compiler says. TREE/build.log has all of the output.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR
. "$here/machine.sh"
# shellcheck source-path=SCRIPTDIR
. "$here/progress.sh"

tree=$1 jobs=$2
shift 2
targets=()
if [ $# -gt 0 ]; then
  targets=(--target "$@")
fi
log=$tree/build.log

say() { echo "dev: $*" >&2; }
fail() {
  say "$*"
  exit 1
}

# cached NAME: an entry of the tree's CMakeCache.txt.
cached() { sed -n "s|^$1:[A-Z]*=||p" "$tree/CMakeCache.txt" 2> /dev/null | head -n 1; }

# What the build would do, without doing it. Ninja stops at the line that looks for new files, unless it
# reads its plan by another name, which no rule rewrites.
dry_run() {
  if [ -e "$tree/build.ninja" ]; then
    ln -sf build.ninja "$tree/plan.ninja"
    ninja -C "$tree" -f plan.ninja -n "${targets[@]:1}"
  else
    cmake --build "$tree" "${targets[@]}" -- -n
  fi 2> /dev/null
}

# The objects that are out of date. The source that records the commit is written in every build and
# compiled where it changed; that is not worth a word.
objects_to_compile() {
  dry_run |
    sed -n 's/.*Building C[A-Z]* object \([^ "]*\).*/\1/p' |
    grep -v '/generated/version\.cpp' || true
}

# Whether ccache may have some of them already.
compiles_with_ccache() {
  [[ $(cached TESSERA_CCACHE) == */* || $(cached CMAKE_CXX_COMPILER_LAUNCHER) == *ccache* ]]
}

# Sets `count`, `cpu_seconds` and `disk_mb` from compile_seconds.txt.
estimate() {
  read -r count cpu_seconds disk_mb < <(awk '
    NR == FNR { if (!/^#/) { seconds[$1] = $2; mb[$1] = $3 } next }
    {
      n += 1
      folder = $0
      while (!(folder in seconds) && sub(/\/[^\/]*$/, "", folder)) { }
      time += folder in seconds ? seconds[folder] : 10
      size += folder in mb ? mb[folder] : 2
    }
    # Archives and programs repeat what is in the objects.
    END { printf "%d %d %d\n", n, time, 2 * size + 50 }' "$here/compile_seconds.txt" -)
}

# Says what will be done, and sets `expected`, its seconds. Fails where the disk is too small.
announce() {
  local free cores with='' share
  cores=$(nproc)
  share=$((jobs < cores ? jobs : cores))
  if [ "$count" -gt 4 ]; then
    cpu_seconds=$((cpu_seconds * $(relative_speed "$(cached CMAKE_CXX_COMPILER)") / 100))
  fi
  expected=$((cpu_seconds / share + 1))
  ! compiles_with_ccache || with=", less for what ccache has"
  free=$(free_mb "$tree")
  say "compiling $count file$([ "$count" = 1 ] || echo s) in $tree, $jobs at a time:" \
    "about $(duration "$expected")$with; $disk_mb MB on the disk, $free MB free"
  [ "$free" -ge "$disk_mb" ] ||
    fail "no disk: $tree has $free MB free, the build needs $disk_mb MB"
}

# What compilers, linkers and their drivers say where the memory is gone.
ran_out_of_memory() {
  grep -qiE 'Killed signal terminated program|internal compiler error: Killed|terminated with signal 9|died due to signal 9|virtual memory exhausted|out of memory allocating|LLVM ERROR: out of memory|: cannot allocate memory' "$log"
}

explain_failure() {
  if ran_out_of_memory; then
    local memory out="run again with TESSERA_JOBS=1"
    memory=$(available_kib /proc/meminfo)
    if [ "$jobs" = 1 ]; then
      out="one compilation takes up to $(gib $kib_per_job): close other programs, or add swap space"
    fi
    fail "the compiler ran out of memory ($jobs job$([ "$jobs" = 1 ] || echo s) at a time${memory:+, $(gib "$memory") available now}); $out"
  fi
  if grep -q 'No space left on device' "$log"; then
    fail "no disk: $(free_mb "$tree") MB are free (all of the output: $log)"
  fi
  fail "the build failed (all of the output: $log)"
}

estimate < <(objects_to_compile)
expected=1
if [ "$count" -gt 0 ]; then
  announce
fi
# A line that a program reads, whatever the user's own NINJA_STATUS says.
export NINJA_STATUS='[%f/%t] '
cmake --build "$tree" --parallel "$jobs" "${targets[@]}" 2>&1 | tee "$log" |
  show_progress "$expected" >&2 || explain_failure
