// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/exact_sum.hpp"

#include <cmath>
#include <limits>

namespace tessera::distributed {

double ExactSum::value() const {
  if (words[num_limbs] > 0 || (words[num_limbs + 1] > 0 && words[num_limbs + 2] > 0))
    return std::numeric_limits<double>::quiet_NaN();
  if (words[num_limbs + 1] > 0) return std::numeric_limits<double>::infinity();
  if (words[num_limbs + 2] > 0) return -std::numeric_limits<double>::infinity();
  ExactSum sum = *this;
  sum.carry();
  const bool is_negative = sum.words[num_limbs - 1] < 0;
  if (is_negative) {
    for (int i = 0; i < num_limbs; ++i)
      sum.words[i] = -sum.words[i];
    sum.carry();
  }
  int top = num_limbs - 1;
  while (top > 0 && sum.words[top] == 0)
    --top;
  // Three limbs have 65 bits that count at least: what is below changes nothing but a rounding.
  double magnitude = 0;
  for (int i = top >= 2 ? top - 2 : 0; i <= top; ++i)
    magnitude += std::ldexp(static_cast<double>(sum.words[i]), 32 * i - 1074);
  return is_negative ? -magnitude : magnitude;
}

}  // namespace tessera::distributed
