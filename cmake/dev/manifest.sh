# What `./dev` makes in a folder that may hold more, such as the one that TESSERA_CACHE names: a list in
# that folder, and the removal of what it lists. To be sourced.
# shellcheck shell=bash

manifest_name=.made-by-tessera-dev

# record FOLDER NAME...: lists the entries of FOLDER that `./dev` is about to make, and FOLDER itself, as
# `.`, where it is not there. What is there by another hand is not listed.
record() {
  local folder=$1 list=$1/$manifest_name name new=()
  shift
  if [ ! -d "$folder" ]; then
    mkdir -p "$folder" || return
    new+=(.)
  fi
  for name in "$@"; do
    if [ ! -e "$folder/$name" ] && [ ! -L "$folder/$name" ] && ! is_recorded "$folder" "$name"; then
      new+=("$name")
    fi
  done
  [ ${#new[@]} -gt 0 ] || return 0
  # Unlisted entries stay at a clean: the safe side, and no reason to stop.
  printf '%s\n' "${new[@]}" 2> /dev/null >> "$list" ||
    echo "dev: $list cannot be written; './dev clean' will leave ${new[*]}" >&2
  # By sudo in a user's folder: the list stays the user's.
  [ "$(id -u)" != 0 ] || chown --reference="$folder" "$list" 2> /dev/null || true
}

# is_recorded FOLDER NAME
is_recorded() { grep -qxF -e "$2" "$1/$manifest_name" 2> /dev/null; }

# mounts_in PATH: what is mounted on PATH, a path without links, or below it.
mounts_in() {
  local point
  while read -r _ _ _ _ point _; do
    printf -v point '%b' "${point//\\/\\0}" # a blank is \040 there
    case $point/ in
      "$1"/*) echo "$point" ;;
    esac
  done < "${MOUNTINFO:-/proc/self/mountinfo}"
}

# in_use PATH: whether a `./dev` holds it: a build by its lock file, a private root by itself.
in_use() {
  local lock=$1
  [ ! -f "$1/.lock" ] || lock=$1/.lock
  [ -r "$lock" ] && ! flock -n "$lock" true
}

# why_left FOLDER NAME: why this entry cannot go; nothing where it can.
why_left() {
  local path=$1/$2 found
  case $2 in
    */* | ..) echo "no entry of $1" ;;
    *)
      if [ -L "$path" ]; then
        echo "a link, which ./dev does not make"
      elif found=$(mounts_in "$path" | paste -sd' ') && [ -n "$found" ]; then
        echo "mounted there: $found"
      elif in_use "$path"; then
        echo "another ./dev uses it"
      fi
      ;;
  esac
}

# others_in FOLDER: the entries that are not listed.
others_in() {
  local name
  while IFS= read -r name; do
    [ "$name" = $manifest_name ] || is_recorded "$1" "$name" || echo "$name"
  done < <(find "$1" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort)
}

# remove_recorded FOLDER [--dry-run]: removes what is listed, and FOLDER where it is listed and empty then.
# Says what was removed, what was left and why. Fails where something listed is left, or FOLDER has no list.
remove_recorded() {
  local folder how=${2:-} name why status=0 kept=() others
  [ -d "$1" ] || return 0
  folder=$(cd -P -- "$1" && pwd)
  if [ ! -f "$folder/$manifest_name" ]; then
    [ -n "$(find "$folder" -mindepth 1 -maxdepth 1 -print -quit)" ] || return 0
    echo "dev: $folder: ./dev did not make it (it holds no $manifest_name); nothing in it was removed" >&2
    return 1
  fi
  if [ ! -r "${MOUNTINFO:-/proc/self/mountinfo}" ]; then
    echo "dev: $folder: what is mounted below cannot be seen without /proc; nothing was removed" >&2
    return 1
  fi
  while IFS= read -r name; do
    if [ "$name" = . ] || [ -z "$name" ]; then
      continue
    elif [ ! -e "$folder/$name" ] && [ ! -L "$folder/$name" ]; then
      continue
    fi
    why=$(why_left "$folder" "$name")
    if [ -z "$why" ] && [ "$how" = --dry-run ]; then
      echo "would remove $folder/$name"
    elif [ -z "$why" ]; then
      why=$(rm -rf --one-file-system -- "${folder:?}/$name" 2>&1 | head -n 1)
      [ -n "$why" ] || echo "removed $folder/$name"
    fi
    if [ -n "$why" ]; then
      echo "left $folder/$name: $why"
      kept+=("$name")
      status=1
    fi
  done < <(sort -u "$folder/$manifest_name")
  mapfile -t others < <(others_in "$folder")
  if [ ${#others[@]} -gt 0 ]; then
    echo "left in $folder, not made by ./dev: ${others[*]:0:8}$([ ${#others[@]} -le 8 ] ||
      echo " and $((${#others[@]} - 8)) more")"
  fi
  [ "$how" = --dry-run ] || drop_list "$folder" $((${#others[@]} + ${#kept[@]})) "${kept[@]}"
  return $status
}

# drop_list FOLDER LEFT KEPT...: what remains of the list, and of FOLDER, where LEFT entries are left. Nothing
# changes where the caller may not: an entry that is listed and gone does no harm.
drop_list() {
  local folder=$1 list=$1/$manifest_name left=$2
  shift 2
  [ -w "$folder" ] && [ -w "$list" ] || return 0
  if is_recorded "$folder" .; then
    if [ "$left" = 0 ]; then
      rm -f "$list"
      rmdir -- "$folder" && echo "removed $folder"
      return
    fi
    set -- . "$@"
  fi
  if [ $# -gt 0 ]; then
    printf '%s\n' "$@" > "$list"
  else
    rm -f "$list"
  fi
}
