// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the sparse direct solver can be told.
#pragma once

#include "tessera/operator/parameter_description.hpp"

namespace tessera::direct {

/// What orders a pattern so that its factors have few entries.
enum class Ordering { automatic, minimum_degree, nested_dissection };

inline constexpr EnumName<Ordering> ordering_names[] = {
    {Ordering::automatic, "auto",
     "minimum_degree, and nested_dissection where factors by that take many operations for the "
     "size of the graph, or do not fit"},
    {Ordering::minimum_degree, "minimum_degree", "approximate minimum degree, by AMD"},
    {Ordering::nested_dissection, "nested_dissection",
     "two parts before a separator of them, and so on within the parts, by SCOTCH"}};

struct Parameters {
  double max_memory_mb = 1024;
  Ordering ordering = Ordering::automatic;

  double max_bytes() const { return max_memory_mb * 1024 * 1024; }
};

template <class Visitor>
void describe_parameters(Visitor& visit, Parameters& p) {
  visit("max_memory_mb", p.max_memory_mb,
        "limit of the factors' memory on the host in MiB, checked against an estimate from the "
        "pattern",
        Range{0.0, 1e9});
  visit("ordering", p.ordering, "the order in which rows are eliminated",
        EnumNames<Ordering>(ordering_names));
}

}  // namespace tessera::direct
