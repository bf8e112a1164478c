// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Means over all matrices, by what they are of.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace tessera::perf {

/// Sums for means over all matrices.
struct Means {
  struct Mean {
    double logs = 0, sum = 0, most = 0;
    int count = 0;

    void add(double value) {
      if (!(value > 0)) return;
      logs += std::log(value);
      sum += value;
      most = std::max(most, value);
      ++count;
    }
  };
  std::map<std::string, Mean> of;

  nlohmann::json print() const {
    nlohmann::json result;
    for (const auto& [name, mean] : of) {
      if (mean.count == 0) continue;
      const double geometric = std::exp(mean.logs / mean.count);
      std::printf("%-44s geometric mean %8.3f, mean %8.3f, most %8.3f, of %d\n", name.c_str(),
                  geometric, mean.sum / mean.count, mean.most, mean.count);
      result[name] = {{"geometric_mean", geometric},
                      {"mean", mean.sum / mean.count},
                      {"most", mean.most},
                      {"count", mean.count}};
    }
    return result;
  }
};

}  // namespace tessera::perf
