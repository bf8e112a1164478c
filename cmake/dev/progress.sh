# One line of progress in place of a build's scroll. To be sourced.
# shellcheck shell=bash

# clock SECONDS: as minutes and seconds.
clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# seconds_left EXPECTED ELAPSED DONE TOTAL: what was expected gives way to what was measured while the
# first tenth is done.
seconds_left() {
  local expected=$1 elapsed=$2 finished=$3 total=$4
  local prior=$((total / 10 + 1))
  echo $(((total - finished) * (elapsed + expected * prior / total) / (finished + prior)))
}

# What a step of Ninja or make is about, short: "compiled kernels/spmv/csr.cpp".
describe_step() {
  local step=$1 path
  case $step in
    'Building C'*' object '*)
      path=${step##* object }
      path=${path%.o}
      case $path in
        */CMakeFiles/*.dir/*) path=${path%%/CMakeFiles/*}/${path#*.dir/} ;;
        CMakeFiles/*.dir/*) path=${path#*.dir/} ;;
      esac
      # Folders repeat the name of the project: kernels/tessera/kernels/spmv is kernels/spmv.
      path=${path/kernels\/tessera\/kernels\//kernels\/}
      echo "compiled $path"
      ;;
    'Linking '*)
      step=${step##* }
      echo "linked ${step##*/}"
      ;;
    *) echo "$step" ;;
  esac
}

# parse_step LINE: sets `finished`, `total`, `step` and `count`, what is shown of them, from a line of
# Ninja's or make's. Fails where it is none.
parse_step() {
  if [[ $1 =~ ^\[\ *([0-9]+)/([0-9]+)\]\ (.*)$ ]]; then
    finished=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]} step=${BASH_REMATCH[3]}
    count=$(printf '[%*d/%d] ' ${#total} "$finished" "$total")
  elif [[ $1 =~ ^\[\ *([0-9]+)%\]\ (.*)$ ]]; then
    finished=${BASH_REMATCH[1]} total=100 step=${BASH_REMATCH[2]} count=
  else
    return 1
  fi
}

# Lines that say nothing to whoever waits: CMake's own when it runs again, and the generators'.
is_chatter() {
  case $1 in
    '-- '* | 'ninja: Entering directory'* | 'ninja: no work to do.' | 'Change Dir: '* | 'Run Build Command'* | \
      'Consolidate compiler generated dependencies'* | 'Scanning dependencies of target'* | \
      'make: Nothing to be done'* | 'gmake: Nothing to be done'* | \
      '['*'%] Built target '*) return 0 ;;
  esac
  return 1
}

# show_progress EXPECTED: reads the output of a build, which was expected to take so many seconds. On a
# terminal one line is written again and again, elsewhere a line every 30 s or tenth of the build. What is
# no step is shown whole. The command line of a failed compilation is left to the log.
show_progress() {
  local expected=$1 finished=0 total=0 count='' step='' line='' part status begin=$SECONDS
  local terminal='' width shown_at=$SECONDS shown_tenth=0 skip_command=''
  if [ -t 1 ]; then
    terminal=1
    width=$(stty size <&1 2> /dev/null | cut -d' ' -f2 || true)
    [ "${width:-0}" -gt 0 ] || width=80
  fi
  while :; do
    part='' status=0
    # Part of a line where the second is over before its end.
    IFS= read -r -t 1 part || status=$?
    line+=$part
    if [ "$status" -gt 128 ]; then
      write_progress
      continue
    elif [ "$status" != 0 ] && [ -z "$line" ]; then
      break
    fi
    if is_chatter "$line"; then
      :
    elif parse_step "$line"; then
      write_progress
    elif [ -n "$skip_command" ]; then
      skip_command=
    else
      printf '%s%s\n' "${terminal:+$'\r\033[K'}" "$line"
      # Ninja goes on with the command, which fills a screen.
      [[ $line != 'FAILED: '* ]] || skip_command=1
    fi
    line=
  done
  [ -z "$terminal" ] || printf '\r\033[K'
}

# One line of show_progress, whose variables it takes.
write_progress() {
  [ "$total" -gt 0 ] || return 0
  local elapsed=$((SECONDS - begin)) text percent
  percent=$((100 * finished / total))
  if [ -z "$terminal" ]; then
    # A build of a few steps in a moment needs no line at all.
    if [ $((SECONDS - shown_at)) -lt 30 ] &&
      { [ $((percent / 10)) -le "$shown_tenth" ] || [ "$total" -lt 10 ]; }; then
      return 0
    fi
    shown_at=$SECONDS shown_tenth=$((percent / 10))
  fi
  text="$count$percent %, about $(clock "$(seconds_left "$expected" "$elapsed" "$finished" "$total")") left: $(describe_step "$step")"
  if [ -n "$terminal" ]; then
    printf '\r\033[K%s' "${text:0:width-1}"
  else
    echo "$text"
  fi
}
