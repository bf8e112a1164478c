#!/bin/bash
# coverage_test.sh SCRIPT: of a program of two branches, one of which runs.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

script=$1
cd "$folder"
if ! c++ --version | grep -q 'Free Software Foundation' || ! command -v gcov > /dev/null; then
  echo "skipped: coverage.py reads what GCC writes"
  exit 77
fi
mkdir src build
printf 'int f(int a) {\n  if (a > 1)\n    return 2;\n  return 3;\n}\nint main() { return f(0) - 3; }\n' > src/x.cpp
c++ --coverage -O0 -c src/x.cpp -o build/x.cpp.o
c++ --coverage build/x.cpp.o -o build/x
if python3 "$script" --source . --build build > out 2>&1; then wrong "no test has run"; fi
has "coverage.py: no test has run in $folder/build"
build/x
python3 "$script" --source . --build build --floor 80 --out record.json > out
has '80.0 % of 5 lines ran, floor 80 %'
cp record.json out
has '  "src/x.cpp": ['
if python3 "$script" --source . --build build --floor 81 > out; then wrong "80 % are below the floor"; fi
exit $failed
