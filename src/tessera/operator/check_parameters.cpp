// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/operator/check_parameters.hpp"

#include "tessera/operator/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera {
namespace {

/// The type's own bounds stand for none.
template <class Number>
std::string bounded(const char* what, const Range<Number>& range) {
  const Range<Number> all;
  const bool below = range.lowest > all.lowest;
  const bool above = range.highest < all.highest;
  if (below && above) return fmt::format("{} from {} to {}", what, range.lowest, range.highest);
  if (below) return fmt::format("{} of {} or more", what, range.lowest);
  if (above) return fmt::format("{} of {} or less", what, range.highest);
  return what;
}

}  // namespace

std::string expected_text(const Range<int>& range) { return bounded("a whole number", range); }

std::string expected_text(const Range<double>& range) { return bounded("a number", range); }

std::string expected_text(const std::vector<std::string>& names) {
  return fmt::format("one of: {}", fmt::join(names, ", "));
}

void ParameterCheck::refuse(std::string_view name, double value,
                            const std::string& expected) const {
  throw Error(ErrorKind::configuration, fmt::format("{}{} = {} is out of range, expected {}",
                                                    m_prefix, name, value, expected));
}

}  // namespace tessera
