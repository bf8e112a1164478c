#!/bin/bash
# mpi_write_faults_test.sh PROGRAM MPIEXEC FLAG [ARGUMENT...]: what two processes of the command write is there in
# whole or not at all, and the old file stays until the new one is whole: one of them killed during each kind of
# write, or all, or what started them; a signal meanwhile; a full disk, a folder that takes no files, and one that
# vanishes, which end both processes with the same code. Nothing hangs. ROUNDS is how often each is killed.

# In a name space of its own, where it may be had, for the small disks that it mounts.
if [ "${OWN_MOUNTS:-}" = "" ]; then
  own=no
  unshare -m true 2> /dev/null && own=yes
  export OWN_MOUNTS=$own
  [ $own = no ] || exec unshare -m "$0" "$@"
fi
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

program=$(readlink -f "$1")
mpiexec=$2
flag=$3
shift 3
more=("$@")
rounds=${ROUNDS:-1}
cd "$folder"

# Each process's number, that of what started it and later its status, in files.
cat > noted << 'END'
#!/bin/bash
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}
trap '' TERM
(
  trap - TERM
  echo "$BASHPID $PPID" > "ids.$rank"
  exec nice -n 19 "$@" # so that who kills is sooner
)
status=$?
echo $status > "status.$rank"
exit $status
END
chmod +x noted
of=(--problem poisson2d --n 320 --nrhs 3 -p preconditioner=none -p solver.name=cg --tolerance 0.99)

