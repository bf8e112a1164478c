// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// One matrix on tiles times several vectors of float at once: the plain kernel beside tensor
/// cores.
#pragma once

#include "support/spmv_variants.hpp"

#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>

namespace tessera::perf {

/// How products are timed.
struct ProductClock {
  int batches = 11;
  double batch_ms = 20;
};

/// Products with `columns` vectors, each right to what rounding explains before it is timed.
template <class Space>
class SeveralVectors {
 public:
  SeveralVectors(const Space& exec, const kernels::Csr<double, Space>& A, int columns,
                 const ProductClock& clock)
      : m_exec(exec),
        m_A(A),
        m_columns(columns),
        m_clock(clock),
        m_check(exec, A, columns),
        m_x(make_vectors<float>(exec, A.num_cols, columns)),
        m_y(allocate_multivector<float>(exec, "tessera::perf::y", A.num_rows, columns)) {}

  /// A row for each storage up to float, layout and kernel, the automatic choice first; with
  /// "error" where there is no time.
  nlohmann::json run() {
    nlohmann::json rows = nlohmann::json::array();
    for_each_storage([&]<class Storage>() {
      if constexpr (sizeof(Storage) <= sizeof(float)) {
        for (const TileLayout layout : {TileLayout::packed, TileLayout::dense}) {
          rows.push_back(row_of<Storage>({.format = Format::mbsr, .layout = layout}));
          for (const auto kernel : {MbsrSpmvKernel::tile_row, MbsrSpmvKernel::tensor_core})
            rows.push_back(
                row_of<Storage>({.format = Format::mbsr, .layout = layout, .kernel = kernel}));
        }
      }
    });
    return rows;
  }

  /// Whether all results were right.
  bool good() const { return m_good; }

 private:
  template <class Storage>
  nlohmann::json row_of(const Variant& variant) {
    nlohmann::json row{{"by", "tessera"},
                       {"variant", variant.name()},
                       {"storage", scalar_name<Storage>},
                       {"vectors", scalar_name<float>},
                       {"columns", m_columns}};
    std::printf("  %-22s %-9s %-7s %2d vectors ", variant.name().c_str(), scalar_name<Storage>,
                scalar_name<float>, m_columns);
    try {
      measure<Storage>(row, variant);
      std::printf("%9.4f ms %8.1f GB/s\n", row["ms"].get<double>(),
                  row["bandwidth_gb_s"].get<double>());
    } catch (const std::exception& error) {
      row["error"] = error.what();
      std::printf("%s\n", error.what());
    }
    std::fflush(stdout);
    return row;
  }

  template <class Storage>
  void measure(nlohmann::json& row, const Variant& variant) {
    constexpr int conversions = 1;
    const auto candidate =
        CandidateMaker<float, Storage, Space>(m_exec, m_A, conversions).make(variant);
    Kokkos::deep_copy(m_exec, m_y, std::numeric_limits<float>::quiet_NaN());
    candidate.multiply(m_x, m_y);
    if (const std::size_t wrong = m_check.wrong(m_exec, m_y, candidate.accuracy); wrong > 0) {
      m_good = false;
      throw std::runtime_error(std::to_string(wrong) + " elements are wrong");
    }
    const double ms = median_call_ms(
        m_exec, [&] { candidate.multiply(m_x, m_y); }, m_clock.batches, m_clock.batch_ms);
    const auto bytes =
        static_cast<double>(candidate.product_bytes(m_A.num_rows, m_A.num_cols, m_columns));
    row["ms"] = ms;
    row["product_bytes"] = bytes;
    row["bandwidth_gb_s"] = bytes / ms * 1e-6;
  }

  Space m_exec;
  kernels::Csr<double, Space> m_A;
  int m_columns;
  ProductClock m_clock;
  ProductCheck<Space> m_check;
  MultiVector<float, Space> m_x, m_y;
  bool m_good = true;
};

/// Products of one matrix with each number of vectors; its JSON object, with "error" where it could
/// not be made. `good` becomes false where a result was wrong.
template <class Space>
nlohmann::json compare_several_vectors(const Space& exec, const MatrixSource& source,
                                       const std::vector<int>& columns, const ProductClock& clock,
                                       bool& good) {
  nlohmann::json json{{"name", source.name()}, {"results", nlohmann::json::array()}};
  std::printf("%s, several vectors\n", source.name().c_str());
  try {
    const auto A = source.make(exec);
    json["rows"] = A.num_rows;
    json["entries"] = A.num_entries();
    for (const int k : columns) {
      SeveralVectors<Space> comparison(exec, A, k, clock);
      for (const auto& row : comparison.run())
        json["results"].push_back(row);
      good = good && comparison.good();
    }
  } catch (const std::exception& error) {
    std::printf("%s: %s\n", source.name().c_str(), error.what());
    json["error"] = error.what();
    good = false;
  }
  return json;
}

}  // namespace tessera::perf
