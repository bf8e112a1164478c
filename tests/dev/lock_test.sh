#!/bin/bash
# lock_test.sh SOURCE: the lock file of the private root: it names a version of each package of packages.txt, is
# written from a root, becomes apt's preferences, gives the root its name, and what a root has otherwise is said
# by name. A tool of the same name stands in for mmdebstrap.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

recipe=$1/cmake/root

# The file of the repository.
# locked PATTERN: whether a package of that name, in which * stands for any characters, has a version.
names=$(sed -n 's/=.*//p' "$recipe/packages.lock")
locked() {
  local name
  for name in $names; do
    # shellcheck disable=SC2053
    [[ $name != $1 ]] || return 0
  done
  return 1
}
locked 'g*+' || wrong "'g*+' does not stand for g++"
locked 'no-such-*' && wrong "'no-such-*' stands for a package"
equal 'what packages.lock has no version of' \
  "$(grep -v -e '^#' -e '^$' "$recipe/packages.txt" | while read -r pattern; do locked "$pattern" || echo "$pattern"; done)" ''
equal 'a line of packages.lock that is no version' \
  "$(grep -vE '^([a-z0-9][a-z0-9.+-]+=[0-9][A-Za-z0-9.+:~-]*|# .*)$' "$recipe/packages.lock" || true)" ''
[[ $("$recipe/lock.sh" date) =~ ^[0-9]{8}T[0-9]{6}Z$ ]] || wrong "packages.lock has no date"
LOCK=$folder/none "$recipe/lock.sh" 2> /dev/null && wrong "lock.sh takes no command"

# From a root, and against one.
# status PACKAGE=VERSION...: dpkg's table of a root
status() {
  local item
  for item in "$@"; do
    printf 'Package: %s\nStatus: install ok installed\nArchitecture: all\nVersion: %s\n\n' "${item%%=*}" "${item#*=}"
  done
  printf 'Package: gone\nStatus: deinstall ok config-files\nVersion: 1\n\n'
}
root=$folder/root
mkdir -p "$root/var/lib/dpkg" "$root/opt/kokkos-openmp" "$root/etc"
status a=1:2.0+b~c-1 b=3 > "$root/var/lib/dpkg/status"
echo libkokkos-dev=4.6-1 > "$root/opt/kokkos-openmp/packages"
export LOCK=$folder/packages.lock
"$recipe/lock.sh" write "$root" 2> /dev/null && wrong "a lock file without a date was written"
"$recipe/lock.sh" write "$root" 20260102T030405Z
equal 'the lock file' "$(grep -v '^#' "$LOCK" | paste -sd' ')" 'a=1:2.0+b~c-1 b=3 libkokkos-dev=4.6-1'
equal 'its date' "$("$recipe/lock.sh" date)" 20260102T030405Z
equal 'the differences from its own root' "$("$recipe/lock.sh" differences "$root")" ''
status a=1:2.1-1 c=5 > "$root/var/lib/dpkg/status"
equal 'the differences from another root' "$("$recipe/lock.sh" differences "$root" | paste -sd,)" \
  'a 1:2.0+b~c-1 → 1:2.1-1,b 3 → none,c none → 5'
equal 'the preferences' "$("$recipe/lock.sh" pins | head -n 3 | paste -sd,)" \
  'Package: a,Pin: version 1:2.0+b~c-1,Pin-Priority: 1001'
unset LOCK

if [ ! -x /usr/lib/apt/apt-helper ]; then
  echo "no apt here: the private root is not made from a lock file"
  exit $failed
fi

# A private root from a mirror in a folder.
mkdir -p "$folder/cmake" "$folder/snapshots/20260102T030405Z/dists/sid"
cp -r "$recipe" "$folder/cmake/root"
cp -r "$1/cmake/dev" "$folder/cmake/dev"
printf '# archive: 20260102T030405Z\nlibtrilinos-tpetra-dev=17.0-1\na=1\n' > "$folder/cmake/root/packages.lock"
printf 'Codename: sid\nDate: Fri, 02 Jan 2026 03:04:05 UTC\n' > "$folder/snapshots/20260102T030405Z/dists/sid/InRelease"
tool mmdebstrap << 'END'
echo "$@" > "$FOLDER/arguments"
[[ $* =~ \'([^\']*/lock.pref)\' ]] && cp "${BASH_REMATCH[1]}" "$FOLDER/preferences"
tree=${@: -3:1}
mkdir -p "$tree/var/lib/dpkg" "$tree/etc"
cp "$FOLDER/status" "$tree/var/lib/dpkg/status"
END
tool apt-get < /dev/null
tool id <<< 'echo "${USER_ID:-0}"'
tool df <<< 'echo header; echo "/dev/disk 1 1 90000 1 /"'
export FOLDER=$folder PATH=$folder/tools:$PATH
status libtrilinos-tpetra-dev=17.0-1 a=2 > "$folder/status"
# make: the private root, as ./dev makes it
make() { "$folder/cmake/root/make_root.sh" "$folder/cache" 2> "$folder/said"; }
made=$(TESSERA_DEBIAN_SNAPSHOT=copy:$folder/snapshots/ make) || wrong "no root was made: $(cat "$folder/said")"
grep -qF "deb copy:$folder/snapshots/20260102T030405Z sid main" "$folder/arguments" ||
  wrong "it was not made of the snapshot of the lock file's date: $(cat "$folder/arguments")"
grep -qx 'Package: a' "$folder/preferences" || wrong "apt was given no preferences"
grep -q 'lacks locked versions' "$folder/said" && grep -qx '    a 1 → 2' "$folder/said" ||
  wrong "the difference is not said: $(cat "$folder/said")"
equal "the root's date" "$(cat "$made/etc/debian_archive_date")" 20260102T030405Z
equal 'the root once it is there' "$(make)" "$made"
# Another lock file, another root.
echo b=1 >> "$folder/cmake/root/packages.lock"
again=$(USER_ID=1000 make) && wrong "a root of another lock file is taken: $again"
exit $failed
