// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Means of ratios, by what they are of.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace tessera::perf {

/// Ratios of others' times, such as the vendor's, to ours, by what was measured.
class RatiosByName {
 public:
  void add(const std::string& what, double theirs, double ours) {
    if (!(theirs > 0) || !(ours > 0)) return;
    auto& [sum, count, most] = m_of[what];
    const double ratio = theirs / ours;
    sum += std::log(ratio);
    ++count;
    most = std::max(most, ratio);
  }
  nlohmann::json report() const {
    nlohmann::json result = nlohmann::json::object();
    for (const auto& [what, of] : m_of) {
      const double mean = std::exp(of.sum_of_logs / of.count);
      std::printf("%-40s geometric mean %6.2f, largest %7.2f, over %d\n", what.c_str(), mean,
                  of.largest, of.count);
      result[what] = {{"geometric_mean", mean}, {"largest", of.largest}, {"count", of.count}};
    }
    return result;
  }

 private:
  struct Of {
    double sum_of_logs = 0;
    int count = 0;
    double largest = 0;
  };
  std::map<std::string, Of> m_of;
};

}  // namespace tessera::perf
