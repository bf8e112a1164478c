#!/bin/bash
# enter_as_user_test.sh ENTER_ROOT: in the private root an ordinary user keeps the own number: what a command
# writes is the user's, and the root, which is not, stays as it is. A few of this system's programs stand in for the root.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

chmod 755 "$folder"
skip() {
  echo "skipped: $*"
  exit
}
# as_user COMMAND...: as somebody who is not root
if [ "$(id -u)" = 0 ]; then
  command -v setpriv > /dev/null || skip "there is no setpriv"
  as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
else
  as_user() { "$@"; }
fi
cp -r "$(dirname "$1")" "$folder/scripts"
mkdir "$folder/dev"
cp "$(dirname "$1")/../dev/manifest.sh" "$folder/dev/"
as_user unshare --user --map-root-user --mount mount -t tmpfs tmpfs "$folder" 2> /dev/null ||
  skip "ordinary users have no user namespaces here (nobody has any in a chroot)"

root=$folder/root
mkdir -p "$root"/{srv,etc,proc,sys,dev,usr/bin,root} "$folder/user"/{source/below,cache}
mkdir -m 1777 "$root/tmp"
for name in bin lib lib64; do
  mkdir -p "$root/usr/$name"
  ln -s "usr/$name" "$root/$name"
done
echo 'root:x:0:0::/root:/bin/bash' > "$root/etc/passwd"
for program in bash env id cat touch; do
  path=$(readlink -f "$(command -v $program)")
  cp "$path" "$root/usr/bin/$program"
  while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done < <(ldd "$path" | grep -o '/[^ ]*')
done
chmod -R go+rX "$folder"
if [ "$(id -u)" = 0 ]; then
  chown -R 65534:65534 "$folder/user"
fi

# enter COMMAND: what it prints; its status goes to `status`
enter() {
  status=0
  said=$(cd "$folder/user/source/below" &&
    HOME=$folder/user as_user "$folder/scripts/enter_root.sh" "$root" "$folder/user/source" "$folder/user/cache" \
      bash -c "$1" 2> "$folder/err") || status=$?
}
# expect COMMAND STATUS LINES
expect() {
  enter "$1"
  [ "$status:$said" = "$2:$3" ] ||
    wrong "'$1' returned $status, said '$said'; expected $2, '$3': $(cat "$folder/err")"
}
user=$(as_user id -u)
expect 'id -u; echo "$PWD"; exit 5' 5 "$user"$'\n'"$folder/user/source/below"
expect 'touch ../made && touch "$HOME/made" /tmp/made /ccache/made && echo written' 0 written
[ "$(stat -c %u "$folder/user/source/made" "$folder/user/cache/ccache/made" | sort -u)" = "$user" ] ||
  wrong "what was made is not the caller's"
# The root is another's, and what little the caller can write over it is gone.
if [ "$(id -u)" = 0 ]; then
  expect 'touch /usr/made 2> /dev/null || echo refused' 0 refused
fi
expect 'touch /etc/made && echo written' 0 written
[ ! -e "$root/etc/made" ] && [ -z "$(ls -A "$root/srv")" ] || wrong "the root was written to"
grep -qx ccache "$folder/user/cache/.made-by-tessera-dev" || wrong "ccache's folder is not on the list"

# Root had made the cache folder.
if [ "$(id -u)" = 0 ]; then
  chown -R root:root "$folder/user/cache"
  expect 'touch /ccache/own && echo written' 0 written
  [ -e "$folder/user/.cache/tessera/ccache/own" ] || wrong "there is no ccache folder of the user's own"
fi

# Without user namespaces it says so.
tool unshare <<< 'echo forbidden >&2; exit 1'
chmod -R go+rX "$folder/tools"
PATH=$folder/tools:$PATH enter true
[ "$status" = 1 ] && grep -q 'needs user namespaces.*forbidden' "$folder/err" ||
  wrong "without user namespaces: returned $status, $(cat "$folder/err")"
exit $failed
