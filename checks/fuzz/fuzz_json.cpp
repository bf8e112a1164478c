// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Any bytes as parameters of a solve in JSON: run with checks/fuzz/corpus_json as the seeds.
#include <cstddef>
#include <cstdint>
#include <string>

#include "tessera/kernels/execution/error.hpp"
#include "tessera/parameters/json.hpp"
#include "tessera/parameters/parameter_tree.hpp"
#include "tessera/solve.hpp"

namespace tessera::fuzz {

namespace {

/// More than any hierarchy has. Each has a hundred keys, which take long with sanitizers.
constexpr std::size_t max_levels = 60;

/// The parameters that the text sets, as it were written to a report; nothing where levels are too
/// many.
std::string effective(const std::string& text) {
  SolveParameters parameters;
  parameters::ParameterTree tree(parameters);
  set_from_json(tree, text, "input");
  if (parameters.amg.levels.size() > max_levels) return "";
  return parameters::to_json(tree.values());
}

void consume_json(const std::string& text) {
  std::string written;
  try {
    written = effective(text);
  } catch (const Error&) {
    return;
  }
  // Outside of the try block: what was written must be accepted.
  if (!written.empty() && effective(written) != written) __builtin_trap();
}

}  // namespace

}  // namespace tessera::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tessera::fuzz::consume_json(std::string(data, data + size));
  return 0;
}
