# What `./dev` knows of this machine: its memory, its disk and its speed. To be sourced.
# shellcheck shell=bash

# What one compilation may take, in KiB: 2 GiB.
kib_per_job=$((2 * 1024 * 1024))

# available_kib MEMINFO [CGROUP]: the memory that new programs can have, in KiB; a container's limit
# counts where it is tighter. Nothing where the system does not tell.
available_kib() {
  local meminfo=$1 cgroup=${2:-/sys/fs/cgroup} available limit used left
  available=$(awk '/^MemAvailable:/ { print $2 }' "$meminfo" 2> /dev/null) || return 0
  limit=$(cat "$cgroup/memory.max" 2> /dev/null || true)
  used=$(cat "$cgroup/memory.current" 2> /dev/null || true)
  if [[ $limit =~ ^[0-9]+$ && $used =~ ^[0-9]+$ ]]; then
    left=$(((limit - used) / 1024))
    if [ -z "$available" ] || [ "$left" -lt "$available" ]; then
      available=$left
    fi
  fi
  echo "$available"
}

# default_jobs [CORES [KIB]]: how many files are compiled at a time: one a core, as far as the memory
# goes round.
default_jobs() {
  local cores=${1:-$(nproc)} kib=${2-$(available_kib /proc/meminfo)} jobs
  jobs=$cores
  if [ -n "$kib" ] && [ $((kib / kib_per_job)) -lt "$cores" ]; then
    jobs=$((kib / kib_per_job))
  fi
  echo $((jobs > 0 ? jobs : 1))
}

# gib KIB: in GiB with one decimal.
gib() { awk -v kib="$1" 'BEGIN { printf "%.1f GiB\n", kib / 1048576 }'; }

# free_mb FOLDER
free_mb() { df -Pm "$1" | awk 'NR == 2 { print $4 }'; }

# duration SECONDS: as people say it.
duration() {
  if [ "$1" -lt 90 ]; then
    echo "$(($1 > 10 ? ($1 + 5) / 10 * 10 : 10)) seconds"
  else
    echo "$((($1 + 30) / 60)) minutes"
  fi
}

# relative_speed COMPILER: the CPU time that one small source takes here over that on the machine of
# compile_seconds.txt, in percent: 200 is half as fast. 100 where it does not compile.
relative_speed() {
  local reference_ms=2200 milliseconds TIMEFORMAT='%U %S'
  milliseconds=$({ time "$1" -std=c++20 -O2 -x c++ -c - -o /dev/null > /dev/null 2>&1 << 'END'; } 2>&1
#include <map>
#include <regex>
bool matches(const std::string& s) { return std::regex_match(s, std::regex("a+b")); }
END
  ) || milliseconds=
  milliseconds=$(awk '{ printf "%d", 1000 * ($1 + $2) }' <<< "$milliseconds")
  if [ "${milliseconds:-0}" -lt 100 ]; then
    echo 100 # no compiler takes so little: it failed
  else
    echo $((100 * milliseconds / reference_ms))
  fi
}
