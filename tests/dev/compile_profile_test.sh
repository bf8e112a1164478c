#!/bin/bash
# compile_profile_test.sh SCRIPT: exclusive and inclusive times of a trace, names without their arguments.
# shellcheck disable=SC2016 # backticks are Markdown's
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

script=$1
cat > "$folder/trace.json" << 'END'
{"traceEvents": [
 {"ph": "b", "name": "Source", "id": 0, "ts": 100000, "args": {"detail": "/usr/include/kokkos/inner.hpp"}},
 {"ph": "e", "name": "Source", "id": 0, "ts": 300000},
 {"ph": "b", "name": "Source", "id": 0, "ts": 0, "args": {"detail": "kernels/outer.hpp"}},
 {"ph": "e", "name": "Source", "id": 0, "ts": 1000000},
 {"ph": "X", "name": "ParseClass", "ts": 290000, "dur": 20000, "args": {"detail": "a"}},
 {"ph": "X", "name": "InstantiateClass", "ts": 1100000, "dur": 400000, "args": {"detail": "a::b<c<int>, (x->y)>"}},
 {"ph": "X", "name": "InstantiateFunction", "ts": 1200000, "dur": 100000, "args": {"detail": "a::b<int>::operator<<int>"}},
 {"ph": "X", "name": "InstantiateClass", "ts": 1300000, "dur": 50000, "args": {"detail": "a::b<long>"}},
 {"ph": "X", "name": "PerformPendingInstantiations", "ts": 1100000, "dur": 400000},
 {"ph": "X", "name": "Frontend", "ts": 0, "dur": 1500000},
 {"ph": "X", "name": "Frontend", "ts": 1500000, "dur": 200000},
 {"ph": "X", "name": "Backend", "ts": 1700000, "dur": 1300000},
 {"ph": "X", "name": "Optimizer", "ts": 1700000, "dur": 900000},
 {"ph": "X", "name": "SROAPass", "ts": 1700000, "dur": 500000, "args": {"detail": "_ZN1a1fIdEEvT_"}},
 {"ph": "X", "name": "Other", "ts": 1800000, "dur": 100000, "args": {"detail": "_ZN1a1gEv"}},
 {"ph": "X", "name": "SROAPass", "ts": 2200000, "dur": 100000, "args": {"detail": "(_ZN1a1fIfEEvT_, _ZN1a1gEv)"}},
 {"ph": "X", "name": "CodeGenPasses", "ts": 2600000, "dur": 400000},
 {"ph": "X", "name": "ExecuteCompiler", "ts": 0, "dur": 3000000},
 {"ph": "X", "name": "Total Frontend", "ts": 0, "dur": 1700000}]}
END
cd "$folder"
python3 "$script" trace.json > "$folder/out"
has '1 sources, 3.0 s.'
has '| reading headers, with what they instantiate | 1.0 | 33 % |'
has "| the source's own text, with what it instantiates | 0.1 | 3 % |"
has '| back end: optimiser | 0.9 | 30 % |'
has '| `trace` | 3.0 | 1.0 | 0.1 | 0.4 | 0.2 | 0.9 | 0.4 |'
has '| Kokkos | 0.2 | 20 % |'
has '| `kernels/outer.hpp` | 800 | 1000 | 1 |'
has '| `inner.hpp` | 200 | 200 | 1 |'
# The class that nests in itself counts once inclusively.
has '| `a::b` | 0.30 | 0.40 | 2 |'
has '| `a::b::operator<` | 0.10 | 0.10 | 1 |'
if command -v c++filt > /dev/null; then
  has '| `a::f` | 0.50 | 2 | 2 |'
  has '| `a::g` | 0.10 | 1 | 1 |'
fi
exit $failed
