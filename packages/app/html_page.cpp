// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/html_page.hpp"

#include <fmt/format.h>

#include "app/svg_chart.hpp"

namespace tessera::app {

namespace {

constexpr const char* style = R"(
:root { color-scheme: light dark; --paper: #ffffff; --panel: #f5f6f8; --ink: #1c2330; --faint: #5d6778;
  --grid: #dde1e8; --good: #1d7f4e; --bad: #b3372f; --measure: #44506a; --on-series: #ffffff;
  --series-0: #2f6fb3; --series-1: #a85a10; --series-2: #2a7d59; --series-3: #a8448f;
  --series-4: #6a5cc0; --series-5: #b8453a; --series-6: #2f7587; --series-7: #666d79; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181f; --panel: #1d232d; --ink: #e6e9ef;
  --faint: #98a2b3; --grid: #323a47; --good: #57c08d; --bad: #ef7a70; --measure: #a9b7d0;
  --on-series: #0d1016; --series-0: #4a8fd6; --series-1: #d98a35; --series-2: #49a87f;
  --series-3: #c46bab; --series-4: #8f83d8; --series-5: #d96a5d; --series-6: #5aa5b7;
  --series-7: #8a92a0; } }
body { margin: 0 auto; padding: 1.5rem; max-width: 60rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; } h1, p, .cards b { overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p.note { color: var(--faint); margin: .2rem 0 .8rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .7rem; margin: 1rem 0; }
.cards div { background: var(--panel); border-radius: .5rem; padding: .6rem .8rem; }
.cards b { display: block; font-size: 1.25rem; } .cards span { color: var(--faint); font-size: .85rem; }
.good { color: var(--good); } .bad { color: var(--bad); }
figure { margin: 0; } figcaption { color: var(--faint); margin: .3rem 0; }
.wide { overflow-x: auto; } .wide svg { min-width: 32rem; } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .25rem .6rem; border-bottom: 1px solid var(--grid); white-space: nowrap; }
th { color: var(--faint); font-weight: 600; } td.text, th.text { text-align: left; white-space: normal; }
table + table, .wide + .wide { margin-top: 1rem; }
td.bar { width: 30%; } td.bar i { display: block; height: .8rem; border-radius: .2rem; background: var(--measure); }
svg { width: 100%; height: auto; display: block; } svg text { fill: var(--ink); font-size: 12px; }
svg text.inside { fill: var(--on-series); } svg .measure { fill: var(--measure); } svg .grid { stroke: var(--grid); } svg .tick { stroke: var(--faint); }
svg .limit { stroke: var(--faint); stroke-dasharray: 5 4; }
svg .curve { fill: none; stroke: var(--measure); stroke-width: 2; } svg circle { fill: var(--measure); }
.legend { margin: .4rem 0; } .legend span { display: inline-block; max-width: 100%; margin-right: 1rem; overflow-wrap: anywhere; }
.legend i, .chip { display: inline-block; width: .8rem; height: .8rem; border-radius: .2rem; margin-right: .35rem; }
.series-0 { fill: var(--series-0); background: var(--series-0); }
.series-1 { fill: var(--series-1); background: var(--series-1); }
.series-2 { fill: var(--series-2); background: var(--series-2); }
.series-3 { fill: var(--series-3); background: var(--series-3); }
.series-4 { fill: var(--series-4); background: var(--series-4); }
.series-5 { fill: var(--series-5); background: var(--series-5); }
.series-6 { fill: var(--series-6); background: var(--series-6); }
.series-7 { fill: var(--series-7); background: var(--series-7); }
svg .line-0 { stroke: var(--series-0); }
svg .line-1 { stroke: var(--series-1); }
svg .line-2 { stroke: var(--series-2); }
svg .line-3 { stroke: var(--series-3); }
svg .line-4 { stroke: var(--series-4); }
svg .line-5 { stroke: var(--series-5); }
svg .line-6 { stroke: var(--series-6); }
svg .line-7 { stroke: var(--series-7); }
)";

}  // namespace

std::string page_begin(const std::string& title) {
  return fmt::format(
      R"(<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{}</title><style>{}</style></head><body>)",
      html_escape(title), style);
}

std::string card(const std::string& value, const std::string& what, const char* kind) {
  return fmt::format(R"(<div><b class="{}">{}</b><span>{}</span></div>)", kind, html_escape(value),
                     html_escape(what));
}

std::string figure(const std::string& chart, const std::string& caption) {
  return fmt::format(R"(<figure><div class="wide">{}</div><figcaption>{}</figcaption></figure>)",
                     chart, html_escape(caption));
}

}  // namespace tessera::app
