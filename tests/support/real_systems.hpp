// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Matrices from real problems, unpacked, and right-hand sides for them.
#pragma once

#include "support/device.hpp"
#include "support/matrices.hpp"
#include "support/reference.hpp"
#include "tessera/io/matrix_file.hpp"
#include "tessera/kernels/graph/hash.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

namespace tessera::test {

/// The matrix of that name; a test asks `why_unreadable` first, and skips. Programs that run side
/// by side unpack a copy each.
template <class Space>
kernels::Csr<double, Space> read_real_matrix(const Space& exec, const std::string& name) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("tessera_" + name + '_' + std::to_string(getpid()) + ".mtx");
  const std::string unpack =
      "xz -dc '" + packed_matrix(name).string() + "' > '" + path.string() + "'";
  if (std::system(unpack.c_str()) != 0) throw std::runtime_error("this failed: " + unpack);
  const auto A = read_matrix<double>(exec, path).A;
  std::filesystem::remove(path);
  return A;
}

/// Numbers in [-1, 1) that depend on their place alone.
inline std::vector<double> hashed_vector(std::size_t n) {
  std::vector<double> r(n);
  for (std::size_t i = 0; i < n; ++i) {
    r[i] = 0x1p-31 * kernels::hash32(static_cast<std::uint32_t>(i)) - 1.0;
  }
  return r;
}

/// A r for hashed r: in the range of A whether or not it is singular.
inline std::vector<double> vector_in_range(const HostMatrix<double>& A) {
  const std::vector<long double> product = multiply(A, hashed_vector(A.num_cols));
  return {product.begin(), product.end()};
}

}  // namespace tessera::test
