// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
#include "app/matrix_properties.hpp"

#include "tessera/amg/coarsening/find_nodes.hpp"
#include "tessera/kernels/format/find_entry.hpp"
#include "tessera/kernels/format/sort_rows.hpp"
#include "tessera/solve/reacting_unknowns.hpp"
#include "tessera/solve/select.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::app {

namespace {

template <class Offset>
using HostCsr = kernels::CsrView<double, HostSpace, Offset>;
using Rows = Kokkos::RangePolicy<HostSpace, Kokkos::IndexType<std::int64_t>>;

// Loops over rows allocate nothing: what Kokkos's threads throw ends the program.

/// Sums `count(i)` over the rows.
template <class Count>
std::int64_t sum_rows(const HostSpace& exec, std::int64_t rows, const Count& count) {
  std::int64_t total = 0;
  Kokkos::parallel_reduce(
      "tessera::app::count", Rows(exec, 0, rows),
      [&](std::int64_t i, std::int64_t& sum) { sum += count(i); }, total);
  return total;
}

/// The largest `value(i)` over the rows, `lowest` where there is none.
template <class T, class Value>
T max_rows(const HostSpace& exec, std::int64_t rows, T lowest, const Value& value) {
  T largest = lowest;
  Kokkos::parallel_reduce(
      "tessera::app::maximum", Rows(exec, 0, rows),
      [&](std::int64_t i, T& most) { most = std::max(most, static_cast<T>(value(i))); },
      Kokkos::Max<T>(largest));
  return rows == 0 ? lowest : std::max(lowest, largest);
}

/// Sums `test(i, j, a_ij)` over the entries.
template <class Offset, class Test>
std::int64_t count_entries(const HostSpace& exec, const HostCsr<Offset>& A, const Test& test) {
  return sum_rows(exec, A.num_rows, [&](std::int64_t i) {
    std::int64_t found = 0;
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      if (test(i, A.columns(e), A.values(e))) ++found;
    }
    return found;
  });
}

template <class Offset>
void inspect_lengths(const HostSpace& exec, const HostCsr<Offset>& A, MatrixProperties& info) {
  const auto length = [&](std::int64_t i) {
    return static_cast<std::int64_t>(A.offsets(i + 1) - A.offsets(i));
  };
  if (info.rows == 0) return;
  info.longest_row = max_rows<std::int64_t>(exec, info.rows, 0, length);
  info.shortest_row = -max_rows<std::int64_t>(exec, info.rows, -info.cols - info.entries,
                                              [&](std::int64_t i) { return -length(i); });
  info.mean_row = static_cast<double>(info.entries) / static_cast<double>(info.rows);
  const std::int64_t squares =
      sum_rows(exec, info.rows, [&](std::int64_t i) { return length(i) * length(i); });
  const double variance =
      static_cast<double>(squares) / static_cast<double>(info.rows) - info.mean_row * info.mean_row;
  info.row_deviation = std::sqrt(std::max(0.0, variance));
  info.empty_rows =
      sum_rows(exec, info.rows, [&](std::int64_t i) { return length(i) == 0 ? 1 : 0; });
  info.single_entry_rows = sum_rows(exec, info.rows, [&](std::int64_t i) {
    return length(i) == 1 && A.columns(A.offsets(i)) == i ? 1 : 0;
  });
  info.bandwidth = max_rows<std::int64_t>(exec, info.rows, 0, [&](std::int64_t i) {
    std::int64_t widest = 0;
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      widest = std::max(widest, std::abs(i - static_cast<std::int64_t>(A.columns(e))));
    }
    return widest;
  });
  info.duplicates = sum_rows(exec, info.rows, [&](std::int64_t i) {
    std::int64_t again = 0;
    for (Offset e = A.offsets(i) + 1; e < A.offsets(i + 1); ++e) {
      if (A.columns(e) == A.columns(e - 1)) ++again;
    }
    return again;
  });
}

template <class Offset>
void inspect_values(const HostSpace& exec, const HostCsr<Offset>& A, MatrixProperties& info) {
  info.not_finite = count_entries(exec, A, [](auto, auto, double a) { return !std::isfinite(a); });
  info.explicit_zeros = count_entries(exec, A, [](auto, auto, double a) { return a == 0; });
  const auto extreme = [&](double sign, double lowest) {
    return max_rows<double>(exec, info.rows, lowest, [&, sign](std::int64_t i) {
      double most = -std::numeric_limits<double>::infinity();
      for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
        const double magnitude = std::abs(A.values(e));
        if (magnitude > 0 && std::isfinite(magnitude)) most = std::max(most, sign * magnitude);
      }
      return most;
    });
  };
  const double infinity = std::numeric_limits<double>::infinity();
  info.largest = std::max(0.0, extreme(1, -infinity));
  const double smallest = -extreme(-1, -infinity);
  info.smallest = std::isfinite(smallest) ? smallest : 0;
}

