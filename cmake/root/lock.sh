#!/bin/bash
# lock.sh COMMAND: the versions of the packages that the private root is made of, in packages.lock beside
# this script, or in the file that LOCK names.
#   lock.sh write ROOT [DATE]   writes the file from a private root; DATE, such as 20261030T080801Z, is that of
#                               the archive's state where ROOT does not tell
#   lock.sh date                the date of that state
#   lock.sh pins                preferences by which apt takes these versions where it finds them
#   lock.sh differences ROOT    `package locked → found`, a line for each; `none` stands for no version
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lock=${LOCK:-$here/packages.lock}

# versions ROOT: of what is installed, and of what was unpacked beside that.
versions() {
  {
    awk -v RS='' -F '\n' '
      /\nStatus: install ok installed/ {
        for (i = 1; i <= NF; ++i) {
          if ($i ~ /^Package: /) package = substr($i, 10)
          if ($i ~ /^Version: /) version = substr($i, 10)
        }
        print package "=" version
      }' "$1/var/lib/dpkg/status"
    cat "$1/opt/kokkos-openmp/packages" 2> /dev/null || true
  } | LC_ALL=C sort -u
}

locked() { grep -v -e '^#' -e '^$' "$lock" || true; }

write() {
  local root=$1 date=${2:-} text
  date=${date:-$(cat "$root/etc/debian_archive_date" 2> /dev/null || true)}
  if ! [[ $date =~ ^[0-9]{8}T[0-9]{6}Z$ ]]; then
    echo "lock.sh: $root does not tell the archive's date; give it, such as 20261030T080801Z" >&2
    exit 64
  fi
  text=$(versions "$root")
  cat > "$lock" << END_OF_LOCK
# The packages of the private root of \`./dev\`, and their versions; \`cmake/root/lock.sh write ROOT\` writes it.
# archive: $date
$text
END_OF_LOCK
}

case ${1:-} in
  write) write "${@:2}" ;;
  date) sed -n 's/^# archive: //p' "$lock" ;;
  pins)
    locked | while IFS='=' read -r package version; do
      # Above those of releases, and of a version that is installed.
      printf 'Package: %s\nPin: version %s\nPin-Priority: 1001\n\n' "$package" "$version"
    done
    ;;
  differences)
    awk -F '=' '
      NR == FNR { want[$1] = $2; next }
      { have[$1] = $2 }
      END {
        for (package in want) {
          if (want[package] != have[package])
            print package, want[package], "→", have[package] == "" ? "none" : have[package]
        }
        for (package in have) {
          if (!(package in want)) print package, "none →", have[package]
        }
      }' <(locked) <(versions "$2") | LC_ALL=C sort
    ;;
  *)
    sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2
    exit 64
    ;;
esac
