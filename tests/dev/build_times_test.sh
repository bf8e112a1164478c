#!/bin/bash
# build_times_test.sh SCRIPT: the rows of `perf_test/build_times.py` are what was measured in a clone, and the
# estimates of `./dev` are written from them. `./dev` and the compiler are stand-ins.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

source=$folder/source
mkdir -p "$source"/{perf_test,cmake/dev,kernels,tools} "$folder/cache/root-1"
cp "$1" "$source/perf_test/build_times.py"
echo 'void spmv();' > "$source/kernels/spmv.cpp"
echo 'void csr();' > "$source/kernels/csr.hpp"
printf '# What it costs.\nkernels 99 9\nsrc 10 1\n# The same in all\ncommand:solve 99 9\n' \
  > "$source/cmake/dev/compile_seconds.txt"
# Takes 0.3 s of CPU time and writes an object of 2 MB.
cat > "$source/tools/c++" << 'END'
#!/bin/bash
while [ "$1" != -o ]; do shift; done
python3 -c 'import time
while time.process_time() < 0.3: pass
data = bytearray(60000000)'
head -c 2000000 /dev/zero > "$2"
END
cat > "$source/dev" << 'END'
#!/bin/bash
launcher=${TESSERA_CMAKE_ARGS#*=}
here=$(cd "$(dirname "$0")" && pwd)
[ -d "$TESSERA_CACHE/root-1" ] || exit 9
[ -z "$(ls "$CCACHE_DIR")" ] || exit 8
compile() {
  mkdir -p "$here/build/openmp/$1/CMakeFiles/t.dir"
  touch "$here/build/openmp/CMakeCache.txt"
  PATH=$here/tools:/usr/bin:/bin CCACHE_DISABLE=1 "$launcher" c++ -c a.cpp -o "$here/build/openmp/$1/CMakeFiles/t.dir/$2.o"
}
case $1 in
  solve) compile kernels a; compile kernels b ;;
  test) compile tests/amg c; echo '5 passed, 1 failed, 0 skipped'; exit 1 ;;
  shell) [ "$2" = true ] || { grep -q build_times_ "$here/kernels/spmv.cpp" && compile kernels a; } ;;
esac
END
chmod +x "$source/dev" "$source/tools/c++"
git -C "$source" init -q
git -C "$source" -c user.name=a -c user.email=a@b add .
git -C "$source" -c user.name=a -c user.email=a@b commit -qm a

TESSERA_CACHE=$folder/cache "$source/perf_test/build_times.py" --cores 1 --kernel kernels/spmv.cpp \
  --header kernels/csr.hpp --rows solve,test,kernel --out "$folder/record.json" --update-estimates \
  > "$folder/out" 2> "$folder/err" && wrong "a test that fails is none of the exit status"
python3 - "$folder/record.json" << 'END' || failed=1
import json, sys
solve, test, kernel = json.load(open(sys.argv[1]))["rows"]
assert solve["compilations"] == 2 and kernel["compilations"] == 1, (solve, kernel)
assert 0.6 <= solve["compiling_cpu_seconds"] <= solve["cpu_seconds"] < 20, solve
assert solve["peak_memory_mb"] >= 60 and solve["disk_mb"] == 4, solve
assert test["summary"] == "5 passed, 1 failed, 0 skipped" and test["exit_status"] == 1, test
END
grep -q '^| test |.*5 passed, 1 failed, 0 skipped \*\*ended with 1\*\* |$' "$folder/out" ||
  wrong "the table is" "$(cat "$folder/out")"
# Folders that were compiled have what they took, others what they had; a failed command has nothing to say.
estimates=$(sed -E 's/ 0\.[3-9] 2\.0$/ TIME 2.0/; s/:solve [0-9]+ 4$/:solve TIME 4/; s/:run [0-9]+ 4$/:run TIME 4/' \
  "$source/cmake/dev/compile_seconds.txt")
expected='# What it costs.
kernels TIME 2.0
src 10 1
tests/amg TIME 2.0
# The same in all
command:solve TIME 4
command:run TIME 4'
equal "the estimates" "$estimates" "$expected"
equal "changes of the sources themselves" "$(git -C "$source" status --short -- kernels)" ''
exit $failed
