// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/direct/cost.hpp"

#include "tessera/direct/selection_rules.hpp"

namespace tessera::direct {

double Cost::bytes() const {
  // KLU keeps a row number with each.
  const auto bytes_per_entry = static_cast<double>(sizeof(double) + (in_panels ? 0 : sizeof(int)));
  return entries * bytes_per_entry;
}

double Cost::seconds() const {
  const double rate = in_panels ? rules::panel_flops_per_second : rules::sparse_lu_flops_per_second;
  return flops / rate + entries * rules::factor_seconds_per_entry;
}

}  // namespace tessera::direct
