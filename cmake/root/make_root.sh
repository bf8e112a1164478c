#!/bin/bash
# make_root.sh CACHE: makes the private root of `./dev`, a Debian sid tree, in a folder of CACHE,
# and prints the folder's name. Progress goes to the standard error. Run again after an interruption,
# it makes the tree again, from the packages that were downloaded until then.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=$1
# shellcheck source-path=SCRIPTDIR source=../dev/manifest.sh
. "$here/../dev/manifest.sh"

say() { echo "dev: $*" >&2; }
fail() {
  say "$*"
  exit 1
}

# The name holds a digest of what the root is made from, so that a change of it makes a new root.
recipe=$(cd "$here" && cat packages.txt packages.lock trilinos.pref kokkos_openmp.sh | sha256sum | cut -c1-10)
root=$cache/root-$recipe
if [ -d "$root" ]; then
  echo "$root"
  exit
fi

if [ "$(id -u)" != 0 ]; then
  # The user's own folder, where it is not there: what the user adds later goes there, too.
  record "$cache" || true
  fail "making the private root needs root rights, once; then it runs as you do: sudo $here/make_root.sh $cache" \
    "(or a Kokkos of your own: see ./dev --help)"
fi
command -v apt-get > /dev/null ||
  fail "the private root needs a Debian or Ubuntu host; elsewhere install what ./dev --help lists"
if ! record "$cache" lock tools.log root.log root.differences packages "root-$recipe" "root-$recipe.partial" ||
  [ ! -w "$cache" ]; then
  fail "cannot write to $cache (TESSERA_CACHE names another folder)"
fi

exec 9> "$cache/lock"
if ! flock -n 9; then
  say "another ./dev makes the private root; waiting for it"
  flock 9
fi
if [ -d "$root" ]; then
  echo "$root"
  exit
fi

free_mb=$(df -Pm "$cache" | awk 'NR == 2 { print $4 }')
[ "$free_mb" -ge 4000 ] || fail "no disk: $cache has $free_mb MB free, the private root needs 4000 MB"

