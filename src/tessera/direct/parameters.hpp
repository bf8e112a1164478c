// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the sparse direct solver can be told.
#pragma once

#include "tessera/operator/parameter_description.hpp"

namespace tessera::direct {

struct Parameters {
  double max_memory_mb = 1024;

  double max_bytes() const { return max_memory_mb * 1024 * 1024; }
};

template <class Visitor>
void describe_parameters(Visitor& visit, Parameters& p) {
  visit("max_memory_mb", p.max_memory_mb,
        "limit of the factors' memory on the host in MiB, checked against an estimate from the "
        "pattern",
        Range{0.0, 1e9});
}

}  // namespace tessera::direct
