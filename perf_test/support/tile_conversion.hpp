// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// What the conversion of a matrix from compressed rows to tiles costs beside its products (AmgT
/// paper, figure 10).
#pragma once

#include "support/timed_runs.hpp"

#include "tessera/kernels/format/mbsr/convert.hpp"
#include "tessera/matrix/stored_matrix.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

namespace tessera::perf {

/// Medians, of one conversion and of one product with a vector.
struct TileConversion {
  double conversion_ms = 0;
  double spmv_rows_ms = 0;
  double spmv_tiles_ms = 0;

  double products() const { return conversion_ms / spmv_tiles_ms; }
};

/// @throws Error where tiles cannot hold `A`.
template <class Space>
TileConversion measure_conversion(const Space& exec, const kernels::Csr<double, Space>& A,
                                  int repeats) {
  constexpr int products = 20;  // of one measured time
  const auto convert = [&] { return kernels::csr_to_mbsr<double>(exec, A.view()); };
  const StoredCsr<double, Space, std::int32_t> rows(exec, A);
  const StoredMatrix<double, kernels::Mbsr<double, Space>> tiles(exec, convert());
  const auto x = allocate_multivector<double>(exec, "tessera::perf::x", A.num_cols);
  const auto y = allocate_multivector<double>(exec, "tessera::perf::y", A.num_rows);
  Kokkos::deep_copy(exec, x, 1.0);
  return {median_ms(exec, repeats, 1, [&] { convert(); }),
          median_ms(exec, repeats, products, [&] { rows.apply(exec, 1.0, x, 0.0, y); }),
          median_ms(exec, repeats, products, [&] { tiles.apply(exec, 1.0, x, 0.0, y); })};
}

inline void print(const std::string& system, const TileConversion& of) {
  std::printf(
      "%-22s conversion to tiles %.4f ms: as %.1f products on tiles, of %.4f ms (in rows %.4f)\n",
      system.c_str(), of.conversion_ms, of.products(), of.spmv_tiles_ms, of.spmv_rows_ms);
}

inline nlohmann::json to_json(const TileConversion& of) {
  return {{"conversion_ms", of.conversion_ms},
          {"spmv_rows_ms", of.spmv_rows_ms},
          {"spmv_tiles_ms", of.spmv_tiles_ms},
          {"conversion_over_spmv_tiles", of.products()}};
}

}  // namespace tessera::perf
