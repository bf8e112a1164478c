#!/bin/bash
# tests_in_shares_test.sh SCRIPT: every case runs once however a program is cut, GPUs take turns, and what fails, is
# late, ends badly or has not begun is said. The programs are stand-ins that speak as GoogleTest does.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"
script=$1
mkdir -p "$folder/build/test"

# program NAME CASE...: by its first letters a case passes, fails, fails beside others, is skipped, late, or ends all
program() {
  local name=$1
  shift
  cat > "$folder/build/test/tessera_test_$name" << END
#!/bin/bash
cases=($*)
for a in "\$@"; do
  [ "\$a" != --gtest_list_tests ] || { echo Suite. && printf '  %s\n' "\${cases[@]}" && exit; }
  case \$a in --gtest_filter=Suite.*) wanted=\${a#*=Suite.} ;; esac
done
echo "$name \${GTEST_SHARD_INDEX}/\${GTEST_TOTAL_SHARDS} \${CUDA_VISIBLE_DEVICES-all}" >> "$folder/began"
status=0
for i in "\${!cases[@]}"; do
  case=\${cases[i]}
  [ -z "\${wanted:-}" ] || [ "\$case" = "\$wanted" ] || continue
  [ \$((i % GTEST_TOTAL_SHARDS)) = \$GTEST_SHARD_INDEX ] || continue
  echo "[ RUN      ] Suite.\$case"
  end=OK
  case \$case in
    fails*) end=FAILED status=1 ;;
    beside*) [ -n "\${wanted:-}" ] || end=FAILED status=1 ;;
    skips*) end=SKIPPED ;;
    late*) sleep 60 ;;
    dies*) exit 139 ;;
  esac
  printf '\e[0;32m[ %8s ] \e[mSuite.%s (3 ms)\n' \$end "\$case"
  echo "$name \$case" >> "$folder/ran"
done
exit \$status
END
  chmod +x "$folder/build/test/tessera_test_$name"
}
in_shares() { python3 "$script" "$folder/build" --log "$folder/log" --out "$folder/record.json" "$@"; }
# recorded EXPRESSION VALUE: of the record
recorded() { equal "$1" "$(python3 -c "import json, sys; r = json.load(open(sys.argv[1])); print($1)" "$folder/record.json")" "$2"; }

program amg a b c d e skips
program refusing_command a
gives 0 '5 passed, 0 failed, 1 skipped' in_shares --gpus 2 --jobs 1 --cases 2 --commit abc1234
equal 'shares and their GPUs' "$(cat "$folder/began")" 'amg 0/3 0
amg 1/3 1
amg 2/3 0'
equal 'each case once' "$(sort "$folder/ran")" 'amg a
amg b
amg c
amg d
amg e
amg skips'
recorded '(r["passed"], r["skipped"], r["commit"])' "({'amg': 5}, {'amg': 1}, 'abc1234')"

program bad a fails beside
program dying fails dies a
gives 1 "failed: bad: Suite.fails
failed: dying: Suite.fails
ended with 139: dying.0, in Suite.dies ($folder/log/dying.0.log)
5 passed, 3 failed, 0 skipped" in_shares --gpus 0 --only 'bad|dying|amg.0' --cases 3
recorded 'r["passed_alone_after_failing_beside_others"]' "{'bad': ['Suite.beside']}"
recorded 'r["passed"]' "{'amg': 3, 'bad': 2}"
rm "$folder/build/test/tessera_test_bad" "$folder/build/test/tessera_test_dying"
program shy beside
gives 0 '1 passed, 0 failed, 0 skipped' in_shares --gpus 0 --only shy
rm "$folder/build/test/tessera_test_shy" "$folder/began"
CUDA_VISIBLE_DEVICES=5,7 gives 0 '5 passed, 0 failed, 1 skipped' in_shares --jobs 1 --cases 3
equal 'the GPUs that there are' "$(cat "$folder/began")" 'amg 0/2 5
amg 1/2 7'

program slow a late
gives 0 'ended at its limit: slow.0, in Suite.late
6 passed, 0 failed, 1 skipped' in_shares --gpus 0 --limit-s 4
program slow late a
gives 1 'ended at its limit: slow.0, in Suite.late
not begun: slow.1
0 passed, 0 failed, 0 skipped' in_shares --gpus 0 --only slow --jobs 1 --cases 1 --total-s 6 --limit-s 5.5
gives 1 "tests_in_shares: $folder/build/test has no program of tests for --only 'none'" in_shares --only none

# Several processes see all GPUs and begin by the program for them.
rm -f "$folder/began" "$folder/build/test/tessera_test_slow"
tool mpirun << 'END'
[ "$1 $2 $3" = '--oversubscribe -n 3' ] || exit 9
exec "${@:4}"
END
program distributed a b
PATH=$folder/tools:$PATH gives 0 '4 passed, 0 failed, 0 skipped' in_shares --gpus 2 --jobs 1 --processes 3 --only distributed
equal 'one process and three' "$(sort "$folder/began")" 'distributed 0/1 0
distributed 0/1 all'
recorded 'r["passed"]' "{'distributed': 2, 'distributed_3_processes': 2}"
tool mpirun << 'END'
echo '[ RUN      ] Suite.a'
echo 'process 2: a_test.cpp:3: Failure'
echo '[       OK ] Suite.a (3 ms)'
exit 1
END
PATH=$folder/tools:$PATH gives 1 'failed: distributed_2_processes: Suite.a
0 passed, 1 failed, 0 skipped' in_shares --gpus 0 --processes 2 --only distributed_2
exit $failed
