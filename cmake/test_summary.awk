# Counts what `ctest --output-on-failure` ran, case by case, because it shows nothing of a GoogleTest
# program that passes although it skipped cases.
#
#   awk -v configuration=NAME -f test_summary.awk CTEST-OUTPUT part=log LastTest.log
#
# Prints `PASSED FAILED SKIPPED`, then a line for each reason to skip and for each test that failed. A GoogleTest program counts as
# its cases, any other test as one case; a program that fails without a case that failed, because it
# crashed or took too long, is one failed case more. Returns 2 where the log does not hold the tests
# that ctest speaks of.

# How ctest saw each test; the log calls a skipped one passed.
part != "log" && /^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
  line = $0
  sub(/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: /, "", line)
  name = line
  sub(/ .*/, "", name)
  if (line ~ /\*\*\*Skipped / || line ~ /\*\*\*Not Run \(Disabled\)/) status[name] = "skipped"
  else status[name] = line ~ /[. ] +Passed +[0-9.]+ sec/ ? "passed" : "failed"
  next
}
part != "log" && /tests passed, .* out of [0-9]+$/ { expected = $NF }
part != "log" { next }

/^[0-9]+\/[0-9]+ Testing: / {
  test = $3
  if (!(test in ok)) tests[++num_tests] = test
  ok[test] = bad[test] = skips[test] = 0  # of several runs the last one counts
  for (i = 1; i <= num_reasons[test]; ++i) delete times[test, reasons[test, i]]
  num_reasons[test] = 0
  said[test] = ""
  inside = in_reason = 0
  next
}
/^Output:$/ && !inside { inside = 1; next }
/<end of output>$/ { inside = 0 }
!inside { next }

/\[       OK \] .* \([0-9]+ ms\)$/ { ++ok[test] }
/\[  FAILED  \] .* \([0-9]+ ms\)$/ {
  name = $0
  sub(/^.*\[  FAILED  \] /, "", name)
  sub(/,? .*/, "", name)
  failures[test, ++bad[test]] = name
}
/\[  SKIPPED \] .* \([0-9]+ ms\)$/ {
  ++skips[test]
  if (reason == "") reason = "no reason is given"
  if (!((test, reason) in times)) reasons[test, ++num_reasons[test]] = reason
  ++times[test, reason]
}
/\[ RUN      \] / || / \([0-9]+ ms\)$/ { in_reason = 0; reason = "" }
in_reason && /[^ ]/ { reason = reason (reason == "" ? "" : " ") $0 }
/: Skipped$/ { in_reason = 1; reason = "" }
# As tests that are scripts say it.
/^skipped: / { said[test] = ": " substr($0, 10) }

function cases(n) { return n == 1 ? "1 case" : n " cases" }

END {
  for (t = 1; t <= num_tests; ++t) {
    test = tests[t]
    if (!(test in status)) exit 2
    if (status[test] == "skipped") {
      ++skipped
      notes = notes configuration ": " test " skipped" said[test] "\n"
      continue
    }
    passed += ok[test]
    failed += bad[test]
    skipped += skips[test]
    if (status[test] == "failed") {
      if (bad[test] == 0) ++failed
      cause = ""
      for (i = 1; i <= bad[test]; ++i) cause = cause (i == 1 ? ": " : ", ") failures[test, i]
      ends = ends configuration ": " test " failed" cause "\n"
    }
    if (status[test] == "passed" && ok[test] + bad[test] + skips[test] == 0) ++passed
    for (i = 1; i <= num_reasons[test]; ++i) {
      why = reasons[test, i]
      notes = notes configuration ": " cases(times[test, why]) " skipped in " test ": " why "\n"
    }
  }
  if (num_tests < expected || expected == "") exit 2
  print passed + 0, failed + 0, skipped + 0
  printf "%s%s", notes, ends
}
