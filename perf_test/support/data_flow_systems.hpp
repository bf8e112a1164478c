// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The systems of the programs that compare flows of data.
#pragma once

#include "support/data_flow_options.hpp"
#include "support/numbered_system.hpp"

#include <algorithm>
#include <functional>
#include <string>

namespace tessera::perf {

/// Calls `visit(name, make)` for each system that is asked for, those of the gallery first; the
/// function `make`, which may throw, gives the system.
inline void for_each_system(
    const DeviceSpace& exec, const DataFlowOptions& options,
    const std::function<void(const std::string&, const std::function<NumberedSystem()>&)>& visit) {
  for (const std::string& text : options.gallery)
    visit(text, [&] { return numbered_system_of_gallery(exec, text); });
  if (options.folder.empty()) return;
  for (const auto& matrix : cases_of_folder(options.folder, 0)) {
    const auto& wanted = options.matrices;
    if (std::find(wanted.begin(), wanted.end(), matrix.name) == wanted.end()) continue;
    visit(matrix.name, [&] { return numbered_system_of_file(exec, matrix); });
  }
}

}  // namespace tessera::perf