template <class Offset>
void inspect_symmetry(const HostSpace& exec, const HostCsr<Offset>& A, MatrixProperties& info) {
  if (!info.square()) return;
  info.unmatched_pattern = count_entries(exec, A, [&](std::int64_t i, Ordinal j, double) {
    return kernels::find_entry(A, j, static_cast<Ordinal>(i)) == A.offsets(j + 1);
  });
  const double difference = max_rows<double>(exec, info.rows, 0, [&](std::int64_t i) {
    double most = 0;
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const Ordinal j = A.columns(e);
      const double other = kernels::value_at(A, j, static_cast<Ordinal>(i));
      most = std::max(most, std::abs(A.values(e) - other));
    }
    return most;
  });
  info.asymmetry = info.largest > 0 ? difference / info.largest : 0;
}

/// What one row says of its diagonal.
struct RowBalance {
  double diagonal = 0;
  double others = 0;  ///< sum of the other magnitudes
  double sum = 0;
  std::int64_t same_sign = 0;
};

template <class Offset>
RowBalance balance(const HostCsr<Offset>& A, std::int64_t i) {
  RowBalance row;
  for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
    row.sum += A.values(e);
    (A.columns(e) == i ? row.diagonal : row.others) +=
        A.columns(e) == i ? A.values(e) : std::abs(A.values(e));
  }
  for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
    if (A.columns(e) != i && A.values(e) * row.diagonal > 0) ++row.same_sign;
  }
  return row;
}

template <class Offset>
void inspect_diagonal(const HostSpace& exec, const HostCsr<Offset>& A, MatrixProperties& info) {
  const auto count = [&](auto test) {
    return sum_rows(exec, info.rows, [&](std::int64_t i) { return test(balance(A, i)) ? 1 : 0; });
  };
  // Rounding of a sum of the row's terms, with room for coefficients written in decimal.
  const double rounding = 1e-12;
  info.zero_diagonal = count([](const RowBalance& row) { return row.diagonal == 0; });
  info.negative_diagonal = count([](const RowBalance& row) { return row.diagonal < 0; });
  info.dominant_rows = count([rounding](const RowBalance& row) {
    return std::abs(row.diagonal) >= row.others * (1 - rounding);
  });
  info.strictly_dominant_rows = count([rounding](const RowBalance& row) {
    return std::abs(row.diagonal) > row.others * (1 + rounding);
  });
  info.zero_sum_rows = count([rounding](const RowBalance& row) {
    return std::abs(row.sum) <= rounding * (std::abs(row.diagonal) + row.others);
  });
  info.positive_couplings =
      sum_rows(exec, info.rows, [&](std::int64_t i) { return balance(A, i).same_sign; });
}

template <class Offset>
void draw_picture(const HostSpace& exec, const HostCsr<Offset>& A, MatrixProperties& info) {
  // One picture row at a time: no two threads touch the same counter.
  Kokkos::parallel_for("tessera::app::picture", Rows(exec, 0, picture_side), [&](std::int64_t y) {
    const std::int64_t begin = (y * info.rows + picture_side - 1) / picture_side;
    const std::int64_t end = ((y + 1) * info.rows + picture_side - 1) / picture_side;
    for (std::int64_t i = begin; i < end; ++i) {
      for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
        const std::int64_t x = static_cast<std::int64_t>(A.columns(e)) * picture_side / info.cols;
        ++info.picture[static_cast<std::size_t>(y * picture_side + x)];
      }
    }
  });
  exec.fence("tessera::app::picture");
}

}  // namespace

template <class Offset>
MatrixProperties matrix_properties(const HostSpace& exec,
                                   const kernels::Csr<double, HostSpace, Offset>& matrix) {
  const auto sorted = kernels::sort_rows(exec, matrix.view());
  const HostCsr<Offset> A = sorted.view();
  MatrixProperties info;
  info.rows = A.num_rows;
  info.cols = A.num_cols;
  info.entries = static_cast<std::int64_t>(A.num_entries);
  inspect_lengths(exec, A, info);
  inspect_values(exec, A, info);
  inspect_symmetry(exec, A, info);
  inspect_diagonal(exec, A, info);
  draw_picture(exec, A, info);
  info.format = kernels::select_format(exec, A);
  info.tiles = info.format.statistics.num_tiles;
  const std::int64_t distinct = info.entries - info.duplicates;
  info.tile_density =
      info.tiles > 0 ? static_cast<double>(distinct) / static_cast<double>(info.tiles) : 0;
  if (info.square()) {
    info.facts = inspect(exec, A, kernels::analyse_spmv(exec, A));
    const amg::Nodes found = amg::find_nodes(exec, A, has_cells(info.facts) ? 1 : 0);
    info.nodes = without_reacting(exec, A, found, info.facts);
  }
  return info;
}

template MatrixProperties matrix_properties(const HostSpace&,
                                            const kernels::Csr<double, HostSpace, std::int32_t>&);
template MatrixProperties matrix_properties(const HostSpace&,
                                            const kernels::Csr<double, HostSpace, std::int64_t>&);

}  // namespace tessera::app
