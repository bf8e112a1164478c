#!/bin/bash
# plot_data_flow_test.sh SCRIPT: the values of a small record, what it refuses, and figures where matplotlib is.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

python3 - "$folder" << 'END'
import json, pathlib, sys

folder = pathlib.Path(sys.argv[1])

def level(factor, sparse):
    step = {"calls": 10, "ms": factor}
    steps = {"spmv_A": step, "spmv_R": step, "spmv_P": step}
    if not sparse:
        return dict(steps, spmv_R={"calls": 0, "ms": 0}, spmv_P={"calls": 0, "ms": 0})
    return dict(steps, spgemm_AP={"calls": 1, "ms": factor}, spgemm_RAP={"calls": 1, "ms": factor})

def flow(name, setup, spgemm, cycles, spmv):
    return {"flow": name, "setup_ms": setup, "spgemm": {"ms": spgemm}, "solve_ms": cycles,
            "spmv": {"ms": spmv}, "levels": [level(spmv, True), level(spmv / 2, False)]}

flows = [flow("rows", 6, 2, 4, 8), flow("tiles", 9, 5, 5, 10), flow("tiles, mixed", 8, 5, 3, 6)]
conversion = {"conversion_ms": 1, "spmv_tiles_ms": 0.2, "spmv_rows_ms": 0.1}
systems = [{"system": "poisson3d:n=20", "entries": 50, "flows": flows, "conversion": conversion},
           {"system": "not on tiles", "entries": 90, "flows": flows[:1]},
           {"system": "failed", "flows": []}]
(folder / "record.json").write_text(json.dumps({"cycles": 50, "systems": systems}), encoding="utf-8")
(folder / "rows.json").write_text(json.dumps({"cycles": 50, "systems": systems[1:]}), encoding="utf-8")
(folder / "other.json").write_text("{}", encoding="utf-8")
END

gives 0 '| system | rows: setup and cycles, ms | flow | setup | of it SpGEMM | cycles | SpMV |
| --- | --- | --- | --- | --- | --- | --- |
| 7-point 20³ | 10.0 | rows | 0.60 | 0.20 | 0.40 | 1.00 |
| 7-point 20³ | 10.0 | tiles | 0.90 | 0.50 | 0.50 | 1.25 |
| 7-point 20³ | 10.0 | tiles, mixed | 0.80 | 0.50 | 0.30 | 0.75 |' python3 "$1" "$folder/record.json"
gives 1 "$folder/rows.json: no system has all of rows; tiles; tiles, mixed" python3 "$1" "$folder/rows.json"
gives 1 "$folder/other.json: KeyError: 'systems'" python3 "$1" "$folder/other.json"
gives 1 "$folder/record.json: not there with all flows: failed" \
  python3 "$1" "$folder/record.json" --systems failed

if python3 -c 'import matplotlib, PIL' 2> "$folder/error"; then
  gives 0 '' python3 "$1" "$folder/record.json" --out "$folder/figures" --suffix here
  equal "figures" "$(ls "$folder/figures")" 'data_flow_conversion_here.png
data_flow_products_here.png
data_flow_times_here.png'
else
  gives 1 "figures need matplotlib (python3-matplotlib) for this python3" \
    python3 "$1" "$folder/record.json" --out "$folder/figures"
fi
exit $failed
