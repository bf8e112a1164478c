#!/bin/bash
# tree_counts_test.sh SCRIPT: files and lines of two revisions of a small repository, and translation units.
# shellcheck disable=SC2016 # backticks are Markdown's
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

script=$1
cd "$folder"
git init -q
save() {
  git add . && git -c user.name=a -c user.email=a@b commit -qm "$1" && git tag "$1"
}
mkdir -p src/tessera tests/fuzz/corpus perf_test/results docs/images
printf '// A comment\n\nint a;\nint b;\n' > src/tessera/a.cpp
printf 'int a;\n' > src/tessera/a.hpp
printf '# Page\n\ntext\n' > docs/page.md
printf 'x\ny\n' > tests/fuzz/corpus/seed.txt
printf '{}\n' > perf_test/results/record.json
printf 'a\0b\n' > src/tessera/binary
save one
printf 'int a;\n' > src/tessera/a.cpp
git rm -q src/tessera/a.hpp
printf 'int t;\nint u;\n' > tests/t.cpp
save two

python3 "$script" one two > out
has '| product: `src` | 2 → 1 | 1 → 1 | 5 → 1 (-80.0 %) | 3 → 1 (-66.7 %) | 2 → 1 |'
has '| product | 2 → 1 | 1 → 1 | 5 → 1 (-80.0 %) | 3 → 1 (-66.7 %) | 2 → 1 |'
has '| tests | 0 → 1 | 0 → 1 | 0 → 2 | 0 → 2 | 0 → 2 |'
has '| performance programs | 0 → 0 | 0 → 0 | 0 → 0 | 0 → 0 | 0 → 0 |'
has '| docs | 1 → 1 | 0 → 0 | 3 → 3 (+0.0 %) | 2 → 2 (+0.0 %) | 3 → 3 |'
has '| all | 3 → 3 | 1 → 2 | 8 → 6 (-25.0 %) | 5 → 5 (+0.0 %) | 3 → 2 |'
(cd src && python3 "$script" one two) > from_a_folder
cmp -s out from_a_folder || wrong "from a folder it counts otherwise"

cat > build.ninja << 'END'
build src/CMakeFiles/t.dir/a.cpp.o: CXX_COMPILER__t_unscanned_ ../src/a.cpp
build src/CMakeFiles/t.dir/b.cpp.o: CXX_COMPILER__t_unscanned_ ../src/b.cpp
build src/CMakeFiles/t_verify_interface_header_sets.dir/c.hpp.cxx.o: CXX_COMPILER__t_unscanned_ c.hpp.cxx
build src/libt.a: CXX_STATIC_LIBRARY_LINKER__t src/CMakeFiles/t.dir/a.cpp.o
END
python3 "$script" --commands build.ninja > out
has '| `src` | 2 |'
echo '[{"file": "/x/a.cpp", "output": "tests/CMakeFiles/t.dir/a.cpp.o"}]' > commands.json
python3 "$script" --commands commands.json > out
has '| `tests` | 1 |'
has '| all | 1 |'

if python3 "$script" none > out 2> err || ! grep -q '^tree_counts: ' err; then
  wrong "a revision that is not there: $(cat out err)"
fi
exit $failed
