// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Checks of arguments' shapes.
#pragma once

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/types.hpp"

#include <string>

namespace tessera::kernels::detail {

template <class ViewType>
Ordinal rows_of(const ViewType& v) {
  return static_cast<Ordinal>(v.extent(0));
}

template <class ViewType>
int columns_of(const ViewType& v) {
  return static_cast<int>(v.extent(1));
}

template <class First, class Second>
void require_same_shape(const char* name, const First& v, const Second& expected,
                        std::source_location where = std::source_location::current()) {
  require(
      v.extent(0) == expected.extent(0) && v.extent(1) == expected.extent(1),
      [&] {
        return std::string(name) + " is " + std::to_string(v.extent(0)) + " by " +
               std::to_string(v.extent(1)) + ", expected " + std::to_string(expected.extent(0)) +
               " by " + std::to_string(expected.extent(1));
      },
      where);
}

inline void require_length(const char* name, std::size_t length, std::size_t expected,
                           std::source_location where = std::source_location::current()) {
  require(
      length >= expected,
      [&] {
        return std::string(name) + " has length " + std::to_string(length) +
               ", expected at least " + std::to_string(expected);
      },
      where);
}

}  // namespace tessera::kernels::detail
