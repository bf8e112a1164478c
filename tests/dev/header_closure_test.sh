#!/bin/bash
# header_closure_test.sh SCRIPT: the list of installed headers of a small tree, right and wrong in each way.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

script=$1
cd "$folder"
mkdir -p cmake docs examples kernels/tessera/kernels/spmv src/tessera/solve packages/tpetra/tessera/tpetra
echo '#include "tessera/solve/parameters.hpp"' > src/tessera/solve.hpp
printf '%s\n' '#include <tessera/kernels/a.hpp>' '// not kernels::A' > src/tessera/solve/parameters.hpp
touch kernels/tessera/kernels/a.hpp kernels/tessera/kernels/b.hpp
echo '#include "tessera/kernels/b.hpp"' > packages/tpetra/tessera/tpetra/operator.hpp
echo '#include "tessera/solve.hpp"' > examples/01_a.cpp

# says TEXT: the check fails and says so.
says() {
  ! python3 "$script" . --check > out || wrong "the check passes, expected: $1"
  grep -qF -e "$1" out || wrong "the check does not say: $1, but" "$(cat out)"
}
passes() { python3 "$script" . --check > out || wrong 'the check fails:' "$(cat out)"; }

printf '%s\n' '# By hand.' 'public tessera/solve.hpp' 'public tessera/tpetra/operator.hpp' > cmake/public_headers.txt
says 'tessera/kernels/a.hpp is included by a public header, and not listed'
python3 "$script" . --write > out
passes
grep -qx '2 public headers and 3 that they need, 4 of them of src and kernels: 0 findings' out ||
  wrong "counted: $(cat out)"
cp cmake/public_headers.txt once
python3 "$script" . --write > out
cmp once cmake/public_headers.txt || failed=1
grep -qx '# By hand.' once || failed=1

python3 "$script" . --why tessera/kernels/a.hpp > out
printf '%s\n' 'public tessera/solve.hpp' '  includes tessera/solve/parameters.hpp' '  includes tessera/kernels/a.hpp' | cmp - out || failed=1
if python3 "$script" . --why tessera/kernels/c.hpp > out; then failed=1; fi

echo 'needed tessera/kernels/c.hpp' >> cmake/public_headers.txt
says 'there is no tessera/kernels/c.hpp'
touch kernels/tessera/kernels/c.hpp
says 'tessera/kernels/c.hpp is listed as needed, and no public header includes it'
cp once cmake/public_headers.txt

echo '#include "tessera/kernels/a.hpp"' > examples/02_b.cpp
says 'examples/02_b.cpp includes tessera/kernels/a.hpp, which is not public'
rm examples/02_b.cpp
# shellcheck disable=SC2016 # backticks are Markdown's
echo '`<tessera/kernels/c.hpp>`' > docs/page.md
says 'docs/page.md names <tessera/kernels/c.hpp>, which is not installed'
rm docs/page.md

echo 'struct Parameters { kernels::A a; };' >> src/tessera/solve/parameters.hpp
says "a user's parameters name something of kernels::"
sed -i '$d' src/tessera/solve/parameters.hpp

for i in $(seq 120); do
  touch "kernels/tessera/kernels/spmv/$i.hpp"
  echo "#include \"tessera/kernels/spmv/$i.hpp\"" >> kernels/tessera/kernels/a.hpp
done
python3 "$script" . --write > out || true
says '124 headers of src and kernels would be installed; at most 120'
: > kernels/tessera/kernels/a.hpp
python3 "$script" . --write > out
passes
exit $failed
