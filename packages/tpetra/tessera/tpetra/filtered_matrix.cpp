// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/tpetra/filtered_matrix.hpp"

#include "tessera/kernels/graph/strength.hpp"
#include "tessera/kernels/instantiate.hpp"

namespace tessera::tpetra {
namespace {

using Offset = std::int64_t;

/// What a row becomes.
struct RowFilter {
  bool filtered = false;  ///< weak entries are left out
  double lumped = 0;  ///< their sum, which goes to the diagonal
  double factor = 0;  ///< of what is left
};

template <class Space>
struct Rows {
  kernels::CsrView<double, Space, Offset> A;
  Filtering<Space> f;

  KOKKOS_FUNCTION bool is_diagonal(Ordinal i, Offset e) const {
    return f.row_of_column(A.columns(e)) == i;
  }
  /// Whether the entry is on the diagonal or strong.
  KOKKOS_FUNCTION bool stays(Ordinal i, Offset e) const {
    return is_diagonal(i, e) ||
           kernels::is_strong(A.values(e), f.scale_of_row(i), f.scale_of_column(A.columns(e)),
                              f.theta * f.theta);
  }
  KOKKOS_FUNCTION bool stands_alone(Ordinal i) const {
    return f.theta > 0 && !Kokkos::isfinite(f.scale_of_row(i));
  }

  KOKKOS_FUNCTION RowFilter filter(Ordinal i) const {
    const double inverse = f.inverse_diagonal(i);
    const RowFilter plain{false, 0, f.omega * inverse};
    if (f.theta == 0 || f.candidate_of_row(i) == 0) return plain;
    double weak = 0;
    double kept = 0;
    double left_out = 0;
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
      const double a = A.values(e);
      if (!stays(i, e)) {
        weak += a * f.candidate_of_column(A.columns(e)) / f.candidate_of_row(i);
        left_out += Kokkos::abs(a);
      } else if (!is_diagonal(i, e)) {
        kept += Kokkos::abs(a);
      }
    }
    if (1 + weak * inverse < 0.1) return plain;
    const double filtered_inverse = weak == 0 ? inverse : inverse / (1 + weak * inverse);
    const double unfiltered = 1 + (kept + left_out) * Kokkos::abs(inverse);
    const double before =
        f.symmetric ? Kokkos::min(f.spectral_radius, unfiltered) : f.spectral_radius;
    const double undamped = Kokkos::max(1.0, before / (1 + kept * Kokkos::abs(filtered_inverse)));
    return {true, weak, f.omega * filtered_inverse * undamped};
  }

  KOKKOS_FUNCTION Offset length(Ordinal i) const {
    if (stands_alone(i)) return 0;
    if (!filter(i).filtered) return A.offsets(i + 1) - A.offsets(i);
    Offset count = 0;
    for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e)
      count += stays(i, e) ? 1 : 0;
    return count;
  }
};

}  // namespace

template <class Space>
kernels::Csr<double, Space, Offset> damped_filtered_matrix(
    const Space& exec, const kernels::CsrView<double, Space, Offset>& A,
    const Filtering<Space>& filtering) {
  const Rows<Space> rows{A, filtering};
  const std::string label = "tessera::tpetra::filtered";
  const auto offsets =
      allocate<Offset>(exec, label + "::offsets", static_cast<std::size_t>(A.num_rows) + 1);
  Offset num_entries = 0;
  Kokkos::parallel_scan(
      "tessera::tpetra::filtered::count", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows + 1),
      KOKKOS_LAMBDA(const Ordinal i, Offset& sum, const bool last) {
        if (last) offsets(i) = sum;
        if (i < A.num_rows) sum += rows.length(i);
      },
      num_entries);
  const auto columns = allocate<Ordinal>(exec, label + "::columns", num_entries);
  const auto values = allocate<double>(exec, label + "::values", num_entries);
  Kokkos::parallel_for(
      "tessera::tpetra::filtered::fill", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        if (rows.stands_alone(i)) return;
        const RowFilter row = rows.filter(i);
        Offset out = offsets(i);
        for (Offset e = A.offsets(i); e < A.offsets(i + 1); ++e) {
          if (row.filtered && !rows.stays(i, e)) continue;
          columns(out) = A.columns(e);
          values(out) = row.factor * (A.values(e) + (rows.is_diagonal(i, e) ? row.lumped : 0));
          ++out;
        }
      });
  return {A.num_rows, A.num_cols, offsets, columns, values};
}

#define TESSERA_INSTANTIATE(Space)                                     \
  template kernels::Csr<double, Space, Offset> damped_filtered_matrix( \
      const Space&, const kernels::CsrView<double, Space, Offset>&, const Filtering<Space>&);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::tpetra