# 1. The one tool that it takes on the host.
missing=()
command -v mmdebstrap > /dev/null || missing+=(mmdebstrap)
[ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || missing+=(debian-archive-keyring)
if [ ${#missing[@]} -gt 0 ]; then
  say "1/3 installing ${missing[*]}"
  log=$cache/tools.log
  if ! { DEBIAN_FRONTEND=noninteractive apt-get -q update &&
    DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends "${missing[@]}"; } \
    > "$log" 2>&1; then
    fail "apt-get cannot install ${missing[*]}: $(grep '^[EW]:' "$log" | tail -n 1) (all in $log)"
  fi
fi

# 2. A Debian archive with sid: of the snapshots that TESSERA_DEBIAN_SNAPSHOT names the one of the lock
# file's date; else the mirror that TESSERA_DEBIAN_MIRROR names; else the system's own, or, on Ubuntu, the
# same server's /debian.
say "2/3 looking for a Debian mirror"
probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
# Read-only for others' eyes: apt fetches as the user _apt where it can.
chmod 755 "$probe"
has_sid() {
  rm -f "$probe/InRelease"
  timeout 60 /usr/lib/apt/apt-helper download-file "$1/dists/sid/InRelease" "$probe/InRelease" \
    > /dev/null 2>&1 && grep -q '^Codename: sid' "$probe/InRelease"
}
candidates=()
if [ -n "${TESSERA_DEBIAN_SNAPSHOT:-}" ]; then
  snapshot=${TESSERA_DEBIAN_SNAPSHOT%/}
  # A snapshot rather than all of them.
  [[ ${snapshot##*/} =~ ^[0-9]{8}T[0-9]{6}Z$ ]] || snapshot+=/$("$here/lock.sh" date)
  candidates+=("$snapshot")
elif [ -n "${TESSERA_DEBIAN_MIRROR:-}" ]; then
  candidates+=("${TESSERA_DEBIAN_MIRROR%/}")
else
  # apt itself reads both forms of its sources, one-line and deb822.
  while read -r site; do
    candidates+=("$site")
    case $site in
      */ubuntu) candidates+=("${site%/ubuntu}/debian") ;;
    esac
  done < <(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | sed 's|/*$||' | sort -u | grep -v -- -security)
fi
mirror=
for candidate in ${candidates[@]+"${candidates[@]}"}; do
  if has_sid "$candidate"; then
    mirror=$candidate
    break
  fi
done
[ -n "$mirror" ] ||
  fail "no Debian mirror with sid is reachable (tried: ${candidates[*]:-none}); set TESSERA_DEBIAN_MIRROR to one's" \
    "address, or TESSERA_DEBIAN_SNAPSHOT to that of an archive of snapshots"
archive_date=$(date -u -d "$(sed -n 's/^Date: //p' "$probe/InRelease" | head -n 1)" +%Y%m%dT%H%M%SZ)
"$here/lock.sh" pins > "$probe/lock.pref"

# 3. The tree, in a folder of another name until it is whole.
say "3/3 making the private root from $mirror (2.9 GB, 2 to 5 minutes)"
partial=$root.partial
downloaded=$cache/packages
log=$cache/root.log
# The packages that an earlier try left, whole ones and begun ones: apt checks them and goes on.
mkdir -p "$downloaded/partial"
for folder in . partial; do
  find "$partial/var/cache/apt/archives/$folder" -maxdepth 1 -name '*.deb*' -type f \
    -exec mv -t "$downloaded/$folder" {} + 2> /dev/null || true
done
rm -rf --one-file-system "$partial"
packages=$(grep -v '^#' "$here/packages.txt" | grep . | paste -sd,)
started=$SECONDS
mmdebstrap --variant=apt --mode=root \
  --aptopt='Acquire::Check-Valid-Until "false"' \
  --aptopt='Acquire::Retries "3"' \
  --dpkgopt='path-exclude=/usr/share/man/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/share/doc/*' \
  --skip=essential/unlink \
  --include="$packages" \
  --setup-hook='mkdir -p "$1/var/cache/apt/archives"' \
  --setup-hook="cp -rl '$downloaded/.' \"\$1/var/cache/apt/archives/\"" \
  --setup-hook='mkdir -p "$1/etc/apt/preferences.d"' \
  --setup-hook="cp '$here/trilinos.pref' \"\$1/etc/apt/preferences.d/trilinos.pref\"" \
  --setup-hook="cp '$probe/lock.pref' \"\$1/etc/apt/preferences.d/lock.pref\"" \
  --customize-hook="cp '$here/kokkos_openmp.sh' \"\$1/tmp/kokkos_openmp.sh\"" \
  --customize-hook='chroot "$1" sh /tmp/kokkos_openmp.sh' \
  --customize-hook='rm "$1/tmp/kokkos_openmp.sh"' \
  sid "$partial" "deb $mirror sid main" "deb $mirror experimental main" > "$log" 2>&1 &
maker=$!
trap 'kill "$maker" 2> /dev/null; rm -rf "$probe"' EXIT
last=
while kill -0 "$maker" 2> /dev/null; do
  sleep 2
  step=$(grep -a '^I: ' "$log" | grep -av -e hook | tail -n 1 | cut -c4- || true)
  if [ "$step" != "$last" ]; then
    say "    $((SECONDS - started)) s: $step"
    last=$step
  fi
done
if ! wait "$maker"; then
  gone=$(sed -n 's/^E: Unable to locate package //p; s/^E: Package .\(.*\). has no installation candidate$/\1/p' "$log" | head -n 1)
  [ -z "$gone" ] || fail "the package $gone is gone from $mirror (all in $log)"
  ! grep -q 'No space left on device' "$log" || fail "no disk: $cache is full (all in $log)"
  ! grep -qE 'Could not (connect|resolve)|Failed to fetch|Unable to connect|Temporary failure' "$log" ||
    fail "the mirror $mirror cannot be reached: $(grep '^E:' "$log" | head -n 1) (all in $log)"
  fail "making the private root failed: $(grep '^E:' "$log" | head -n 1) (all in $log)"
fi
trap 'rm -rf "$probe"' EXIT

version=$(dpkg-query --admindir="$partial/var/lib/dpkg" -W -f '${Version}' libtrilinos-tpetra-dev)
release=${version#*:}
[ "${release%%.*}" -ge 17 ] ||
  fail "the mirror $mirror has Trilinos $version; Tessera needs 17 or newer, from Debian's experimental"

echo "$archive_date" > "$partial/etc/debian_archive_date"

# What is not as the lock file says, by name; a mirror drops old versions.
mapfile -t differences < <("$here/lock.sh" differences "$partial")
if [ ${#differences[@]} -gt 0 ]; then
  listed=$cache/root.differences
  printf '%s\n' "${differences[@]}" > "$listed"
  say "$mirror lacks locked versions (TESSERA_DEBIAN_SNAPSHOT names an archive that keeps them); instead of them," \
    "${#differences[@]} in number, the root has:"
  printf '    %s\n' "${differences[@]:0:20}" >&2
  [ ${#differences[@]} -le 20 ] || say "    and $((${#differences[@]} - 20)) more, all in $listed"
fi

mv "$partial" "$root"
rm -rf "$downloaded"
say "the private root is ready ($((SECONDS - started)) s)"
echo "$root"
