#!/bin/bash
# browser_test.sh TESSERA: the command's pages in a browser, headless Chromium, on a narrow window and on a wide
# one: no page is wider than its window, and each draws what it has. BROWSER names another program.
# shellcheck source=tests/dev/expectations.sh
. "$(dirname "$0")/expectations.sh"

tessera=$(readlink -f "$1")
browser=${BROWSER:-}
for name in chromium chromium-browser google-chrome chrome; do
  [ -n "$browser" ] || browser=$(command -v "$name" || true)
done
if [ -z "$browser" ]; then
  echo "skipped: no Chromium here; Debian's package is chromium"
  exit 77
fi
export OMP_NUM_THREADS=1 OMP_PROC_BIND=false

# measured PAGE WIDTH: how wide the document is in a window of so many pixels, and what is in it
measured() {
  local copy="$folder/copy.html"
  # In a frame of its width, as a window is never narrower than some 500 pixels; so tall that none scrolls.
  python3 - "$1" "$2" > "$copy" << 'END'
import html
import pathlib
import sys

page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
measure = """<script>addEventListener("load", () => {
  const root = document.documentElement, seen = (name) => document.querySelectorAll(name).length;
  parent.document.body.append(`window ${innerWidth} document ${root.scrollWidth} charts ${seen("svg")} ` +
    `tables ${seen("table")} font ${getComputedStyle(document.body).fontSize} end`);
});</script></body>"""
assert page.count("</body>") == 1
page = html.escape(page.replace("</body>", measure))
print(f'<!doctype html><body><iframe style="border: 0; width: {sys.argv[2]}px; height: 20000px" srcdoc="{page}">')
print("</iframe></body>")
END
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$folder/profile" \
    --window-size=1500,900 --dump-dom "file://$copy" 2> "$folder/browser.err" |
    grep -o 'window [0-9]* document .* end' || cat "$folder/browser.err"
}
# fits PAGE WIDTH CHARTS TABLES
fits() {
  equal "${1##*/} at $2 pixels" "$(measured "$1" "$2")" \
    "window $2 document $2 charts $3 tables $4 font 15px end"
}

long=a_long_name_of_a_report_as_scripts_make_them-2026-11-27-poisson3d-cheb-degree-3-threads-16.json
"$tessera" solve --problem poisson2d --n 40 --quiet --html "$folder/r.html" --report "$folder/a.json"
"$tessera" solve --problem poisson2d --n 40 --quiet --report "$folder/$long" --repeat 3 \
  -p amg.smoother.type=chebyshev
"$tessera" compare "$folder/a.json" "$folder/$long" --quiet --html "$folder/c.html"
printf '<!doctype html><body style="margin: 0; font-size: 15px"><div style="width: 900px">.</div></body>' \
  > "$folder/wide.html"

# What is too wide is found, or the rest would say nothing.
equal "a page of 900 pixels" "$(measured "$folder/wide.html" 360)" \
  "window 360 document 900 charts 0 tables 0 font 15px end"
for width in 360 1400; do
  fits "$folder/r.html" "$width" 4 4
  fits "$folder/c.html" "$width" 3 3
done
exit $failed