# on OPTION...: starts the command on two processes in the background, ended where it hangs; it is `started`
on() {
  rm -f ids.* status.*
  timeout --kill-after=5 100 env --default-signal=INT "$mpiexec" "$flag" 2 "${more[@]}" "$folder/noted" \
    "$program" solve "${of[@]}" --quiet "$@" > .out 2> .err &
  started=$!
}
running() { kill -0 "$started" 2> /dev/null; }
# ended WHAT: waits for it, 30 s at the most; its status is `status`. Both processes are gone with it, some time after
# a killed launcher.
ended() {
  local rank id i
  for ((i = 0; i < 300; ++i)); do
    running || break
    sleep 0.1
  done
  ((i < 300)) || { wrong "$1: hangs" && { kill -TERM "$started" || true; }; }
  status=0
  wait "$started" 2> /dev/null || status=$?
  for rank in 0 1; do
    [ -s ids.$rank ] || continue
    read -r id _ < ids.$rank
    for ((i = 0; i < 100; ++i)); do
      kill -0 "$id" 2> /dev/null || break
      sleep 0.1
    done
    ((i < 100)) || { wrong "$1: process $rank goes on" && { kill -KILL "$id" || true; }; }
  done
}
# open_file FOLDER: process 0 has a file of this folder open that has no name as yet
open_file() {
  [ -s ids.0 ] && [[ $(readlink /proc/"$(cut -d ' ' -f 1 ids.0)"/fd/* 2> /dev/null) == *"$folder/$1/"* ]]
}
# whole FILE: whether it is what is written undisturbed; reports differ by their times
whole() {
  case $1 in
    *.json*) [ "$(tail -n 1 "$1" | tail -c 2)" = '}' ] ;;
    *.html*) tail -n 1 "$1" | grep -q '</html>' ;;
    *) cmp -s "$1" "reference/$kind" ;;
  esac
}
outputs() { words=(-o "$1/$kind" --report "$1/r.json" --html "$1/r.html"); }

mkdir reference
for kind in x.mtx x.mtx.gz; do
  outputs reference
  on "${words[@]}"
  ended "$kind"
  [ $status = 0 ] || wrong "$kind is not written: $status, $(cat .err)"
  for file in "$kind" r.json r.html; do
    whole "reference/$file" || wrong "$file does not end as expected"
  done
done

# in_time WHEN: waits until x is being written, or until it is and the reports follow, at once
in_time() {
  until open_file killed || ! running; do sleep 0.005; done
  if [ "$1" = x ]; then
    sleep 0.00$((RANDOM % 10))
  else
    while [ "killed/$kind" -ef old ] && running; do :; done
  fi
}
# killed VICTIM: sends KILL to it
killed() {
  local ids=() first second
  read -r first launcher < ids.0
  read -r second _ < ids.1
  case $1 in
    writer) ids=("$first") ;;
    other) ids=("$second") ;;
    all) ids=("$first" "$second" "$launcher") ;;
    launcher) ids=("$launcher") ;;
  esac
  kill -KILL "${ids[@]}" 2> /dev/null || true
}
# left WHAT: of each output the old file or the new one, and beside them whole ones alone, just before they take
# their place; counts in `early` those that are the old ones
left() {
  local file
  early=0
  for file in "killed/$kind" killed/r.json killed/r.html killed/.[!.]*; do
    if [ "$(head -c 4 "$file" 2> /dev/null | tr -d '\0')" = old ]; then
      early=$((early + 1))
    elif [ -e "$file" ] && ! whole "$file"; then
      wrong "$1: half of a file is left, as $file"
    fi
  done
}

# kill_during WHEN KIND VICTIM
kill_during() {
  kind=$2
  mkdir killed
  echo old | tee "killed/$kind" killed/r.json > killed/r.html
  ln -f "killed/$kind" old
  outputs killed
  on "${words[@]}"
  in_time "$1"
  killed "$3"
  ended "$3 killed"
  left "$3 killed, $1 of $kind"
  echo "$3 killed, $1 of $kind: ended with $status, $early of 3 files are the old ones"
  rm -r killed
}
for ((round = 0; round < rounds; ++round)); do
  before_x=0
  for try in 'x.mtx writer' 'x.mtx.gz writer' 'x.mtx other' 'x.mtx all' 'x.mtx launcher'; do
    # shellcheck disable=SC2086
    kill_during x $try
    [ $early != 3 ] || before_x=$((before_x + 1))
  done
  [ $before_x != 0 ] || wrong 'no kill came before x was whole'
  # They are short: the kill may come too late.
  for ((try = 0, early = 0; try < 8; ++try)); do
    [ $early = 0 ] || break
    kill_during reports x.mtx writer
  done
  [ $early != 0 ] || wrong 'no kill came between the outputs'
done

# A signal to a process while x is written: it is written to its end, and the reports, too.
kind=x.mtx
mkdir killed
echo old > killed/$kind
outputs killed
on "${words[@]}"
in_time x
kill -INT "$(cut -d ' ' -f 1 ids.0)" 2> /dev/null || true
ended 'SIGINT to a process'
left 'SIGINT to a process'
# 130 where it came behind the last output.
[[ $early = 0 && ($status = 0 || $status = 130) ]] || wrong "SIGINT to a process: ended with $status, $early outputs are not written"
# To what started them: it ends them soon.
on "${words[@]}"
in_time x
kill -INT "$(cut -d ' ' -f 2 ids.0)" 2> /dev/null || true
ended 'SIGINT to all'
left 'SIGINT to all'
rm -r killed

# fails WHAT TEXT: both processes ended with 74, and TEXT was said once
fails() {
  equal "$1: status" "$status $(cat status.* | paste -s -d ' ')" '74 74 74'
  [ "$(grep -c -F -e "$2" .err)" = 1 ] || wrong "$1: does not say '$2' once:" "$(cat .err)"
}
# No space. Not every root has mount(8).
# small_disk FLAGS: on `full`; 33 makes what is there read-only
small_disk() {
  python3 -c 'import ctypes, sys
sys.exit(ctypes.CDLL(None).mount(b"tmpfs", b"full", b"tmpfs", int(sys.argv[1]), b"size=64k") != 0)' "$1" 2> /dev/null
}
mkdir full
if [ "$OWN_MOUNTS" = yes ] && small_disk 0; then
  trap 'python3 -c "import ctypes; ctypes.CDLL(None).umount2(b\"$folder/full\", 2)"; rm -rf --one-file-system "$folder"' EXIT
  # without_space OUTPUT OPTION...: it cannot be written, which is said; the old ones are there, and no other file but
  # the log
  without_space() {
    local file
    on "${@:2}"
    ended "no space for $1"
    fails "no space for $1" "$1: cannot be written: No space left on device"
    for file in x.mtx r.json r.html; do
      equal "no space: the old $file" "$(cat "full/$file")" old
    done
    rm -f full/filler full/r.log
    equal 'no space: files' "$(cd full && echo * .[!.]*)" 'r.html r.json x.mtx .[!.]*'
  }
  fill() { head -c 1000000 /dev/zero > full/filler 2> /dev/null || true; }
  kind=x.mtx
  echo old | tee full/x.mtx full/r.json > full/r.html
  outputs full
  without_space '-o full/x.mtx' -o full/x.mtx # after some of it
  fill
  without_space '-o full/x.mtx' "${words[@]}"
  fill
  without_space '--report full/r.json' --report full/r.json --html full/r.html
  fill
  without_space '--html full/r.html' --html full/r.html
  fill
  without_space '--log full/r.log' --log full/r.log
  small_disk 33 && {
    on "${words[@]}"
    ended 'a read-only disk'
    fails 'a read-only disk' '-o full/x.mtx: cannot be written: Read-only file system'
  }
else
  echo 'no file system may be mounted here: what a full disk does is not tested'
fi

# The folder of one output vanishes during the solve: the other outputs are written. Once the pipe is
# opened, the command has checked its outputs.
mkdir vanishing
mkfifo matrix
of=(matrix)
on -o vanishing/x.mtx --report r.json
exec 3<> matrix
until [ -s ids.0 ] && [[ $(readlink /proc/"$(cut -d ' ' -f 1 ids.0)"/fd/*) == *"$folder/matrix"* ]] || ! running; do
  sleep 0.01
done
rmdir vanishing
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 2\n2 2 2\n3 3 2\n' >&3
exec 3>&-
ended 'a folder that vanishes'
fails 'a folder that vanishes' '-o vanishing/x.mtx: cannot be'
{ [ -e r.json ] && whole r.json; } || wrong 'a folder that vanishes takes the report with it'
exit $failed
