// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// A problem of the gallery of which each process makes its own rows.
#pragma once

#include "support/hashed_values.hpp"
#include "tessera/distributed/solver.hpp"
#include "tessera/gallery/problem_rows.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tessera::perf {

/// n of a problem with `processes` times the rows that it has with the given n; the same n where a
/// problem's size is not said by n. A cube's or a square's n grows by a root.
inline int scaled_n(const GalleryParameters& gallery, int processes) {
  const std::string_view name = to_string(gallery.problem);
  const bool is_cube = name.find("3d") != std::string_view::npos;
  const double factor = is_cube ? std::cbrt(processes) : std::sqrt(processes);
  return static_cast<int>(std::lround(gallery.n * factor));
}

/// Copies column numbers into 64 bits.
template <class Space>
struct WidenColumns {
  ArrayView<const Ordinal, Space> given;
  Array<std::int64_t, Space> wide;

  KOKKOS_FUNCTION void operator()(std::size_t e) const { wide(e) = given(e); }
};

/// About as many nodes of the problem as every other process has, with all unknowns of each.
struct ShareOfProblem {
  using Space = DeviceSpace;

  Problem<double, Space, std::int64_t> own;
  Array<std::int64_t, Space> columns;
  MultiVector<double, Space> b;  ///< hashes of the rows' numbers in [-1, 1)
  std::int64_t num_all_rows = 0;

  ShareOfProblem(const Space& exec, const GalleryParameters& gallery,
                 const distributed::Communicator& processes) {
    const std::int64_t rows = num_problem_rows(gallery);
    const int block =
        make_problem_rows<double, Space, std::int64_t>(exec, gallery, {0, 0}).block_size;
    const std::int64_t nodes = rows / block;
    const auto begin = [&](int process) {
      return static_cast<Ordinal>(nodes * process / processes.size() * block);
    };
    const Ordinal first = begin(processes.rank());
    own = make_problem_rows<double, Space, std::int64_t>(
        exec, gallery, {first, begin(processes.rank() + 1) - first});
    num_all_rows = rows;
    columns = allocate<std::int64_t>(exec, "tessera::perf::columns", own.A.num_entries());
    b = allocate_multivector<double>(exec, "tessera::perf::b",
                                     static_cast<std::size_t>(own.A.num_rows), 1);
    widen_columns(exec, own.A.columns, columns);
    fill(exec, first, b);
    exec.fence("tessera::perf");
  }

  distributed::ShareOfRows<Space> rows() const { return {own.A.offsets, columns, own.A.values}; }

  static void widen_columns(const Space& exec, const ArrayView<const Ordinal, Space>& given,
                            const Array<std::int64_t, Space>& wide) {
    Kokkos::parallel_for(
        "tessera::perf::columns",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::size_t>>(exec, 0, given.extent(0)),
        WidenColumns<Space>{given, wide});
  }
  static void fill(const Space& exec, Ordinal first, const MultiVector<double, Space>& v) {
    Kokkos::parallel_for("tessera::perf::random", Kokkos::RangePolicy<Space>(exec, 0, v.extent(0)),
                         FillHashed<Space>{first, v});
  }
};

}  // namespace tessera::perf
